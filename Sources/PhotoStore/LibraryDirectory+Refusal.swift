import Platform
import SQLite

/// Why a library takes no writes: each refusal has a name, and what mends it.
extension LibraryDirectory {
    /// Tells a file system that is read-only (RULES R12) from a directory that albumd may not write in.
    static func tellingOfRefusal<Value>(
        _ path: [UInt8], files: any FileVerbs, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as FileError where error.isReadOnly {
            throw LibraryError.fileSystemReadOnly(path: display(path))
        } catch let error as FileError where error.isPermission {
            throw LibraryError.notPermitted(path: display(path), why: error.description)
        } catch let error as DatabaseError where error.isReadOnly || error.isUnopened {
            if let why = whatIsClosed(path, files: files) {
                throw LibraryError.notPermitted(path: display(path), why: why)
            }
            guard error.isReadOnly else { throw error }
            throw LibraryError.fileSystemReadOnly(path: display(path))
        }
    }

    /// What of it its owner may not write, where its file system could be; SQLite says no more than that it cannot.
    private static func whatIsClosed(_ path: [UInt8], files: any FileVerbs) -> String? {
        // What cannot be looked at says nothing.
        guard let root = try? files.openDirectory(path), let facts = try? files.fileSystem(of: root), !facts.isReadOnly
        else { return nil }
        if let status = try? files.status(of: root), status.mode & 0o300 != 0o300 {
            return "its mode is \(String(status.mode & 0o777, radix: 8))"
        }
        let names = ["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm"]
        let closed = names.first { name in
            let status = try? files.status(at: Array(name.utf8), in: root)
            return status.map { $0.mode & 0o600 != 0o600 } ?? false
        }
        return closed.map { "\($0) has a mode that forbids it" }
    }
}
