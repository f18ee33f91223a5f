import Platform

/// One file of the journal, read line by line with no more of it in memory than a piece and the longest line.
struct JournalFile: Sendable {
    struct Line {
        var bytes: ArraySlice<UInt8>
        /// Where it begins in the file.
        var offset: Int64
    }

    private let files: any FileVerbs
    private let file: OpenFile
    private var buffer: [UInt8] = []
    /// The offset in the file of the buffer's first byte.
    private var base: Int64
    /// Up to here lines were taken from the buffer, and up to there it has no newline.
    private var (start, searched) = (0, 0)
    private var isAtEnd = false

    /// Begins at an offset where a line begins.
    init(_ file: OpenFile, files: any FileVerbs, at offset: Int64 = 0) {
        (self.file, self.files, base) = (file, files, offset)
    }

    /// The next line that is not empty, whole or torn; nil at the end.
    mutating func next() throws(FileError) -> Line? {
        while true {
            let end = buffer[searched...].firstIndex(of: newline)
            guard let end = end ?? (isAtEnd ? buffer.endIndex : nil) else {
                try readOn()
                continue
            }
            let line = Line(bytes: buffer[start..<end], offset: base + Int64(start))
            start = min(end + 1, buffer.endIndex)
            searched = start
            if !line.bytes.isEmpty { return line }
            if isAtEnd, start == buffer.endIndex { return nil }
        }
    }

    private mutating func readOn() throws(FileError) {
        buffer.removeSubrange(..<start)
        base += Int64(start)
        (start, searched) = (0, buffer.endIndex)
        let piece = try readBytes(file, files: files, at: base + Int64(buffer.count), count: 1 << 20)
        isAtEnd = piece.isEmpty
        buffer += piece
    }
}

private let newline = UInt8(ascii: "\n")
