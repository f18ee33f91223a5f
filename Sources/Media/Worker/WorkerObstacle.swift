import Platform

/// Why nothing can be read of any file now, with what mends it.
package struct WorkerObstacle: Error, Sendable, Equatable {
    package var reason: String
    /// What to do now, as a person does it.
    package var fix: String

    package init(reason: String, fix: String) {
        self.reason = reason
        self.fix = fix
    }
}

/// Each cause has its own way out: a program that is there is not installed once more in vain.
extension WorkerObstacle {
    private static let restart = "then systemctl restart albumd"

    static let missing = WorkerObstacle(
        reason: "albumd-media: it is not installed beside albumd",
        fix: "make media-deps release, sudo make install, \(restart)")

    static let otherVersion = WorkerObstacle(
        reason: "albumd-media: it is of another version than this daemon",
        fix: "make release, sudo make install, which replaces both, \(restart)")

    static let stopped = WorkerObstacle(
        reason: "albumd-media: albumd is stopping", fix: "systemctl status albumd says why")

    /// The kernel or a container around albumd forbids what the lock is made of (RULES S3).
    static func refusedLock(_ reason: String, _ program: [UInt8]) -> WorkerObstacle {
        WorkerObstacle(
            reason: "albumd-media: it cannot lock itself in: \(reason)",
            fix: """
                allow seccomp and Landlock: Linux 5.13 or later with landlock in /sys/kernel/security/lsm, and no \
                container or unit that forbids them; \(shellWord(program)) in a shell says whether it can, \(restart)
                """)
    }

    /// It ended before it had said a word.
    static func endedAtStart(_ ending: SocketChild.Ending, _ program: [UInt8]) -> WorkerObstacle {
        let command = shellWord(program)
        // Of the dynamic linker, where a library is missing (ld.so(8) prints which).
        guard ending == .exit(127) else {
            return WorkerObstacle(
                reason: "albumd-media: \(ending) as it started",
                fix: "run \(command) in a shell, which says why it ends, \(restart)")
        }
        return WorkerObstacle(
            reason: "albumd-media: a library that it needs is missing",
            fix: "ldd \(command) | grep 'not found' names it; make media-deps installs all, \(restart)")
    }

    static func mute(_ reason: String, _ program: [UInt8]) -> WorkerObstacle {
        WorkerObstacle(
            reason: "albumd-media: as it started, \(reason)",
            fix: "run \(shellWord(program)) in a shell, which says whether it works, \(restart)")
    }

    static func cannotStart(_ error: FileError, _ program: [UInt8]) -> WorkerObstacle {
        if error.isAbsence { return missing }
        let fix =
            error.isPermission
            ? "sudo chmod 755 \(shellWord(program)), \(restart)"
            : "nothing, for albumd tries again; where it lasts, systemctl restart albumd"
        return WorkerObstacle(reason: "albumd-media: \(error)", fix: fix)
    }
}
