package import FoundationEssentials
package import PhotoModel
package import Platform

/// One change as the journal has it.
package struct JournalLine: Sendable, Equatable, Decodable {
    package var token: Int64
    package var date: Date
    package var origin: String
    package var changes: [ChangeRequest]
}

/// Reads `journal/` back.
///
/// What is no whole line, a crash left, and is passed over; its change is in a later line.
package struct JournalReader {
    private let files: any FileVerbs
    private let directory: OpenFile

    package init(files: any FileVerbs, directory: OpenFile) {
        self.files = files
        self.directory = directory
    }

    /// The newest token in any file; 0 where there is none.
    ///
    /// Every month is looked at: a clock that was set back puts newer lines into an older month.
    package func lastToken() throws -> Int64 {
        try months().map { try lastToken(of: $0) }.max() ?? 0
    }

    /// The lines after a token, in the order of their tokens, each once.
    package func lines(after token: Int64) throws -> [JournalLine] {
        var lines: [Int64: JournalLine] = [:]
        for month in try months() where try lastToken(of: month) > token {
            try forEachLine(of: month) { bytes in
                guard let line = JournalReader.line(bytes), line.token > token else { return }
                lines[line.token] = line
            }
        }
        return lines.values.sorted { $0.token < $1.token }
    }

    /// The names of the files, oldest month first.
    func months() throws(FileError) -> [[UInt8]] {
        try files.list(directory).map(\.name).filter(isMonth).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The token of the last whole line, looking back further until one is found; 0 where there is none.
    private func lastToken(of month: [UInt8]) throws -> Int64 {
        let file = try files.openForReading(month, beneath: directory)
        let size = try files.status(of: file).byteCount
        var count: Int64 = 64 << 10
        while true {
            let tail = try readBytes(file, files: files, at: max(0, size - count), count: Int(min(count, size)))
            let lines = tail.split(separator: newline)
            if let token = lines.reversed().lazy.compactMap(JournalReader.token).first { return token }
            guard count < size else { return 0 }
            count *= 8
        }
    }

    func forEachLine(of month: [UInt8], _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        let file = try files.openForReading(month, beneath: directory)
        var offset: Int64 = 0
        var rest: [UInt8] = []
        while true {
            let piece = try readBytes(file, files: files, at: offset, count: 1 << 20)
            offset += Int64(piece.count)
            rest += piece
            let end = piece.isEmpty ? rest.endIndex : rest.lastIndex(of: newline) ?? rest.startIndex
            for line in rest[..<end].split(separator: newline) {
                try body(line)
            }
            guard !piece.isEmpty else { return }
            rest.removeSubrange(..<end)
        }
    }

    static func line(_ bytes: ArraySlice<UInt8>) -> JournalLine? {
        try? historyDecoder().decode(JournalLine.self, from: Data(bytes))
    }

    private static func token(ofLine bytes: ArraySlice<UInt8>) -> Int64? {
        struct Line: Decodable { var token: Int64 }
        return try? JSONDecoder().decode(Line.self, from: Data(bytes)).token
    }
}

/// `2026-11.ndjson`, or a further part of it as `2026-11-2.ndjson`.
private func isMonth(_ name: [UInt8]) -> Bool {
    name.count >= 14 && name[4] == UInt8(ascii: "-") && name.suffix(7).elementsEqual(".ndjson".utf8)
        && (name.count == 14 || name[7] == UInt8(ascii: "-"))
}

private let newline = UInt8(ascii: "\n")
