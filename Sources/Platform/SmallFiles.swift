import Glibc

/// Reads at most `count` bytes from `offset`; fewer at the end of the file.
///
/// For small files of our own.
package func readBytes(
    _ file: OpenFile, files: any FileVerbs, at offset: Int64, count: Int
) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        do throws(FileError) {
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let read = try files.read(file, into: rest, at: offset + Int64(filled))
                if read == 0 { return }
                filled += read
            }
        } catch {
            failure = error
        }
    }
    if let failure { throw failure }
    return bytes
}

package func writeBytes(_ file: OpenFile, _ bytes: [UInt8], files: any FileVerbs, at offset: Int64) throws(FileError) {
    let result: Result<Void, FileError> = bytes.withUnsafeBytes { buffer in
        do throws(FileError) {
            return .success(try files.write(file, buffer, at: offset))
        } catch {
            return .failure(error)
        }
    }
    try result.get()
}

package func openOrCreate(_ name: [UInt8], in directory: OpenFile, files: any FileVerbs) throws(FileError) -> OpenFile {
    do throws(FileError) {
        return try files.create(name, in: directory)
    } catch  where error.isExistence {
        return try files.openForUpdating(name, in: directory)
    }
}

/// Makes the name of an empty file durable.
///
/// Where that fails the name is removed again: who found it later would take it for durable (RULES R10).
package func syncName(
    _ name: [UInt8], of file: OpenFile, in directory: OpenFile, files: any FileVerbs
) throws(FileError) {
    do throws(FileError) {
        try files.sync(directory)
    } catch {
        if try files.status(of: file).byteCount == 0 { try files.unlink(name, in: directory) }
        throw error
    }
}

package func openOrMake(_ name: [UInt8], in directory: OpenFile, files: any FileVerbs) throws(FileError) -> OpenFile {
    do throws(FileError) {
        try files.makeDirectory(name, in: directory)
    } catch  where error.isExistence {
        // It is there: all that was wanted.
    }
    return try files.openDirectory(name, beneath: directory)
}

/// Unlinks what a crash left of a file of ours; false for a directory, which is somebody else's.
///
/// Where the listing does not say which it is, unlink(2) does: EISDIR.
package func unlinkLeftover(
    _ entry: DirectoryEntry, in directory: OpenFile, files: any FileVerbs
) throws(FileError) -> Bool {
    guard entry.kind != .directory else { return false }
    do throws(FileError) {
        try files.unlink(entry.name, in: directory)
        return true
    } catch  where error.code == EISDIR {
        return false
    }
}
