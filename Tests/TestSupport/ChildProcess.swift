package import Glibc
package import Platform

/// A program that a test started, in a session of its own: it hears no Ctrl-C, and all that it starts can be ended with it.
///
/// It is killed when its deadline passes, so that nothing it does can hang a test, and at the latest when the test lets
/// go of it.
package final class ChildProcess: Sendable {
    /// How a process ended (waitpid(2)).
    package enum End: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    package let pid: pid_t
    private let end: Monitor<End?>

    /// Starts `arguments`, its first by its path or found on PATH, with standard output and error at the end of a file.
    ///
    /// `environment` is added to this process's own; `ended` is called once, on a thread of its own.
    package init(
        _ arguments: [String], environment: [String: String] = [:], output: String,
        deadline: Duration, ended: @escaping @Sendable (End) -> Void = { _ in }
    ) throws(FileError) {
        let pid = try spawn(arguments, environment: environment, output: output)
        let end = Monitor<End?>(nil)
        (self.pid, self.end) = (pid, end)
        NamedThread.start("test-child") {
            let result = reap(pid)
            end.update { $0 = result }
            ended(result)
        }.detach()
        NamedThread.start("test-deadline") {
            if end.wait(for: deadline, { $0 }) == nil { _ = Glibc.kill(-pid, SIGKILL) }
        }.detach()
    }

    deinit { kill(SIGKILL) }

    /// Signals the process alone; one that has ended stays so.
    package func send(_ signal: Int32) { end.update { if $0 == nil { _ = Glibc.kill(pid, signal) } } }

    /// Signals the whole session.
    package func kill(_ signal: Int32) { end.update { if $0 == nil { _ = Glibc.kill(-pid, signal) } } }

    /// Nil while it runs.
    package var result: End? { end.update { $0 } }

    /// How it ended; nil where that took longer.
    package func wait(for time: Duration) -> End? { end.wait(for: time) { $0 } }
}

/// Blocks until the child has ended (waitpid(2)).
private func reap(_ pid: pid_t) -> ChildProcess.End {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
}

/// POSIX_SPAWN_SETSID, which Glibc shows only with _GNU_SOURCE (posix_spawnattr_setflags(3)).
private let newSession: Int16 = 0x80

private func spawn(
    _ arguments: [String], environment: [String: String], output: String
) throws(FileError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = arguments.map { strdup($0) } + [nil]
    var settings = merged(environment).map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, arguments[0], &actions, &attributes, &words, &settings)
    guard code == 0 else { throw FileError(code: code, verb: "posix_spawn", path: Array(arguments[0].utf8)) }
    return pid
}

/// This process's environment with some variables set anew, as `NAME=value`.
private func merged(_ changes: [String: String]) -> [String] {
    var result: [String] = []
    var next = environ
    while let entry = next.pointee {
        let text = String(cString: entry)
        if changes[String(text.prefix { $0 != "=" })] == nil { result.append(text) }
        next += 1
    }
    return result + changes.map { "\($0.key)=\($0.value)" }
}

/// Runs a program to its end; what it wrote goes to a file of the scratch folder, and comes back as text.
package func run(
    _ arguments: [String], in scratch: ScratchFolder, environment: [String: String] = [:],
    deadline: Duration = .seconds(60)
) throws -> (end: ChildProcess.End, output: String) {
    let output = scratch.path("output-\(UInt64.random(in: 0 ... .max))")
    let child = try ChildProcess(arguments, environment: environment, output: output, deadline: deadline)
    // The deadline ends it, so this wait ends as well.
    let end = child.wait(for: deadline + .seconds(30)) ?? .signal(SIGKILL)
    return (end, String(decoding: try PosixProgram().read(Array(output.utf8)), as: UTF8.self))
}

/// The path of a program of this package: it is built beside the test bundle that runs.
package func builtProgram(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    let bundle = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)] + "/" + name
}
