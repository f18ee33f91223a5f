package import Platform
import SQLite
import Synchronization

/// The catalogue's tables held against those that its history makes of an empty catalogue, by the code of a rebuild, in
/// steps that their asker pulls.
///
/// What the history makes is a file in the library's directory, which goes with this, or at the next start.
package final class TableAudit: Sendable {
    /// What a step came to.
    package enum Step: Sendable, Equatable {
        /// So many changes were made again, of how many; so many bytes were read for it since the last step.
        case going(replayed: Int64, of: Int64, byteCount: Int)
        /// Rows that differ, `limit` at most.
        case compared([TableDifference])
        /// Why nothing is known: what is lost cannot be made again.
        case notComparable(String)
    }

    /// More is not told: a catalogue with so much is to be made anew whatever else there is.
    package static let limit = 20

    private let directory: LibraryDirectory
    private let machine: Machine
    private let comparison: Mutex<TableComparison?>

    /// Blocks.
    ///
    /// What stands in the way of its file, a crash left.
    package init(of directory: LibraryDirectory, machine: Machine, vfs: String? = nil) throws {
        (self.directory, self.machine) = (directory, machine)
        try directory.removeMadeCatalogue(files: machine.files)
        // SQLite would make it readable to others; closed before SQLite opens it, for closing it would end its locks.
        _ = try machine.files.create(LibraryDirectory.madeName, in: directory.root)
        comparison = Mutex(
            try TableComparison(of: directory.cataloguePath, with: directory.madePath, vfs: vfs))
    }

    deinit {
        comparison.withLock { $0?.close() }
        // Where it cannot be removed, the next start does.
        try? directory.removeMadeCatalogue(files: machine.files)
    }

    /// The next step; blocks.
    ///
    /// After the last one nothing differs.
    package func advance() throws -> Step {
        try comparison.withLock { comparison in
            let step = try next(&comparison)
            if case .going = step { return step }
            comparison?.close()
            comparison = nil
            return step
        }
    }

    private func next(_ comparison: inout TableComparison?) throws -> Step {
        do {
            guard let isBegun = comparison?.isBegun else { return .compared([]) }
            if !isBegun, let why = try obstacle(comparison?.reader) { return .notComparable(why) }
            return try comparison?.advance() ?? .compared([])
        } catch LibraryError.journalUnfit(let token, let why) {
            return .notComparable("change \(token) does not follow from those before it: \(why)")
        } catch LibraryError.journalIncomplete(let token) {
            return .notComparable("change \(token - 1) is not there")
        } catch let error as DatabaseError where error.isFull {
            return .notComparable(TableAudit.noRoom)
        }
    }

    private static let noRoom = "the disk has no room for a second catalogue"

    private func obstacle(_ reader: Catalogue?) throws -> String? {
        let lost = try reader?.lostChangeCount() ?? 0
        guard lost == 0 else { return "\(counted(lost, "change", one: "is", many: "are")) lost" }
        return try directory.hasRoomForSnapshot(machine) ? nil : TableAudit.noRoom
    }
}

extension LibraryDirectory {
    fileprivate static let madeName = Array("catalogue.replayed.sqlite".utf8)

    fileprivate var madePath: String {
        "\(LibraryDirectory.display(path))/\(String(decoding: LibraryDirectory.madeName, as: UTF8.self))"
    }

    /// What a verification made of the history, or a crash left of that.
    func removeMadeCatalogue(files: any FileVerbs) throws(FileError) {
        try removeDatabase(LibraryDirectory.madeName, in: root, files: files)
    }
}
