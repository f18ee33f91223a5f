import MediaBytes

/// What the chunks of a PNG say that libvips passes over (PNG 3, 5.3): its frames and its Exif.
package struct PNGChunks {
    /// Of an animated PNG (`acTL`); nil for a still.
    package private(set) var frameCount: Int?
    package private(set) var exif: FileBytes?

    /// A large picture has one chunk for every 8 KiB.
    private static let chunkLimit = 65_536

    package init(in file: FileBytes) {
        var offset: Int64 = 8
        for _ in 0..<PNGChunks.chunkLimit {
            guard let header = file.bytes(at: offset, count: 8) else { return }
            let count = Int64(ByteOrder.big.integer(header.prefix(4)))
            switch FourCC(header.suffix(4)) {
            case "acTL": frameCount = file.integer(at: offset + 8, count: 4).map { Int($0) }
            case "eXIf": exif = file.part(from: offset + 8, to: min(offset + 8 + count, file.byteCount))
            case "IEND": return
            default: break
            }
            offset += 12 + count
        }
    }
}
