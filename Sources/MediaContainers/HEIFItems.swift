import MediaBytes
package import MediaFacts

/// What the items of a HEIF or AVIF file say of its primary picture (ISO/IEC 23008-12, ISO/IEC 14496-12 8.11).
///
/// No library tells the size before turning, the turning itself, or the names of auxiliary pictures.
package struct HEIFItems {
    /// The size that is decoded: of the clean aperture where there is one.
    package private(set) var codedSize: PixelSize?
    /// By `irot` and `imir`, 1 to 8; nil where there is neither.
    package private(set) var orientation: Int?
    package private(set) var auxiliaryImages: [String] = []
    /// The TIFF stream of the Exif item.
    package private(set) var exif: FileBytes?
    package private(set) var xmp: [UInt8]?

    package init?(in file: FileBytes) {
        guard let box = file.boxes.first(where: { $0.type == "meta" }), let meta = file.content(of: box),
            let table = ItemTable(in: meta)
        else { return nil }
        let places = ItemPlaces(in: meta, of: file)
        let properties = ItemProperties(in: meta)
        describePrimary(table.primary.map { properties.properties(of: $0) } ?? [], of: properties.content)
        auxiliaryImages = properties.auxiliaryNames(of: table.items.keys.sorted())
        exif = table.item("Exif").flatMap { places.bytes(of: $0) }.flatMap(tiffStream)
        xmp = table.item(contentType: "application/rdf+xml").flatMap { places.bytes(of: $0) }
    }

    private mutating func describePrimary(_ properties: [Box], of content: FileBytes?) {
        guard let content else { return }
        var turning: Turning?
        for property in properties {
            switch property.type {
            case "ispe": codedSize = codedSize ?? size(content, at: property.content + 4)
            case "clap": codedSize = aperture(content, at: property.content) ?? codedSize
            case "irot", "imir":
                let value = Int(content.integer(at: property.content, count: 1) ?? 0)
                turning = turned(turning ?? Turning(), by: property, value)
            default: continue
            }
        }
        orientation = turning?.orientation
    }

    /// `irot` turns anticlockwise; `imir` exchanges top and bottom with 0, left and right with 1.
    private func turned(_ turning: Turning, by property: Box, _ value: Int) -> Turning {
        var turning = turning
        if property.type == "irot" {
            turning.turnClockwise(quarters: 4 - value & 3)
        } else if value & 1 == 1 {
            turning.mirrorLeftToRight()
        } else {
            turning.mirrorTopToBottom()
        }
        return turning
    }

    private func size(_ content: FileBytes, at offset: Int64) -> PixelSize? {
        guard let width = content.integer(at: offset, count: 4), let height = content.integer(at: offset + 4, count: 4)
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Width and height are fractions (ISO/IEC 14496-12, 12.1.4).
    private func aperture(_ content: FileBytes, at offset: Int64) -> PixelSize? {
        let numbers = (0..<4).compactMap { content.integer(at: offset + 4 * $0, count: 4) }
        guard numbers.count == 4, numbers[1] > 0, numbers[3] > 0, numbers[0] >= numbers[1], numbers[2] >= numbers[3]
        else { return nil }
        return PixelSize(width: Int(numbers[0] / numbers[1]), height: Int(numbers[2] / numbers[3]))
    }
}

/// The TIFF stream of an Exif item: four bytes say how far behind them it begins (ISO/IEC 23008-12, A.2.1).
private func tiffStream(_ item: [UInt8]) -> FileBytes? {
    let bytes = FileBytes(item)
    guard let skipped = bytes.offset(at: 0) else { return nil }
    return bytes.part(from: 4 + skipped, to: bytes.byteCount)
}
