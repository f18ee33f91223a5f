import MediaBytes

/// The segments of a JPEG before its scan (ITU-T T.81, annex B), for what they say of the picture.
package struct JPEGSegments {
    /// The TIFF stream of the Exif segment.
    package private(set) var exif: FileBytes?
    package private(set) var xmp: [UInt8]?
    package private(set) var iptc: IPTCRecords?

    private static let segmentLimit = 512
    private static let xmpMark = "http://ns.adobe.com/xap/1.0/\0"
    private static let photoshopMark = "Photoshop 3.0\0"

    /// Of the JPEG that begins at `start`.
    package init(in file: FileBytes, from start: Int64 = 0) {
        guard file.integer(at: start, count: 2) == 0xFFD8 else { return }
        var offset = start + 2
        for _ in 0..<JPEGSegments.segmentLimit {
            guard let head = file.bytes(at: offset, count: 4), head[0] == 0xFF else { return }
            switch head[1] {
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD8: offset += 2
            case 0xD9, 0xDA, 0x00: return
            default:
                let count = Int64(ByteOrder.big.integer(head.suffix(2)))
                if head[1] == 0xE1, count > 2 { note(file, from: offset + 4, to: offset + 2 + count) }
                if head[1] == 0xED, iptc == nil { noteIPTC(file, from: offset + 4, to: offset + 2 + count) }
                offset += 2 + count
            }
        }
    }

    /// The first of each counts.
    private mutating func note(_ file: FileBytes, from start: Int64, to end: Int64) {
        let end = min(end, file.byteCount)
        if exif == nil, file.has("Exif\0\0", at: start) {
            exif = file.part(from: start + 6, to: end)
        } else if xmp == nil, file.has(JPEGSegments.xmpMark, at: start) {
            let start = start + Int64(JPEGSegments.xmpMark.utf8.count)
            xmp = start <= end ? file.bytes(at: start, count: Int(end - start)) : nil
        }
    }

    private mutating func noteIPTC(_ file: FileBytes, from start: Int64, to end: Int64) {
        guard file.has(JPEGSegments.photoshopMark, at: start) else { return }
        let start = start + Int64(JPEGSegments.photoshopMark.utf8.count)
        guard start <= end, let resources = file.bytes(at: start, count: Int(end - start)) else { return }
        iptc = IPTCRecords(photoshop: resources)
    }
}
