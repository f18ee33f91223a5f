import Control
import Glibc
import PhotoModel
import Platform

/// A target that is written to as it is, and never replaced: a character device such as /dev/null, or a pipe.
final class StreamTarget {
    private let path: PathBytes
    private let descriptor: Int32

    /// Nil where there is something else at the path, or nothing; symlinks are followed (stat(2), open(2)).
    init?(at path: PathBytes) throws(Problem) {
        var status = stat()
        guard path.bytes.withTerminated({ stat($0, &status) }) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFCHR || kind == S_IFIFO else { return nil }
        self.path = path
        descriptor = path.bytes.withTerminated { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw .failed("\(FileError(code: errno, verb: "open", path: path.bytes))") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func take(_ bytes: [UInt8]) throws(Problem) {
        guard writeAll(bytes, to: descriptor) else {
            throw .failed("\(FileError(code: errno, verb: "write", path: path.bytes))")
        }
    }
}
