import Glibc
import Platform

/// Puts `text` in the place of the file at `path`, mode 0600: after a crash the old bytes are there or the new.
///
/// Written beside it, synced, renamed over it, and the directory synced (rename(2), fsync(2)). One writer at a time.
func replace(_ path: [UInt8], with text: [UInt8]) throws(ConfigurationError) {
    let new = path + ".new".utf8
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let descriptor = new.withCPath { open($0, flags, 0o600) }
    guard descriptor >= 0 else { throw failure("cannot be written", new) }
    do throws(ConfigurationError) {
        try fill(descriptor, with: text, named: new)
        let moved = new.withCPath { from in path.withCPath { to in rename(from, to) } }
        guard moved == 0 else { throw failure("cannot be renamed", new) }
    } catch {
        _ = new.withCPath { unlink($0) }
        throw error
    }
    try syncDirectory(of: path)
}

private func fill(_ descriptor: Int32, with text: [UInt8], named name: [UInt8]) throws(ConfigurationError) {
    var rest = text[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else {
            let error = failure("cannot be written", name)
            close(descriptor)
            throw error
        }
        rest = rest.dropFirst(count)
    }
    let synced = fsync(descriptor)
    let error = failure("cannot be made durable", name)
    // close(2) may be the first to tell of a failed write-back.
    guard close(descriptor) == 0, synced == 0 else { throw error }
}

private func syncDirectory(of path: [UInt8]) throws(ConfigurationError) {
    let end = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let parent = end == path.startIndex ? [UInt8(ascii: "/")] : Array(path[..<end])
    let descriptor = parent.withCPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure("cannot be opened", parent) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("cannot be made durable", parent) }
}

private func failure(_ what: String, _ path: [UInt8]) -> ConfigurationError {
    var error = ConfigurationError(file: printable(path), "\(what): \(lastError())")
    error.isOfDisk = true
    return error
}
