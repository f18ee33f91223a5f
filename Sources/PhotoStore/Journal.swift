import FoundationEssentials
import PhotoModel
package import Platform
import Synchronization

/// `journal/2026-11.ndjson`: every line of the history once more, outside the catalogue, so that originals and
/// journal together rebuild it.
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
        newest = 0
        newest = try lastToken()
    }

    /// Appends what the history has beyond the journal, and makes it durable.
    ///
    /// Returns the newest token journaled.
    @discardableResult
    package func catchUp() throws -> Int64 {
        while true {
            let lines = try catalogue.history(after: newest, limit: 256)
            guard let last = lines.last else { return newest }
            for (month, lines) in Dictionary(grouping: lines, by: { monthName($0.date) }).sorted(by: { $0.key < $1.key }
            ) {
                try append(lines, to: Array(month.utf8))
            }
            newest = last.token
        }
    }

    private func append(_ lines: [HistoryLine], to name: [UInt8]) throws {
        let file = try open(name)
        let bytes = Array(lines.map { $0.json + "\n" }.joined().utf8)
        try machine.reach(.journalHalfLine)
        try writeBytes(file, bytes, files: machine.files, at: end)
        try machine.files.sync(file)
        end += Int64(bytes.count)
        try machine.reach(.journalAppended)
    }

    private func open(_ name: [UInt8]) throws(FileError) -> OpenFile {
        if let file, month == name { return file }
        let opened = try openOrCreate(name, in: directory, files: machine.files)
        try machine.files.sync(directory)
        end = try machine.files.status(of: opened).byteCount
        if end > 0, try readTail(opened, count: 1) != [newline] {
            try writeBytes(opened, [newline], files: machine.files, at: end)
            end += 1
        }
        (file, month) = (opened, name)
        return opened
    }

    private func lastToken() throws -> Int64 {
        let names = try machine.files.list(directory).map(\.name).filter { $0.count == 14 }
        for name in names.sorted(by: { $1.lexicographicallyPrecedes($0) }) {
            let file = try machine.files.openForReading(name, beneath: directory)
            if let token = try lastToken(in: file) { return token }
        }
        return 0
    }

    /// The token of the last whole line, looking back further until one is found.
    private func lastToken(in file: OpenFile) throws -> Int64? {
        let size = try machine.files.status(of: file).byteCount
        var count: Int64 = 64 << 10
        while true {
            let tail = try readTail(file, count: min(count, size))
            let lines = tail.split(separator: newline)
            if let token = lines.reversed().lazy.compactMap(Journal.token).first { return token }
            guard count < size else { return nil }
            count *= 8
        }
    }

    private func readTail(_ file: OpenFile, count: Int64) throws(FileError) -> [UInt8] {
        let size = try machine.files.status(of: file).byteCount
        return try readBytes(file, files: machine.files, at: size - count, count: Int(count))
    }

    private static func token(ofLine line: ArraySlice<UInt8>) -> Int64? {
        struct Line: Decodable { var token: Int64 }
        return try? JSONDecoder().decode(Line.self, from: Data(line)).token
    }

    private func monthName(_ date: Date) -> String { date.rfc3339.prefix(7) + ".ndjson" }
}

private let newline = UInt8(ascii: "\n")
