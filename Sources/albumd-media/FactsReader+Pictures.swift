import MediaBytes
import MediaContainers
import MediaFacts

/// Still pictures: the size by libvips, metadata by the container.
extension FactsReader {
    mutating func readJPEG() {
        let segments = JPEGSegments(in: file.bytes)
        take(exif: segments.exif, xmp: segments.xmp)
        iptc = segments.iptc
        readPicture()
    }

    mutating func readPNG() {
        let chunks = PNGChunks(in: file.bytes)
        take(exif: chunks.exif, xmp: nil)
        readPicture()
        // Where there is no picture there is no frame.
        change { $0.frameCount = $0.codedSize.map { _ in chunks.frameCount ?? 1 } }
    }

    mutating func readTIFF() {
        if let stream = TIFFStream(file.bytes) { exif.add(stream) }
        readPicture()
    }

    /// Metadata lie in boxes of their own around the codestream (ISO/IEC 18181-2).
    mutating func readJPEGXL() {
        let bytes = file.bytes
        let boxes = bytes.boxes
        let block = boxes.first { $0.type == "Exif" }.flatMap { bytes.part(from: $0.content + 4, to: $0.end) }
        let packet = boxes.first { $0.type == "xml " }.flatMap { bytes.content(of: $0) }
        take(exif: block, xmp: packet.flatMap { $0.bytes(at: 0, count: Int($0.byteCount)) })
        readPicture()
    }

    mutating func take(exif block: FileBytes?, xmp packet: [UInt8]?) {
        if let block {
            // Some writers of WebP keep the mark that JPEG has before the stream.
            let start: Int64 = block.has("Exif\0\0", at: 0) ? 6 : 0
            if let stream = block.part(from: start, to: block.byteCount).flatMap({ TIFFStream($0) }) {
                exif.add(stream)
            } else {
                note(fault: "its Exif is no TIFF stream")
            }
        }
        xmp = xmp ?? packet
    }

    /// Size, frames and XMP of whatever libvips opens.
    mutating func readPicture() {
        guard libraries.hasVips else { return note(fault: "libvips could not be started") }
        switch PictureFacts.read(file.descriptor) {
        case .success(let picture):
            change {
                $0.codedSize = picture.size
                $0.frameCount = picture.frameCount
            }
            take(exif: picture.exif.map { FileBytes($0) }, xmp: picture.xmp)
        case .failure(let refusal): note(fault: "libvips: \(refusal.reason)")
        }
    }
}
