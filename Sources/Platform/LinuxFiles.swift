import CLinux
import Glibc

/// The file verbs of the machine itself.
///
/// Making one ignores SIGIO, by which the kernel tells of a broken lease and which would otherwise kill
/// the process (fcntl(2)); the engine asks `holdsLease` instead (RULES R18).
package struct LinuxFiles: FileVerbs {
    /// openat(2) of a path beneath a directory, as openat2(2) does it.
    typealias OpenBeneath = @Sendable (Int32, UnsafePointer<CChar>, Int32, UInt64) -> Int32

    let openBeneath: OpenBeneath

    /// Paths are opened by openat2(2), and walked where there is none.
    package init() { self.init(openBeneath: { linux_open_beneath($0, $1, $2, $3) }) }

    private init(openBeneath: @escaping OpenBeneath) {
        self.openBeneath = openBeneath
        signal(SIGIO, SIG_IGN)
    }

    /// Walks paths even where openat2(2) is there, so that a test sees both ways alike.
    package static var walking: LinuxFiles { LinuxFiles(openBeneath: { linux_walk_beneath($0, $1, $2, $3) }) }

    /// The result of a system call; called again while a signal interrupts it (signal(7)).
    @discardableResult
    func result<Value: SignedInteger>(
        of verb: String, _ path: [UInt8] = [], _ call: () -> Value
    ) throws(FileError) -> Value {
        while true {
            let value = call()
            if value >= 0 { return value }
            let code = errno
            if code != EINTR { throw FileError(code: code, verb: verb, path: path) }
        }
    }

    /// The same for a call on a path.
    ///
    /// A path with a NUL in it is EINVAL: the kernel would see another one.
    @discardableResult
    func result(
        of verb: String, on path: [UInt8], _ call: (UnsafePointer<CChar>) -> Int32
    ) throws(FileError) -> Int32 {
        guard !path.contains(0) else { throw FileError(code: EINVAL, verb: verb, path: path) }
        return try result(of: verb, path) {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { text in
                path.withUnsafeBytes { UnsafeMutableRawBufferPointer(text).copyMemory(from: $0) }
                text[path.count] = 0
                guard let start = text.baseAddress else { return -1 }
                return call(start)
            }
        }
    }

    /// The result of a call that must not be repeated after an error, an interrupted one included.
    func once(_ verb: String, _ call: () -> Int32) throws(FileError) {
        if call() != 0 { throw FileError(code: errno, verb: verb) }
    }

    /// Holds that a name is one component, so that no verb can leave its directory by it.
    func require(name: [UInt8], _ verb: String) throws(FileError) {
        guard name.isFileName else { throw FileError(code: EINVAL, verb: verb, path: name) }
    }

    /// Runs `body` on the last component of `path` and the directory it stands in, reached without a symlink.
    func withParent<Result>(
        of path: [UInt8], in directory: OpenFile, _ verb: String,
        _ body: (OpenFile, [UInt8]) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else {
            try require(name: path, verb)
            return try body(directory, path)
        }
        guard slash > 0 else { throw FileError(code: EXDEV, verb: verb, path: path) }
        let name = Array(path[(slash + 1)...])
        try require(name: name, verb)
        let parent = try openDirectory(Array(path[..<slash]), beneath: directory)
        return try body(parent, name)
    }

    package func close(_ descriptor: Int32) throws(FileError) {
        // Linux has let go of the descriptor whatever close says, EINTR included: never again (close(2)).
        try once("close") { Glibc.close(descriptor) }
    }
}
