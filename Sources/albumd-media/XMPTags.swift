import CExempi
import MediaFacts

/// The properties of an XMP packet as Adobe's toolkit reads them.
func xmpTags(of packet: [UInt8]) -> [Tag: String] {
    guard packet.count <= packetLimit, let xmp = XMPPacket(packet) else { return [:] }
    var tags: [Tag: String] = [:]
    for property in properties { tags[property.tag] = xmp.text(property.namespace, property.name) }
    for property in localized { tags[property.tag] = xmp.localizedText(property.namespace, property.name) }
    tags[.xmpSubject] = xmp.items(dublinCore, "subject")
    tags[.motionPhotoLength] = xmp.motionPhotoLength
    return tags
}

/// S3: XMP of more than a mebibyte is none.
private let packetLimit = 1 << 20

private let exif = "http://ns.adobe.com/exif/1.0/"
private let tiff = "http://ns.adobe.com/tiff/1.0/"
private let basic = "http://ns.adobe.com/xap/1.0/"
private let dublinCore = "http://purl.org/dc/elements/1.1/"
private let camera = "http://ns.google.com/photos/1.0/camera/"

private typealias Property = (tag: Tag, namespace: String, name: String)

private let properties: [Property] = [
    (.xmpDateTimeOriginal, exif, "DateTimeOriginal"), (.xmpCreateDate, basic, "CreateDate"),
    (.xmpDateCreated, "http://ns.adobe.com/photoshop/1.0/", "DateCreated"), (.xmpGPSDateTime, exif, "GPSTimeStamp"),
    (.xmpGPSLatitude, exif, "GPSLatitude"), (.xmpGPSLongitude, exif, "GPSLongitude"), (.xmpRating, basic, "Rating"),
    (.xmpFavorite, "http://www.fstopapp.com/xmp/", "favorite"), (.xmpOrientation, tiff, "Orientation"),
    (.xmpMake, tiff, "Make"), (.xmpModel, tiff, "Model"),
    (.xmpLens, "http://ns.adobe.com/exif/1.0/aux/", "Lens"),
    (.panoramaProjection, "http://ns.google.com/photos/1.0/panorama/", "ProjectionType"),
    (.depthFormat, "http://ns.google.com/photos/1.0/depthmap/", "Format"),
    (.simulatedAperture, "http://ns.apple.com/depthBlurEffect/1.0/", "SimulatedAperture"),
    (.motionPhoto, camera, "MotionPhoto"), (.microVideo, camera, "MicroVideo"),
    (.microVideoOffset, camera, "MicroVideoOffset"), (.burstID, camera, "BurstID"),
]

private let localized: [Property] = [
    (.xmpTitle, dublinCore, "title"), (.xmpDescription, dublinCore, "description"),
    (.xmpUserComment, exif, "UserComment"),
]

/// A parsed packet, freed when let go.
private final class XMPPacket {
    private let xmp: XmpPtr

    init?(_ packet: [UInt8]) {
        // Exempi takes the bytes for its own encoding's; it stops at what is no XML.
        let parsed = packet.withUnsafeBytes { xmp_new($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
        guard let parsed else { return nil }
        xmp = parsed
    }

    deinit { xmp_free(xmp) }

    func text(_ namespace: String, _ name: String) -> String? {
        string { xmp_get_property(xmp, namespace, name, $0, nil) }
    }

    func localizedText(_ namespace: String, _ name: String) -> String? {
        string { xmp_get_localized_text(xmp, namespace, name, "", "x-default", nil, $0, nil) }
            ?? text(namespace, name)
    }

    /// The items of a list, parted by line feeds.
    func items(_ namespace: String, _ name: String) -> String? {
        var items: [String] = []
        while items.count < 256,
            let item = string({ xmp_get_array_item(xmp, namespace, name, Int32(items.count + 1), $0, nil) })
        {
            items.append(item)
        }
        return items.isEmpty ? nil : items.joined(separator: "\n")
    }

    /// How long the movie at the end of a motion photo is (Motion Photo format 1.0): of the item that says so.
    var motionPhotoLength: String? {
        let namespace = "http://ns.google.com/photos/1.0/container/"
        xmp_register_namespace(namespace, "Container", nil)
        xmp_register_namespace("http://ns.google.com/photos/1.0/container/item/", "Item", nil)
        for index in 1...16 {
            let item = "Container:Directory[\(index)]/Container:Item/Item:"
            guard let meaning = text(namespace, item + "Semantic") else { return nil }
            if meaning == "MotionPhoto" { return text(namespace, item + "Length") }
        }
        return nil
    }

    private func string(_ read: (XmpStringPtr) -> Bool) -> String? {
        guard let buffer = xmp_string_new() else { return nil }
        defer { xmp_string_free(buffer) }
        guard read(buffer), let text = xmp_string_cstr(buffer) else { return nil }
        return String(cString: text)
    }
}
