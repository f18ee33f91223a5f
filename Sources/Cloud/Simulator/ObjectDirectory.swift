import FoundationEssentials
import Glibc
import PhotoModel
import Platform

/// The files of the simulated store.
///
/// `objects/<key>/@<version>`, and `uploads/<uuid>` for what is on its way. A part of a key has no `@`, so an object can lie
/// below another. What others put there, as a NAS does (`@eaDir`, `.DS_Store`, `.nfs…`), is passed over.
struct ObjectDirectory: Sendable {
    struct Upload: Sendable {
        var name: [UInt8]
        var file: OpenFile
    }

    private let machine: Machine
    private let objects: OpenFile
    private let uploads: OpenFile
    private var files: any FileVerbs { machine.files }

    init(in root: OpenFile, machine: Machine) throws(FileError) {
        self.machine = machine
        objects = try openOrMake(Array("objects".utf8), in: root, files: machine.files)
        uploads = try openOrMake(Array("uploads".utf8), in: root, files: machine.files)
        try machine.files.sync(root)
        // What a crash left half-way was never acknowledged.
        for entry in try machine.files.list(uploads) {
            _ = try unlinkLeftover(entry, in: uploads, files: machine.files)
        }
    }

    func beginUpload() throws(FileError) -> Upload {
        let name = Array(machine.makeUUID().uuidString.utf8)
        return Upload(name: name, file: try files.create(name, in: uploads))
    }

    func abandon(_ upload: Upload) { try? files.unlink(upload.name, in: uploads) }

    /// Makes an upload the newest version, durably.
    func finish(
        _ upload: Upload, as key: ObjectKey, isReplacing: Bool
    ) throws(FileError) -> (versionID: String, byteCount: Int64, freed: Int64) {
        try files.sync(upload.file)
        let byteCount = try files.status(of: upload.file).byteCount
        let directory = try makeDirectories(Array(key.text.utf8))
        let before = try versions(in: directory)
        let number = (before.last.flatMap(ObjectDirectory.number) ?? 0) + 1
        let name = ObjectDirectory.name(number)
        try files.rename(upload.name, in: uploads, to: name, in: directory)
        do throws(FileError) {
            try files.sync(directory)
        } catch {
            // A name that is not durable would be found there, and taken for a proof.
            try files.unlink(name, in: directory)
            throw error
        }
        let freed = isReplacing ? try remove(before, of: directory) : 0
        return (String(decoding: name.dropFirst(), as: UTF8.self), byteCount, freed)
    }

    /// Nil where there is no such object.
    func newest(_ key: ObjectKey) throws(FileError) -> StoredObject? {
        guard let directory = try directory(of: key), let name = try versions(in: directory).last else { return nil }
        let file = try files.openForReading(name, beneath: directory)
        return StoredObject(
            key: key, name: name, file: file, status: try files.status(of: file), files: files)
    }

    /// Removes all versions and returns how many bytes they had.
    func remove(_ key: ObjectKey) throws(FileError) -> Int64 {
        guard let directory = try directory(of: key) else { return 0 }
        return try remove(try versions(in: directory), of: directory)
    }

    func flipBit(of key: ObjectKey) throws(FileError) -> Bool {
        guard let directory = try directory(of: key), let name = try versions(in: directory).last else { return false }
        let file = try files.openForUpdating(name, in: directory)
        let place = try files.status(of: file).byteCount / 2
        let byte = try readBytes(file, files: files, at: place, count: 1)
        guard let first = byte.first else { return false }
        try writeBytes(file, [first ^ 1], files: files, at: place)
        try files.sync(file)
        return true
    }

    /// Every key with a version that begins so, in the order of their bytes.
    func keys(below prefix: String) throws(FileError) -> [ObjectKey] {
        var found: [ObjectKey] = []
        // Only below what the prefix names whole: a library has a million originals beside its history.
        let parts = prefix.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast()
        try walk(below: Array(parts.joined(separator: [UInt8(ascii: "/")]))) { (path, names) in
            guard !names.isEmpty, let key = ObjectKey(String(decoding: path, as: UTF8.self)) else { return }
            if key.text.utf8.starts(with: prefix.utf8) { found.append(key) }
        }
        return found.sorted()
    }

    func usedBytes() throws(FileError) -> Int64 {
        var paths: [[UInt8]] = []
        try walk { (path, names) in paths += names.map { path + [UInt8(ascii: "/")] + $0 } }
        var sum: Int64 = 0
        for path in paths { sum += try files.status(at: path, in: objects).byteCount }
        return sum
    }

    private func remove(_ names: [[UInt8]], of directory: OpenFile) throws(FileError) -> Int64 {
        var freed: Int64 = 0
        for name in names {
            freed += try files.status(at: name, in: directory).byteCount
            try files.unlink(name, in: directory)
        }
        try files.sync(directory)
        return freed
    }

    private func versions(in directory: OpenFile) throws(FileError) -> [[UInt8]] {
        try files.list(directory).map(\.name).filter(ObjectDirectory.isVersion)
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func directory(of key: ObjectKey) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            return try files.openDirectory(Array(key.text.utf8), beneath: objects)
        } catch  where error.isAbsence {
            return nil
        }
    }

    private func makeDirectories(_ path: [UInt8]) throws(FileError) -> OpenFile {
        var directory = objects
        for part in path.split(separator: UInt8(ascii: "/")).map(Array.init) {
            try makeDirectory(part, in: directory)
            directory = try files.openDirectory(part, beneath: directory)
        }
        return directory
    }

    /// One that is there is durable: so none may stay whose sync failed.
    private func makeDirectory(_ name: [UInt8], in directory: OpenFile) throws(FileError) {
        do throws(FileError) {
            try files.makeDirectory(name, in: directory)
        } catch  where error.isExistence {
            return
        }
        do throws(FileError) {
            try files.sync(directory)
        } catch {
            try files.removeDirectory(name, in: directory)
            throw error
        }
    }

    /// Calls with each directory's path, and the names of the versions in it; of one that is not there with none.
    private func walk(
        below top: [UInt8] = [], _ visit: (_ path: [UInt8], _ versions: [[UInt8]]) -> Void
    ) throws(FileError) {
        var waiting: [[UInt8]] = [top]
        do throws(FileError) {
            if !top.isEmpty { _ = try files.openDirectory(top, beneath: objects) }
        } catch  where error.isAbsence {
            return
        }
        while let path = waiting.popLast() {
            guard let directory = try openIfDirectory(path) else { continue }
            let entries = try files.list(directory)
            visit(path, entries.map(\.name).filter(ObjectDirectory.isVersion))
            waiting += entries.filter(\.mayBePartOfKey)
                .map { path.isEmpty ? $0.name : path + [UInt8(ascii: "/")] + $0.name }
        }
    }

    private func openIfDirectory(_ path: [UInt8]) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            return try files.openDirectory(path, beneath: objects)
        } catch  where error.code == ENOTDIR {
            return nil
        }
    }

    private static func isVersion(_ name: [UInt8]) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return name.first == UInt8(ascii: "@") && name.count > 8 && name.dropFirst().allSatisfy(digits.contains)
    }

    private static func name(_ number: Int) -> [UInt8] {
        let digits = String(number)
        return Array(("@" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits).utf8)
    }

    private static func number(_ name: [UInt8]) -> Int? { Int(String(decoding: name.dropFirst(), as: UTF8.self)) }
}

extension DirectoryEntry {
    fileprivate var mayBePartOfKey: Bool {
        (kind == .directory || kind == .unknown) && ObjectKey(String(decoding: name, as: UTF8.self)) != nil
    }
}

/// A version of an object, open.
struct StoredObject {
    let key: ObjectKey
    let name: [UInt8]
    let file: OpenFile
    let status: FileStatus
    let files: any FileVerbs

    var byteCount: Int64 { status.byteCount }

    /// The hash is that of the bytes as they are now: an engine that checks them.
    func facts(hashing: Bool) throws(FileError) -> ObjectFacts {
        ObjectFacts(
            key: key, byteCount: byteCount,
            sha256: hashing ? ContentHash(bytes: try ContentHasher.hash(file: file, files: files)) : nil,
            versionID: String(decoding: name.dropFirst(), as: UTF8.self),
            storedDate: Date(timeIntervalSince1970: Double(status.modified) / 1e9))
    }
}
