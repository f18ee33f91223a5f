import Glibc
import Platform

extension Configuration {
    /// Reads the file that `--config` named, or the default one.
    ///
    /// A default file that is absent means the defaults; a named one must be there.
    package static func load(
        _ named: [UInt8]?, at places: ConfigurationPlaces
    ) throws(ConfigurationError) -> Configuration {
        let path = named ?? places.file
        guard let text = try trustedText(of: path) else {
            guard named == nil else { throw ConfigurationError(file: printable(path), "there is no such file") }
            return Configuration(at: places)
        }
        return try Configuration(parsing: text, file: printable(path), at: places)
    }
}

/// The bytes of a file that may command the daemon; nil where there is none (RULES S11).
///
/// Refused are a file that others can write, or that belongs neither to root nor to this process's user, and what is
/// no regular file of at most 1 MiB. A symlink is followed: what it leads to is judged.
func trustedText(of path: [UInt8]) throws(ConfigurationError) -> [UInt8]? {
    let name = printable(path)
    // O_NONBLOCK: opening a FIFO must not wait for a writer (open(2)).
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else {
        if errno == ENOENT { return nil }
        throw ConfigurationError(file: name, "cannot be opened: \(lastError())")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw ConfigurationError(file: name, "fstat: \(lastError())") }
    if let why = distrust(status, path) { throw ConfigurationError(file: name, why) }
    return try wholeText(of: descriptor, name)
}

private let largestFile = 1 << 20

private func distrust(_ status: stat, _ path: [UInt8]) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG else { return "is no regular file" }
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
        return "belongs to user \(status.st_uid); it must belong to root or to user \(geteuid()), as which albumd runs"
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
        return "can be written by others, who could so command albumd; mend it with: "
            + "chmod go-w \(shellWord(path: path))"
    }
    return status.st_size > largestFile ? "is larger than 1 MiB" : nil
}

private func wholeText(of descriptor: Int32, _ name: String) throws(ConfigurationError) -> [UInt8] {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while text.count <= largestFile {
        let count = read(descriptor, &chunk, chunk.count)
        if count == 0 { return text }
        guard count > 0 else { throw ConfigurationError(file: name, "cannot be read: \(lastError())") }
        text += chunk[..<count]
    }
    throw ConfigurationError(file: name, "is larger than 1 MiB")
}

/// What errno says, in words.
func lastError() -> String { String(cString: strerror(errno)) }

extension [UInt8] {
    /// Lends the path to a C call, ended by a zero byte.
    func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                guard let start = chars.baseAddress else {
                    preconditionFailure("an array with an element has an address")
                }
                return body(start)
            }
        }
    }
}
