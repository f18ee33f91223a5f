import MediaBytes
package import MediaFacts

extension ByteSpan {
    /// The movie of a motion photo: behind the picture by the length that its XMP states, in Samsung's trailer, or in
    /// the box `mpvd` of a HEIC.
    ///
    /// `length` counts from the end of the file. Nil where no movie begins at that place.
    package init?(movieOf file: FileBytes, length: Int64?) {
        let places = [
            length.flatMap { $0 > 0 && $0 <= file.byteCount ? ByteSpan(offset: file.byteCount - $0, count: $0) : nil },
            ByteSpan(samsungTrailerOf: file),
            ByteSpan(motionBoxOf: file),
        ]
        guard let place = places.compactMap({ $0 }).first(where: { file.has("ftyp", at: $0.offset + 4) }) else {
            return nil
        }
        self = place
    }

    /// Google's Motion Photo format 1.0, "HEIC image containers".
    private init?(motionBoxOf file: FileBytes) {
        guard file.has("ftyp", at: 4), let box = file.boxes.first(where: { $0.type == "mpvd" }) else { return nil }
        self.init(offset: box.content, count: min(box.end, file.byteCount) - box.content)
    }

    /// The trailer ends with the length of its directory and `SEFT`; the directory says how far before it each part
    /// begins, and what it is.
    private init?(samsungTrailerOf file: FileBytes) {
        let end = file.byteCount - 8
        guard file.has("SEFT", at: end + 4), let length = file.offset(at: end, .little) else { return nil }
        let directory = end - length
        guard file.has("SEFH", at: directory), let count = file.integer(at: directory + 8, count: 4, .little) else {
            return nil
        }
        for index in 0..<Int64(min(count, 256)) {
            let entry = directory + 12 + 12 * index
            guard file.integer(at: entry + 2, count: 2, .little) == ByteSpan.motionPhotoPart,
                let distance = file.offset(at: entry + 4, .little), let size = file.offset(at: entry + 8, .little)
            else { continue }
            // Four bytes name the part once more, four say how long its name in words is.
            let start = directory - distance
            guard let name = file.offset(at: start + 4, .little), size > 8 + name else { return nil }
            self.init(offset: start + 8 + name, count: size - 8 - name)
            return
        }
        return nil
    }

    private static let motionPhotoPart: UInt64 = 0x0A30
}
