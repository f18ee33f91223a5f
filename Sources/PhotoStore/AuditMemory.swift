import FoundationEssentials
package import PhotoModel
package import Platform

/// `verify.json`: where audits stopped, so that they go on there, and what they found of the history.
///
/// A hint: lost or torn, they begin anew.
package struct AuditMemory: Sendable, Equatable, Codable {
    /// The last original that the background has read.
    package var background: ContentHash?
    /// The last one of a `verify --deep` that was not ended.
    package var deep: ContentHash?
    /// What is not mended yet of the journal and the catalogue's history; nil where nothing is wrong.
    package var history: HistoryFindings?

    package init() {}

    private static let name = Array("verify.json".utf8)
    /// The file never changes its size, so that writing it in place cannot leave an older end.
    private static let byteCount = 512

    package static func read(from directory: LibraryDirectory, files: any FileVerbs) -> AuditMemory {
        guard let file = try? files.openForReading(name, beneath: directory.root),
            let bytes = try? readBytes(file, files: files, at: 0, count: byteCount),
            let memory = try? JSONDecoder().decode(AuditMemory.self, from: Data(bytes))
        else { return AuditMemory() }
        return memory
    }

    /// Durable only where something was found: what else a power cut takes is read once more.
    package func write(to directory: LibraryDirectory, isDurable: Bool = false, files: any FileVerbs) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var bytes = Array(try encoder.encode(self))
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: max(0, AuditMemory.byteCount - 1 - bytes.count))
        let file = try openOrCreate(AuditMemory.name, in: directory.root, files: files)
        try writeBytes(file, bytes + [UInt8(ascii: "\n")], files: files, at: 0)
        guard isDurable else { return }
        try files.sync(file)
        try files.sync(directory.root)
    }
}

/// How many changes an audit found wrong in the journal or in the catalogue's history.
package struct HistoryFindings: Sendable, Equatable, Codable {
    /// The journal has no line of them.
    package var lacking = 0
    /// One of the two sides is damaged, and the other whole.
    package var damaged = 0
    /// The sides differ, and which is right cannot be told.
    package var differing = 0
    /// The catalogue was made without them, and it is not known that no place has them; nil where there is none.
    package var lost: Int?
    /// Rows of the catalogue that are not what its history makes; nil where none was found.
    package var rows: Int?
    /// Originals of which the last repair found the bytes nowhere; nil where it found all.
    package var unmendable: Int?
    /// Changes that a repair could not write into the journal: the catalogue's line of them is damaged, too.
    package var unwritable: Int?

    package init() {}
}
