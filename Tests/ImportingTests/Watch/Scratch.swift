import Glibc
import Platform

/// A directory of a test's own, and plain calls on it.
///
/// Names are bytes where a test needs it.
struct Scratch: Sendable {
    let root: String

    init() throws {
        var template = Array("/tmp/albumd-watch-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw FileError(code: errno, verb: "mkdtemp") }
        root = String(cString: made)
    }

    func path(_ name: String) -> [UInt8] { Array("\(root)/\(name)".utf8) }

    func makeDirectory(_ name: String) throws { try check(mkdir("\(root)/\(name)", 0o755), "mkdir", name) }

    /// Makes every directory of the path that is not there.
    func makeDirectories(_ name: String) throws {
        var path = ""
        for part in name.split(separator: "/") {
            path += path.isEmpty ? String(part) : "/\(part)"
            if mkdir("\(root)/\(path)", 0o755) != 0, errno != EEXIST { throw FileError(code: errno, verb: "mkdir") }
        }
    }

    func write(_ name: String) throws { try write(bytes: Array(name.utf8)) }

    func write(bytes name: [UInt8]) throws {
        let file = open(Self.terminated(path("") + name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
        try check(file, "open", printable(name))
        Glibc.write(file, "x", 1)
        close(file)
    }

    func rename(_ from: String, _ to: String) throws {
        try check(Glibc.rename("\(root)/\(from)", "\(root)/\(to)"), "rename", from)
    }

    func link(_ from: String, _ to: String) throws {
        try check(Glibc.link("\(root)/\(from)", "\(root)/\(to)"), "link", from)
    }

    func symlink(_ target: String, at name: String) throws {
        try check(Glibc.symlink(target, "\(root)/\(name)"), "symlink", name)
    }

    func unlink(_ name: String) throws { try check(Glibc.unlink("\(root)/\(name)"), "unlink", name) }
    func removeDirectory(_ name: String) throws { try check(rmdir("\(root)/\(name)"), "rmdir", name) }

    /// Removes what is below a name, too, whatever the bytes of the names.
    func removeTree(_ name: String) throws {
        let files = LinuxFiles()
        try Self.empty(try files.openDirectory(path(name)), files)
        try removeDirectory(name)
    }

    func remove() {
        // Left over in /tmp is the worst that can happen.
        try? removeTree(".")
        rmdir(root)
    }

    private static func empty(_ directory: OpenFile, _ files: LinuxFiles) throws {
        for entry in try files.list(directory) {
            if entry.kind == .directory {
                try empty(try files.openDirectory(entry.name, beneath: directory), files)
                unlinkat(directory.descriptor, terminated(entry.name), AT_REMOVEDIR)
            } else {
                try files.unlink(entry.name, in: directory)
            }
        }
    }

    private static func terminated(_ name: [UInt8]) -> [CChar] { (name + [0]).map { CChar(bitPattern: $0) } }

    private func check(_ result: Int32, _ verb: String, _ name: String) throws {
        guard result >= 0 else { throw FileError(code: errno, verb: verb, path: Array(name.utf8)) }
    }
}
