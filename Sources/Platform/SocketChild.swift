import CLinux
import Glibc

/// A program that was started with a socket as its descriptor 3, whose other end is held here.
///
/// It has no other descriptor of this process and no capability, its standard streams lead to /dev/null, and it hears no more of it when
/// the socket is closed. Whoever lets go of it has ended it. One thread at a time may talk to it.
package final class SocketChild: Sendable {
    package let process: Int32
    private let socket: Int32

    /// Starts the program at an absolute path, with this environment and no other (posix_spawn(3)).
    package init(_ program: [UInt8], environment: [String]) throws(FileError) {
        var ends: [Int32] = [-1, -1]
        guard linux_socket_pair(&ends) == 0 else { throw FileError(code: errno, verb: "socketpair") }
        // The service has CAP_LEASE as an ambient capability, which every child would have, too (capabilities(7)).
        linux_pass_on_no_capabilities()
        let (code, process) = spawn(program, environment, socket: ends[1])
        Glibc.close(ends[1])
        guard code == 0 else {
            Glibc.close(ends[0])
            throw FileError(code: code, verb: "posix_spawn", path: program)
        }
        (self.process, socket) = (process, ends[0])
    }

    deinit {
        Glibc.close(socket)
        kill()
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    /// Sends all of it, with a descriptor or none; EPIPE where the child is gone (sendmsg(2)).
    package func send(_ bytes: [UInt8], with file: OpenFile? = nil) throws(FileError) {
        guard linux_send(socket, bytes, bytes.count, file?.descriptor ?? -1) == 0 else {
            throw FileError(code: errno, verb: "sendmsg")
        }
    }

    /// The next `count` bytes; nil where the child hangs up before.
    ///
    /// ETIMEDOUT where they have not come when `uptime` is `deadline`.
    package func receive(
        _ count: Int, until deadline: Duration, uptime: () -> Duration
    ) throws(FileError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            try wait(until: deadline, uptime: uptime)
            var piece = [UInt8](repeating: 0, count: count - bytes.count)
            let received = recv(socket, &piece, piece.count, 0)
            if received < 0, errno == EINTR { continue }
            // A child that was killed with a request unread resets the connection (unix(7), ECONNRESET).
            guard received > 0 else { return nil }
            bytes += piece.prefix(received)
        }
        return bytes
    }

    private func wait(until deadline: Duration, uptime: () -> Duration) throws(FileError) {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while true {
            let left = deadline - uptime()
            // A millisecond more, so that no turn is taken with nothing left of the last one.
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            guard left > .zero else { throw FileError(code: ETIMEDOUT, verb: "poll") }
            let ready = poll(&descriptor, 1, Int32(clamping: milliseconds))
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw FileError(code: errno, verb: "poll") }
        }
    }

    /// Ends it at once, from any thread; whoever waits for its words hears that it has hung up.
    package func kill() { _ = Glibc.kill(process, SIGKILL) }

    /// How it ended, once it has hung up: it is ended if it has not.
    package func end() -> Ending {
        kill()
        var state = siginfo_t()
        // Left to be reaped by `deinit`, so that its number cannot be another's by then (waitid(2), WNOWAIT).
        while waitid(P_PID, id_t(process), &state, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let value = state._sifields._sigchld.si_status
        return state.si_code == CLD_EXITED ? .exit(value) : .signal(value)
    }

    /// The status that it ended with, or the signal that ended it.
    package enum Ending: Sendable, Equatable, CustomStringConvertible {
        case exit(Int32)
        case signal(Int32)

        package var description: String {
            switch self {
            case .exit(let status): "it ended with status \(status)"
            case .signal(let number): "it was ended by signal \(number)"
            }
        }
    }
}

private func spawn(
    _ program: [UInt8], _ environment: [String], socket: Int32
) -> (code: Int32, process: pid_t) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, 3)
    linux_close_from(&actions, 4)
    for stream in STDIN_FILENO...STDERR_FILENO {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of Dispatch block every signal, and a child would inherit that, and what is ignored.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let path = program.map { CChar(bitPattern: $0) } + [0]
    var words = [strdup(path), nil]
    var settings = environment.map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    return (posix_spawn(&process, path, &actions, &attributes, &words, &settings), process)
}

/// The path of a file beside this program's own, wherever it was started from (proc(5), /proc/self/exe).
package func besideThisProgram(_ name: String) -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    let path = buffer.prefix(count).map { UInt8(bitPattern: $0) }
    let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return path[..<slash] + Array("/\(name)".utf8)
}
