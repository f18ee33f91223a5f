import Control
import Glibc
import PhotoModel
import Platform

/// A path argument as the daemon knows it: its directory resolved by realpath(3), its last component kept.
///
/// The last component may be gone, or a symlink that is meant itself. Where the directory is gone too, what is left
/// of it is resolved and the rest kept, for a mapping outlives its file.
func absolutePath(_ argument: [UInt8]) throws(Problem) -> PathBytes {
    guard !argument.isEmpty, !argument.contains(0) else { throw .usage("an empty path names nothing") }
    var path = argument
    while path.count > 1, path.last == slash { path.removeLast() }
    let name = PathBytes(path).name.bytes
    // These have no name of their own to keep.
    guard ![[slash], Array(".".utf8), Array("..".utf8), []].contains(name) else {
        return PathBytes(try resolved(path))
    }
    let directory = path.dropLast(name.count)
    let parent = try resolved(directory.isEmpty ? Array(".".utf8) : Array(directory))
    return PathBytes(parent == [slash] ? parent + name : parent + [slash] + name)
}

private func resolved(_ path: [UInt8]) throws(Problem) -> [UInt8] {
    if let real = realPath(path) { return real }
    guard errno == ENOENT || errno == ENOTDIR || errno == EACCES else {
        throw .failed("\(FileError(code: errno, verb: "realpath", path: path))")
    }
    guard path != [slash], path != Array(".".utf8) else {
        throw .failed("the current directory is gone", fix: "cd somewhere else, or write the path from /")
    }
    return try absolutePath(path).bytes
}

/// Nil, with errno, where there is no such file.
private func realPath(_ path: [UInt8]) -> [UInt8]? {
    guard let real = realpath(path.map { CChar(bitPattern: $0) } + [0], nil) else { return nil }
    defer { free(real) }
    return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
}

/// What a command is asked about: an identifier where the argument looks like one, else a path.
///
/// A file with such a name is written `./NAME`.
func subject(of argument: [UInt8]) throws(Problem) -> SubjectRequest {
    if let text = String(validating: argument, as: UTF8.self), let identifier = LocalIdentifier(text) {
        return SubjectRequest(localIdentifier: identifier)
    }
    return SubjectRequest(path: try absolutePath(argument))
}

private let slash = UInt8(ascii: "/")
