import EngineSupport
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport

/// What befalls an original on its disk; no file of a folder is ever touched by it.
enum Damage: String, Sendable, CaseIterable {
    /// Somebody writes another byte: times tell of it.
    case overwritten
    /// The disk gives another byte: nothing tells of it.
    case rotten
    case shortened
    case lost
}

/// What the simulation broke of the library and nobody has mended yet.
struct DamageDone {
    /// Contents whose local bytes are not there: exempt from I1 until they come back.
    var originals: Set<ContentHash> = []
    /// Whether a line of the journal, or of the history, is damaged: one of both at a time, as each is mended from the
    /// other.
    var isJournalDamaged = false
    var isHistoryDamaged = false

    var isAny: Bool { !originals.isEmpty || isJournalDamaged || isHistoryDamaged }
}

/// Disks break and people tidy up where they should not.
extension World {
    func damageOriginal(_ number: Int, _ damage: Damage) throws {
        guard !isDown, let content = try localContent(number) else { return }
        try self.damage(content, damage, number)
    }

    func localContent(_ number: Int) throws -> Content? {
        let versions = try bench.catalogue().contents(after: nil, limit: .max).filter { $0.residency != .inCloud }
        return versions.isEmpty ? nil : versions[number % versions.count].content
    }

    func damage(_ content: Content, _ damage: Damage, _ number: Int) throws {
        let path = path(of: content)
        // What is damaged already stays as it is.
        guard stored(content) == .sound, var bytes = try? bench.program.read(path.bytes) else { return }
        let place = number % bytes.count
        switch damage {
        case .overwritten:
            bytes[place] ^= 1
            try withRoom { try bench.program.write(path.bytes, bytes) }
        case .rotten: try bench.simulation.files.rot(at: path.bytes, byte: place)
        case .shortened: try withRoom { try bench.program.write(path.bytes, Array(bytes.prefix(place))) }
        case .lost: try bench.program.unlink(path.bytes)
        }
        self.damage.originals.insert(content.hash)
        trace.note("  \(content.hash.hexadecimal)")
    }

    func path(of content: Content) -> PathBytes { PathBytes(bench.libraryPath).appending(content.path.bytes) }

    /// What is on the disk, told by nobody but the disk.
    func stored(_ content: Content) -> Condition {
        guard let bytes = try? bench.program.read(path(of: content).bytes) else { return .missing }
        return SampleMedia.hash(bytes) == content.hash ? .sound : .corrupt
    }

    /// A line of the journal is cut out, or made unreadable, or says less than it did; the last one is left to crashes.
    func damageJournal(_ number: Int) throws {
        guard !isDown, !damage.isHistoryDamaged, let journal = try journalFiles().first else { return }
        var lines = try bench.program.read(journal.bytes).split(separator: newline, omittingEmptySubsequences: false)
            .map(Array.init)
        let whole = lines.indices.filter { lines[$0].first == UInt8(ascii: "{") }.dropLast()
        guard !whole.isEmpty else { return }
        let index = whole[whole.startIndex + number % whole.count]
        switch number % 3 {
        case 0: lines.remove(at: index)
        case 1: lines[index][lines[index].count / 2] ^= 0x80
        default:
            lines[index] = Array(
                String(decoding: lines[index], as: UTF8.self).replacing("\"handle\"", with: "\"hanxle\"").utf8)
        }
        try withRoom { try bench.program.write(journal.bytes, Array(lines.joined(separator: [newline]))) }
        damage.isJournalDamaged = true
    }

    private func journalFiles() throws -> [PathBytes] {
        let directory = PathBytes(bench.libraryPath).appending(Array("journal".utf8))
        let opened = try bench.machine.files.openDirectory(directory.bytes)
        return try bench.machine.files.list(opened).map { directory.appending($0.name) }.sorted()
    }

    /// A change in the catalogue says something else than was committed; what is not journaled yet is left alone.
    func damageHistory(_ number: Int) throws {
        guard !isDown, !damage.isJournalDamaged, try engineRuns({}) else { return }
        let newest = try bench.catalogue().lastToken()
        guard newest > 1 else { return }
        let words =
            number.isMultiple(of: 2) ? ("\"localIdentifier\"", "\"localIdentifxer\"") : ("\"handle\"", "\"hanxle\"")
        let path = String(decoding: bench.libraryPath, as: UTF8.self) + "/catalogue.sqlite"
        let connection = try Connection(path: path, mode: .readWrite, vfs: bench.vfsName)
        defer { connection.close() }
        try connection.run(
            "UPDATE history SET changes = replace(changes, ?, ?) WHERE token = ?", .text(words.0), .text(words.1),
            .integer(1 + Int64(number) % (newest - 1)))
        damage.isHistoryDamaged = true
    }
}

private let newline = UInt8(ascii: "\n")
