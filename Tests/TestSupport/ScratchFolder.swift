import Glibc
import Platform

/// A folder of one test, named after it.
package struct ScratchFolder: Sendable {
    package let path: String

    /// The path as bytes.
    package var bytes: [UInt8] { Array(path.utf8) }

    /// The path of a name in the folder.
    package func path(_ name: String) -> String { path + "/" + name }
}

/// Runs `body` with a fresh folder below TMPDIR and removes it afterwards, except where ALBUMD_KEEP_SCRATCH=1 keeps it.
package func withScratchFolder<Result>(
    _ test: String = #function, _ body: (ScratchFolder) async throws -> Result
) async throws -> Result {
    let folder = try makeScratchFolder(test)
    defer { finish(folder) }
    return try await body(folder)
}

/// The same for a test that is not async.
package func withScratchFolder<Result>(
    _ test: String = #function, _ body: (ScratchFolder) throws -> Result
) throws -> Result {
    let folder = try makeScratchFolder(test)
    defer { finish(folder) }
    return try body(folder)
}

private func makeScratchFolder(_ test: String) throws(FileError) -> ScratchFolder {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let name = test.prefix { $0.isLetter || $0.isNumber }
    var template = Array("\(parent)/albumd-\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError(code: errno, verb: "mkdtemp", path: Array(parent.utf8)) }
    return ScratchFolder(path: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
}

private func finish(_ folder: ScratchFolder) {
    let isKept = getenv("ALBUMD_KEEP_SCRATCH").map { String(cString: $0) } == "1"
    if isKept { print("kept: \(folder.path)") } else { remove(folder.bytes) }
}

/// Removes a tree, whatever bytes its names have; what cannot be removed stays, and no test depends on that.
private func remove(_ path: [UInt8]) {
    let files = LinuxFiles()
    let name = path.map { CChar(bitPattern: $0) } + [0]
    if let directory = try? files.openDirectory(path), let entries = try? files.list(directory) {
        for entry in entries {
            let below = path + [UInt8(ascii: "/")] + entry.name
            if entry.kind == .directory { remove(below) } else { try? files.unlink(entry.name, in: directory) }
        }
    }
    rmdir(name)
}
