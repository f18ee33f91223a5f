import Platform
import TestSupport

/// What another program does in a test's folder, in short words; names are relative to it.
struct Scratch: Sendable {
    let folder: ScratchFolder
    private let program = PosixProgram()

    init(_ folder: ScratchFolder) { self.folder = folder }

    func path(_ name: String) -> [UInt8] { Array(folder.path(name).utf8) }
    func makeDirectory(_ name: String) throws { try program.makeDirectory(path(name)) }
    func removeDirectory(_ name: String) throws { try program.removeDirectory(path(name)) }
    func rename(_ from: String, _ to: String) throws { try program.rename(path(from), to: path(to)) }
    func link(_ from: String, _ to: String) throws { try program.makeHardLink(path(to), of: path(from)) }
    func symlink(_ target: String, at name: String) throws {
        try program.makeSymlink(path(name), to: Array(target.utf8))
    }
    func unlink(_ name: String) throws { try program.unlink(path(name)) }
    func write(_ name: String) throws { try write(bytes: Array(name.utf8)) }
    func write(bytes name: [UInt8]) throws { try program.write(path("") + name, [0x78]) }

    /// Makes every directory of the path that is not there.
    func makeDirectories(_ name: String) throws {
        var path = ""
        for part in name.split(separator: "/") {
            path += path.isEmpty ? String(part) : "/\(part)"
            do {
                try makeDirectory(path)
            } catch let error as FileError where error.isExistence {
                continue
            }
        }
    }

    /// Removes a directory with all below it.
    func removeTree(_ name: String) throws {
        let files = LinuxFiles()
        let directory = try files.openDirectory(path(name))
        for entry in try files.list(directory) {
            let below = name + "/" + String(decoding: entry.name, as: UTF8.self)
            if entry.kind == .directory { try removeTree(below) } else { try unlink(below) }
        }
        try removeDirectory(name)
    }
}
