import CVips
import MediaContainers
import MediaFacts

/// What libvips reads in the header of a picture; no pixel is decoded.
struct PictureFacts {
    struct Refusal: Error {
        var reason: String
    }

    var size: PixelSize
    /// Of GIF and WebP; nil where the format has pages instead, or none.
    var frameCount: Int?
    /// Of WebP alone: that of other formats is read by the container.
    var exif: [UInt8]?
    var xmp: [UInt8]?

    static func read(_ descriptor: Int32) -> Result<PictureFacts, Refusal> {
        // Takes a copy of the descriptor, and reads from its own place in the file.
        guard let source = vips_source_new_from_descriptor(descriptor) else { return .failure(refusal()) }
        defer { shim_vips_release(source) }
        guard let image = shim_vips_open(source) else { return .failure(refusal()) }
        defer { shim_vips_release(image) }
        return .success(PictureFacts(image))
    }

    private init(_ image: UnsafeMutablePointer<VipsImage>) {
        size = PixelSize(width: Int(vips_image_get_width(image)), height: Int(vips_image_get_height(image)))
        let loader = text(image, "vips-loader") ?? ""
        let isAnimation = loader.hasPrefix("gifload") || loader.hasPrefix("webpload")
        frameCount = isAnimation ? Int(vips_image_get_n_pages(image)) : nil
        exif = loader.hasPrefix("webpload") ? blob(image, "exif-data") : nil
        xmp = blob(image, "xmp-data")
    }
}

private func refusal() -> PictureFacts.Refusal {
    defer { vips_error_clear() }
    let words = String(cString: vips_error_buffer())
    return PictureFacts.Refusal(reason: words.split(separator: "\n").first.map(String.init) ?? "cannot open it")
}

private func text(_ image: UnsafeMutablePointer<VipsImage>, _ name: String) -> String? {
    var value: UnsafePointer<CChar>?
    guard vips_image_get_typeof(image, name) != 0, vips_image_get_string(image, name, &value) == 0 else { return nil }
    return value.map { String(cString: $0) }
}

private func blob(_ image: UnsafeMutablePointer<VipsImage>, _ name: String) -> [UInt8]? {
    var start: UnsafeRawPointer?
    var count = 0
    guard vips_image_get_typeof(image, name) != 0, vips_image_get_blob(image, name, &start, &count) == 0,
        count <= FileBytes.pieceLimit
    else { return nil }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
}
