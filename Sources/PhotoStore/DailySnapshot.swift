package import FoundationEssentials
package import PhotoModel
package import Platform
import SQLite

/// A daily snapshot of the catalogue as a file that can be copied elsewhere.
package struct DailySnapshot: Sendable {
    /// The newest change that it has.
    package let token: Int64
    package let file: OpenFile
    package let byteCount: Int64
    package let sha256: ContentHash
}

extension LibraryDirectory {
    /// The snapshot that was made then, read once for its hash.
    ///
    /// Blocks for as long as reading it takes; nil where it has gone since.
    package func dailySnapshot(of date: Date, machine: Machine) throws -> DailySnapshot? {
        let name = SnapshotPlan.name(at: date)
        guard try machine.files.statusIfPresent(at: name, in: snapshots) != nil else { return nil }
        let path = "\(LibraryDirectory.display(self.path))/snapshots/\(String(decoding: name, as: UTF8.self))"
        let catalogue = try Catalogue.openForReading(at: path)
        defer { catalogue.close() }
        let token = try catalogue.lastToken()
        let file = try machine.files.openForReading(name, beneath: snapshots)
        let byteCount = try machine.files.status(of: file).byteCount
        guard let hash = try originals.hash(of: file, pace: { _ in true }) else { return nil }
        return DailySnapshot(token: token, file: file, byteCount: byteCount, sha256: hash)
    }

    /// Whether the snapshot that was made then is here, with these bytes.
    package func hasSnapshot(of date: Date, with sha256: ContentHash, machine: Machine) throws -> Bool {
        let name = SnapshotPlan.name(at: date)
        guard try machine.files.statusIfPresent(at: name, in: snapshots) != nil else { return false }
        let file = try machine.files.openForReading(name, beneath: snapshots)
        return try originals.hash(of: file, pace: { _ in true }) == sha256
    }

    /// Writes a snapshot that comes from elsewhere, and gives it its name when all of it is durable.
    ///
    /// `fill` hands the bytes to what it is given, in order, and says whether they are the right ones: where not, nothing
    /// is kept. The same for what it throws.
    package func restoreSnapshot(
        of date: Date, machine: Machine,
        _ fill: (_ write: (UnsafeRawBufferPointer) throws(FileError) -> Void) throws -> Bool
    ) throws -> Bool {
        let files = machine.files
        let name = SnapshotPlan.name(at: date)
        let fresh = name + Array(".new".utf8)
        try removeDatabase(fresh, in: snapshots, files: files)
        let file = try files.create(fresh, in: snapshots)
        var end: Int64 = 0
        do {
            let isRight = try fill { (bytes) throws(FileError) in
                try files.write(file, bytes, at: end)
                end += Int64(bytes.count)
            }
            guard isRight else {
                try removeDatabase(fresh, in: snapshots, files: files)
                return false
            }
            try files.sync(file)
            // From a restore that was not ended.
            try removeDatabase(name, in: snapshots, files: files)
            try files.rename(fresh, in: snapshots, to: name, in: snapshots)
            try files.sync(snapshots)
            return true
        } catch {
            // Where it cannot be removed, the next try does.
            try? removeDatabase(fresh, in: snapshots, files: files)
            throw error
        }
    }
}
