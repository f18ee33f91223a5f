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
                try append(run, to: month)
                newest = run.last?.token ?? last.token
                lines = lines.dropFirst(run.count)
                month = lines.first.map { monthName($0.date) } ?? month
            }
        }
    }

    /// After an error the same bytes are written again at the same place: they are dirty then, and the next sync is
    /// about them and not about those that were lost.
    private func append(_ lines: ArraySlice<HistoryLine>, to month: [UInt8]) throws {
        let file = try open(month)
        let bytes = Array(lines.map { $0.json + "\n" }.joined().utf8)
        let half = bytes.count / 2
        try writeBytes(file, Array(bytes[..<half]), files: machine.files, at: end)
        try machine.reach(.journalHalfLine)
        try writeBytes(file, Array(bytes[half...]), files: machine.files, at: end + Int64(half))
        try machine.files.sync(file)
        end += Int64(bytes.count)
        try machine.reach(.journalAppended)
    }

    private func open(_ name: [UInt8]) throws(FileError) -> OpenFile {
        if let file, month == name { return file }
        let opened = try openOrCreate(name, in: directory, files: machine.files)
        try machine.files.sync(directory)
        var size = try machine.files.status(of: opened).byteCount
        if size > 0, try readBytes(opened, files: machine.files, at: size - 1, count: 1) != [newline] {
            try writeBytes(opened, [newline], files: machine.files, at: size)
            size += 1
        }
        (file, month, end) = (opened, name, size)
        return opened
    }

    private func monthName(_ date: Date) -> [UInt8] { Array((date.rfc3339.prefix(7) + ".ndjson").utf8) }
}

private let newline = UInt8(ascii: "\n")
