package import FoundationEssentials
package import PhotoModel
package import Platform

/// One change as the journal has it.
package struct JournalLine: Sendable, Equatable, Decodable {
    package var token: Int64
    package var date: Date
    package var origin: String
    package var changes: [ChangeRequest]

    /// Whether it stands for a lost change: whatever has that whole is better.
    package var isLost: Bool { origin == HistoryLine.lostOrigin && changes.isEmpty }
}

/// Reads `journal/` back.
///
/// What is no whole line is passed over: half of one, that a crash left, and one that is damaged. Its change is in a later
/// line, or is a gap.
package struct JournalReader: Sendable {
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

    /// The newest line of any file; nil where there is none, or where it is not understood.
    func newestLine() throws -> JournalLine? { try newestBytes().flatMap { JournalReader.line($0.bytes) } }

    /// The same, not yet read.
    func newestBytes() throws -> (token: Int64, bytes: ArraySlice<UInt8>)? {
        try months().compactMap { try last(of: $0) }.max { $0.token < $1.token }
    }

    /// The lines after a token, in the order of their tokens, each once.
    ///
    /// Reads them all to know where each stands, and again as they are asked for: they are never in memory together.
    package func lines(after token: Int64) throws -> JournalLines {
        let index = try index(after: token)
        return JournalLines(
            self, index.ordered(after: token), conflict: try conflict(in: index.runs), endsTorn: index.endsTorn,
            damaged: index.damaged)
    }

    /// So many lines after a token at most, as the history would have them.
    package func history(after token: Int64, limit: Int) throws -> [HistoryLine] {
        var (lines, found) = (try lines(after: token), [HistoryLine]())
        while found.count < limit, let line = try lines.next() {
            found.append(
                HistoryLine(
                    token: line.token, date: line.date, origin: line.origin, changes: try historyText(line.changes)))
        }
        return found
    }

    /// Where the lines after a token stand.
    func index(after token: Int64) throws -> JournalIndex {
        var index = JournalIndex()
        for month in try months() where try token == 0 || lastToken(of: month) > token {
            var file = try open(month, at: 0)
            while let found = try file.next() {
                guard let line = JournalReader.line(found.bytes) else {
                    index.addTorn(leadingToken(found.bytes), in: month)
                    continue
                }
                if line.token > token {
                    index.add(line.token, in: month, at: found.offset, isLost: line.isLost)
                }
            }
        }
        return index
    }

    /// The names of the files, oldest month first.
    func months() throws -> [[UInt8]] {
        let named = try files.list(directory).filter { isMonth($0.name) }
        return try named.filter { try isFile($0) }.map(\.name).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// What else has the name of a month is nobody's, and has no lines.
    private func isFile(_ entry: DirectoryEntry) throws(FileError) -> Bool {
        guard entry.kind == .unknown else { return entry.kind == .regular }
        return try files.status(at: entry.name, in: directory).kind == .regular
    }

    func open(_ month: [UInt8], at offset: Int64) throws(FileError) -> JournalFile {
        JournalFile(try files.openForReading(month, beneath: directory), files: files, at: offset)
    }

    private func lastToken(of month: [UInt8]) throws -> Int64 { try last(of: month)?.token ?? 0 }

    /// The last whole line and its token, looking back further until one is found; nil where there is none.
    private func last(of month: [UInt8]) throws -> (token: Int64, bytes: ArraySlice<UInt8>)? {
        let file = try files.openForReading(month, beneath: directory)
        let size = try files.status(of: file).byteCount
        var count: Int64 = 64 << 10
        while true {
            let tail = try readBytes(file, files: files, at: max(0, size - count), count: Int(min(count, size)))
            var end = tail.endIndex
            while end > tail.startIndex {
                // Lines may be long, and there is one that matters.
                let start = tail[..<end].lastIndex(of: newline).map { $0 + 1 } ?? tail.startIndex
                let line = tail[start..<end]
                if !line.isEmpty, let token = JournalReader.token(ofLine: line) { return (token, line) }
                end = max(tail.startIndex, start - 1)
            }
            guard count < size else { return nil }
            count *= 8
        }
    }

    /// The token that a line begins with, whole or torn; nil where it begins otherwise, as none that albumd wrote.
    func leadingToken(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let start = Array(#"{"token":"#.utf8)
        guard bytes.starts(with: start) else { return nil }
        let digits = bytes.dropFirst(start.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    /// Nil for what is no whole line: half of one, or one with another text than its sum is of.
    package static func line(_ bytes: ArraySlice<UInt8>) -> JournalLine? {
        guard LineSum(of: bytes).isGood else { return nil }
        return try? historyDecoder().decode(JournalLine.self, from: Data(bytes))
    }

    static func token(ofLine bytes: ArraySlice<UInt8>) -> Int64? {
        struct Line: Decodable { var token: Int64 }
        guard LineSum(of: bytes).isGood else { return nil }
        return try? JSONDecoder().decode(Line.self, from: Data(bytes)).token
    }
}

/// `2026-11.ndjson`, or a further part of it as `2026-11-2.ndjson`.
private func isMonth(_ name: [UInt8]) -> Bool {
    name.count >= 14 && name[4] == UInt8(ascii: "-") && name.suffix(7).elementsEqual(".ndjson".utf8)
        && (name.count == 14 || name[7] == UInt8(ascii: "-"))
}

private let newline = UInt8(ascii: "\n")
