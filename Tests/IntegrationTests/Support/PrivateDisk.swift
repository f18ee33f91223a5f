import Glibc
import Platform
import TestSupport
import Testing

/// A disk that only a test and its albumd see: mounted in a namespace of its own, cut off, filled and mended at will.
///
/// A process that does nothing holds the namespace; when it ends, the disk is gone and so is what was mounted.
final class PrivateDisk {
    let mountPoint: String
    private let scratch: ScratchFolder
    private let holder: ChildProcess

    /// Makes the namespace; nothing is mounted yet.
    init(at mountPoint: String, in scratch: ScratchFolder) throws {
        (self.mountPoint, self.scratch) = (mountPoint, scratch)
        let idle = ["unshare", "-m", "--propagation", "private", "tail", "-f", "/dev/null"]
        holder = try ChildProcess(idle, output: scratch.path("holder.log"), deadline: .seconds(600))
        try PosixProgram().makeDirectory(mountPoint)
        let own = Self.namespace(of: getpid())
        while holder.result == nil, Self.namespace(of: holder.pid) == own || !isIdle { sched_yield() }
        try #require(holder.result == nil, "no mount namespace")
    }

    deinit { holder.kill(SIGKILL) }

    /// What runs a program where the disk is.
    var wrapper: [String] { ["nsenter", "--target=\(holder.pid)", "--mount"] }

    /// Where the disk is found from outside, while it is mounted (proc_pid_root(5)).
    var outside: String { "/proc/\(holder.pid)/root\(mountPoint)" }

    /// Runs a shell script where the disk is; throws where it fails.
    @discardableResult
    func sh(_ script: String) throws -> String {
        let answer = try run(wrapper + ["sh", "-c", script], in: scratch)
        guard answer.end == .code(0) else { throw Failure("\(script): \(answer.end): \(answer.output)") }
        return answer.output
    }

    /// Mounts an image, a device or a kind of file system, so that its owner alone may enter.
    func mount(_ options: String) throws {
        try sh("mount \(options) '\(mountPoint)' && chmod 700 '\(mountPoint)'")
    }

    func unmount() throws { try sh("umount '\(mountPoint)'") }

    /// As when the power fails: what the disk does not have by now it never gets (FS_IOC_SHUTDOWN, no log flush).
    func cutPower() throws {
        let descriptor = open(outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        var withoutLogFlush: UInt32 = 2
        guard ioctl(descriptor, 0x8004_587D, &withoutLogFlush) == 0 else {
            throw FileError(code: errno, verb: "FS_IOC_SHUTDOWN", path: Array(mountPoint.utf8))
        }
    }

    /// A copy of the library on it, which a test may open and add to.
    func copyOut(to name: String) throws -> String {
        let copy = scratch.path(name)
        try sh("rm -rf '\(copy)' && cp -a '\(mountPoint)' '\(copy)' && rm -rf '\(copy)/lost+found'")
        return copy
    }

    /// Whether the holder is past unshare(1): until then its namespace may not be private yet.
    private var isIdle: Bool {
        guard let bytes = try? PosixProgram().read("/proc/\(holder.pid)/comm") else { return false }
        return String(decoding: bytes, as: UTF8.self) == "tail\n"
    }

    private static func namespace(of pid: pid_t) -> String {
        var target = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/\(pid)/ns/mnt", &target, target.count)
        return String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
