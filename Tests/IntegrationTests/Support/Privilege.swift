import Glibc
import Platform
import TestSupport

/// What this machine lets tests do; what it does not is skipped, and the reason is printed.
enum Privilege {
    static let isRoot = geteuid() == 0

    /// Mounts of a test's own need a mount namespace, and that needs root.
    static let canMount = isRoot && works(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"])
    static let canBreakFileSystems =
        canMount && works(["sh", "-c", "command -v mkfs.ext4 e2fsck && test -e /dev/loop-control -a -w /sys/fs/ext4"])
    /// Whether a file system of this kind can be made in an image and mounted.
    static func canMake(_ fileSystem: String) -> Bool {
        let isKnown = "grep -qw \(fileSystem) /proc/filesystems && test -e /dev/loop-control"
        return canMount && works(["sh", "-c", "command -v mkfs.\(fileSystem) && \(isKnown)"])
    }
    static let canUnshareUsers = works(inUserNamespace(setting: "user/max_inotify_instances", to: 5) + ["true"])
    /// With the tracer as a grandchild, so that the traced program is what was started (strace(1), -D).
    static let canTrace = isRoot && works(["strace", "-D", "-f", "-qq", "-o", "/dev/null", "true"])
    static let canAttachDebugger = isRoot && works(["gdb", "--version"])
    /// Whether somebody without any right could run the program that was built.
    static let canRunAsNobody = isRoot && works(asNobody + [builtProgram("albumd"), "--version"])

    static let nobody: UInt32 = 65534
    static let asNobody = ["setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]

    /// Runs what follows where a limit of /proc/sys is its own: nothing else on the machine is touched.
    static func inUserNamespace(setting name: String, to value: Int) -> [String] {
        ["unshare", "-U", "-r", "sh", "-c", "echo \(value) > /proc/sys/\(name) && exec \"$0\" \"$@\""]
    }

    /// Runs what follows with a small file system of its own at `path`, which must be a directory.
    static func withFileSystem(at path: String, options: String) -> [String] {
        let script = "mount -t tmpfs -o \(options),mode=700 none '\(path)' && exec \"$0\" \"$@\""
        return ["unshare", "-m", "--propagation", "private", "sh", "-c", script]
    }

    /// Runs what follows with an ext4 image mounted at `path`, which must be a directory.
    static func withImage(_ image: String, at path: String) -> [String] {
        let mount = "mount -o loop,errors=remount-ro '\(image)' '\(path)'"
        let script = "\(mount) && chmod 700 '\(path)' && exec \"$0\" \"$@\""
        return ["unshare", "-m", "--propagation", "private", "sh", "-c", script]
    }

    private static func works(_ arguments: [String]) -> Bool {
        (try? withScratchFolder("privilege") { try run(arguments, in: $0).end == .code(0) }) ?? false
    }
}
