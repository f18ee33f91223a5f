import FoundationEssentials
import Glibc
import Testing

/// A directory of one test's own, gone when the test lets go of it.
final class Scratch {
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        var template = Array("\(parent)/albumd-XXXXXX".utf8CString)  // mkdtemp(3) replaces these six letters
        let made = try #require(mkdtemp(&template), "mkdtemp failed: \(errno)")
        path = String(cString: made)
    }

    deinit {
        // What is left in /tmp harms no other test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file below the scratch directory and gives its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: file))
        #expect(chmod(file, mode) == 0)
        return file
    }

    /// Writes a shell script that can be run.
    ///
    /// The program is the copy that another process made: a test that forks at the wrong moment would hold our own
    /// descriptor open, and the kernel runs nothing that is open for writing (ETXTBSY).
    func writeProgram(_ text: String, to name: String) throws {
        let draft = try write(text, to: name + ".draft")
        let answer = try shell("install -m 755 \(quoted(draft)) \(quoted(path + "/" + name)) && rm \(quoted(draft))")
        #expect(answer.status == 0, "\(answer.output)")
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path + "/" + name)), as: UTF8.self)
    }
}

/// The package's own directory, found from this file.
let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()
