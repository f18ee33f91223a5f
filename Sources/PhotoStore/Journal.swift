import FoundationEssentials
import PhotoModel
package import Platform

/// `journal/2026-11.ndjson`: every line of the history once more, outside the catalogue, so that originals and journal
/// together rebuild it.
///
/// Append-only; a half line that a crash left is closed with a newline and never read.
///
/// Lines are taken from the history by token, so a line that could not be written is written later. Not shared:
/// whoever made it calls it.
package final class Journal {
    private let machine: Machine
    private let directory: OpenFile
    private let catalogue: Catalogue
    private var newest: Int64
    private var month: [UInt8] = []
    private var file: OpenFile?
    private var end: Int64 = 0

    /// Finds where the journal ends.
    ///
    /// `catalogue` is a connection of the journal's own.
    package init(machine: Machine, directory: OpenFile, catalogue: Catalogue) throws {
        self.machine = machine
        self.directory = directory
        self.catalogue = catalogue
        newest = try JournalReader(files: machine.files, directory: directory).lastToken()
    }

    /// Appends what the history has beyond the journal, and makes it durable.
    ///
    /// Returns the newest token journaled.
    ///
    /// Lines are appended in the order of their tokens, whatever their months: a crash leaves no gap.
    @discardableResult
    package func catchUp() throws -> Int64 {
        while true {
            var lines = try catalogue.history(after: newest, limit: 256)[...]
            guard let first = lines.first else { return newest }
            var month = monthName(first.date)
            while let last = lines.first {
                let run = lines.prefix { monthName($0.date) == month }
                try append(run.map(\.journalText), to: month)
                newest = run.last?.token ?? last.token
                lines = lines.dropFirst(run.count)
                month = lines.first.map { monthName($0.date) } ?? month
            }
        }
    }

    /// Writes changes once more that the files have lost, as far as the history has them.
    ///
    /// The newest follows them again, so that a file still ends with its newest token. A reader takes each once, and in
    /// the order of their tokens. Returns how many were written.
    package func restore(_ gaps: [ClosedRange<Int64>]) throws -> Int {
        guard let end = try newestLine(isRestored: gaps.contains { $0.contains(newest) }) else { return 0 }
        // Somebody may have cut it shorter: it is looked at again where it ends.
        file = nil
        var count = 0
        for gap in gaps {
            var last = gap.lowerBound - 1
            while true {
                let lines = try catalogue.history(after: last, limit: 256).prefix { $0.token <= gap.upperBound }
                guard let token = lines.last?.token else { break }
                try append(lines.map(\.vouchedText) + (token == newest ? [] : [end.text]), to: monthName(end.date))
                (last, count) = (token, count + lines.count)
            }
        }
        return count
    }

    /// As the journal has it: where the history differs there, that is a fault of its own.
    ///
    /// As the history has it where it is to be restored itself, or somebody cut it off.
    private func newestLine(isRestored: Bool) throws -> (text: String, date: Date)? {
        let found = try JournalReader(files: machine.files, directory: directory).newestBytes()
        if !isRestored, let found, found.token == newest, let line = JournalReader.line(found.bytes) {
            return (String(decoding: found.bytes, as: UTF8.self), line.date)
        }
        return try catalogue.historyLine(newest).map { ($0.vouchedText, $0.date) }
    }

    /// What could not be synced is blanked out: another start would read there what the disk never got, and take it for
    /// journaled.
    ///
    /// Nothing more is written to such a file (RULES R10).
    private func append(_ lines: [String], to month: [UInt8]) throws {
        let file = try open(month)
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        let half = bytes.count / 2
        try writeBytes(file, Array(bytes[..<half]), files: machine.files, at: end)
        try machine.reach(.journalHalfLine)
        try writeBytes(file, Array(bytes[half...]), files: machine.files, at: end + Int64(half))
        do throws(FileError) {
            try machine.files.sync(file)
        } catch {
            self.file = nil
            try writeBytes(file, [UInt8](repeating: newline, count: bytes.count + 1), files: machine.files, at: end)
            throw error
        }
        end += Int64(bytes.count)
        try machine.reach(.journalAppended)
    }

    private func open(_ month: [UInt8]) throws(FileError) -> OpenFile {
        if let file, self.month == month { return file }
        let opened = try openUsablePart(of: month)
        var size = try machine.files.status(of: opened).byteCount
        if size > 0, try readBytes(opened, files: machine.files, at: size - 1, count: 1) != [newline] {
            try writeBytes(opened, [newline], files: machine.files, at: size)
            size += 1
        }
        (file, self.month, end) = (opened, month, size)
        return opened
    }

    private func openUsablePart(of month: [UInt8]) throws(FileError) -> OpenFile {
        var number = 1
        while true {
            if let opened = try openPart(number, of: month), try !isBlankedOut(opened) { return opened }
            number += 1
        }
    }

    /// `2026-11.ndjson`, then `2026-11-2.ndjson` and so on, where a disk failed; nil where the name is no file's.
    private func openPart(_ number: Int, of month: [UInt8]) throws(FileError) -> OpenFile? {
        let name = month + Array((number == 1 ? ".ndjson" : "-\(number).ndjson").utf8)
        let kind = try machine.files.statusIfPresent(at: name, in: directory)?.kind ?? .regular
        guard kind == .regular else { return nil }
        let opened = try openOrCreate(name, in: directory, files: machine.files)
        try syncName(name, of: opened, in: directory, files: machine.files)
        return opened
    }

    /// Two empty lines end it: no line is empty else.
    private func isBlankedOut(_ file: OpenFile) throws(FileError) -> Bool {
        let size = try machine.files.status(of: file).byteCount
        guard size >= 2 else { return false }
        return try readBytes(file, files: machine.files, at: size - 2, count: 2) == [newline, newline]
    }

    private func monthName(_ date: Date) -> [UInt8] { Array(date.rfc3339.prefix(7).utf8) }
}

private let newline = UInt8(ascii: "\n")
