package import FoundationEssentials
import PhotoModel
package import Platform
import SQLite

/// Copies of the catalogue in `snapshots/` (RULES R49): whole, checked and durable before they have their name.
extension LibraryDirectory {
    /// When the newest daily snapshot was made, by its name; nil where there is none.
    package func newestSnapshot(files: any FileVerbs) throws(FileError) -> Date? {
        try files.list(snapshots).map(\.name).compactMap(SnapshotPlan.date).max()
    }

    /// Makes the snapshot of the day where it is due, and removes those that are one too many.
    ///
    /// False where it is not due, or where the disk has no room above its reserve. Throws `catalogueDamaged` where the
    /// copy, and so the catalogue, is not sound.
    @discardableResult
    package func keepSnapshots(of catalogue: Catalogue, machine: Machine) throws -> Bool {
        let names = try machine.files.list(snapshots).map(\.name)
        let now = machine.now()
        guard SnapshotPlan(names: names, now: now).isDue, try hasRoomForSnapshot(machine) else { return false }
        let name = SnapshotPlan.name(at: now)
        try copyCatalogue(catalogue.connection, to: name, machine: machine)
        for old in SnapshotPlan(names: names + [name], now: now).superfluous {
            try machine.files.unlink(old, in: snapshots)
        }
        try machine.files.sync(snapshots)
        return true
    }

    /// Copies under another name, checks the copy, then renames it: the newest file of snapshots/ is always good.
    func copyCatalogue(_ connection: Connection, to name: [UInt8], machine: Machine) throws {
        let files = machine.files
        let fresh = name + Array(".new".utf8)
        try removeDatabase(fresh, in: snapshots, files: files)
        // SQLite would make it readable to others.
        _ = try files.create(fresh, in: snapshots)
        let path = "\(LibraryDirectory.display(self.path))/snapshots/\(String(decoding: fresh, as: UTF8.self))"
        try connection.backup(to: path)
        let copy = Catalogue(try Connection(path: path, mode: .readOnly, vfs: connection.vfs))
        let findings = try copy.integrityFindings()
        copy.close()
        guard findings.isEmpty else {
            try removeDatabase(fresh, in: snapshots, files: files)
            throw LibraryError.catalogueDamaged(path: LibraryDirectory.display(self.path), findings: findings)
        }
        try files.rename(fresh, in: snapshots, to: name, in: snapshots)
        try files.sync(snapshots)
    }

    /// Whether a second catalogue leaves the disk its reserve.
    func hasRoomForSnapshot(_ machine: Machine) throws -> Bool {
        let facts = try machine.files.fileSystem(of: snapshots)
        let size = try ["catalogue.sqlite", "catalogue.sqlite-wal"].reduce(Int64(0)) { sum, name in
            sum + (try machine.files.statusIfPresent(at: Array(name.utf8), in: root)?.byteCount ?? 0)
        }
        return facts.freeBytes - size >= Originals.reserve(of: facts)
    }

    /// Removes a database that nobody has open, with what a crash left beside it.
    func removeDatabase(_ name: [UInt8], in directory: OpenFile, files: any FileVerbs) throws(FileError) {
        for suffix in ["-journal", "-wal", "-shm", ""] {
            do throws(FileError) {
                try files.unlink(name + Array(suffix.utf8), in: directory)
            } catch  where error.isAbsence {
                // The usual case: nothing was left.
            }
        }
    }
}
