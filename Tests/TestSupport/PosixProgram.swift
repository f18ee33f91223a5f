import Glibc
package import Platform

/// Another program on the machine itself: this process, by plain calls.
package struct PosixProgram: OtherProgram {
    package init() {}

    package func makeDirectory(_ path: [UInt8]) throws(FileError) { try call("mkdir", path) { mkdir($0, 0o755) } }

    package func removeDirectory(_ path: [UInt8]) throws(FileError) { try call("rmdir", path) { rmdir($0) } }

    package func write(_ path: [UInt8], _ bytes: [UInt8]) throws(FileError) {
        try write(path, bytes, O_WRONLY | O_CREAT | O_TRUNC)
    }

    package func append(_ path: [UInt8], _ bytes: [UInt8]) throws(FileError) {
        try write(path, bytes, O_WRONLY | O_APPEND)
    }

    package func openWriter(_ path: [UInt8]) throws(FileError) -> Int32 {
        try call("open", path) { open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
    }

    package func closeWriter(_ descriptor: Int32) throws(FileError) { try call("close", []) { _ in close(descriptor) } }

    package func rename(_ path: [UInt8], to newPath: [UInt8]) throws(FileError) {
        let new = terminated(newPath)
        try call("rename", path) { Glibc.rename($0, new) }
    }

    package func unlink(_ path: [UInt8]) throws(FileError) { try call("unlink", path) { Glibc.unlink($0) } }

    package func makeSymlink(_ path: [UInt8], to target: [UInt8]) throws(FileError) {
        let path = terminated(path)
        try call("symlink", target) { symlink($0, path) }
    }

    package func makeHardLink(_ path: [UInt8], of existing: [UInt8]) throws(FileError) {
        let path = terminated(path)
        try call("link", existing) { link($0, path) }
    }

    package func makeFIFO(_ path: [UInt8]) throws(FileError) { try call("mkfifo", path) { mkfifo($0, 0o644) } }

    package func touch(_ path: [UInt8], modified: Int64) throws(FileError) {
        let time = timespec(tv_sec: Int(modified / 1_000_000_000), tv_nsec: Int(modified % 1_000_000_000))
        try call("utimensat", path) { utimensat(AT_FDCWD, $0, [time, time], 0) }
    }

    package func read(_ path: [UInt8]) throws(FileError) -> [UInt8] {
        let descriptor = try call("open", path) { open($0, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw FileError(code: errno, verb: "read", path: path) }
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
        }
    }

    private func write(_ path: [UInt8], _ bytes: [UInt8], _ flags: Int32) throws(FileError) {
        let descriptor = try call("open", path) { open($0, flags | O_CLOEXEC, 0o644) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw FileError(code: errno, verb: "write", path: path) }
            rest = rest.dropFirst(count)
        }
    }

    @discardableResult
    private func call(
        _ verb: String, _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32
    ) throws(FileError) -> Int32 {
        let result = body(terminated(path))
        guard result >= 0 else { throw FileError(code: errno, verb: verb, path: path) }
        return result
    }
}

private func terminated(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
