import MediaBytes
package import MediaFacts

extension PixelSize {
    /// The size in the header of a bitmap (BITMAPINFOHEADER, or OS/2's of 12 bytes); a height below zero is top-down.
    package init?(bitmap file: FileBytes) {
        guard file.has("BM", at: 0), let header = file.integer(at: 14, count: 4, .little) else { return nil }
        let isOld = header == 12
        guard let width = file.integer(at: 18, count: isOld ? 2 : 4, .little),
            let height = file.integer(at: isOld ? 20 : 22, count: isOld ? 2 : 4, .little)
        else { return nil }
        let rows = isOld ? Int(height) : Int(Int32(truncatingIfNeeded: height).magnitude)
        self.init(width: Int(width), height: rows)
    }

    /// The size in the header of a Photoshop document (Adobe Photoshop File Formats, File Header Section).
    package init?(photoshop file: FileBytes) {
        guard file.has("8BPS", at: 0), let height = file.integer(at: 14, count: 4),
            let width = file.integer(at: 18, count: 4)
        else { return nil }
        self.init(width: Int(width), height: Int(height))
    }
}
