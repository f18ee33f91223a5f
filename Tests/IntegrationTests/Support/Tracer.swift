import Glibc
import Platform
import TestSupport
import Testing

/// strace(1) on a process that runs already, failing some of its system calls.
///
/// Each thread counts its own calls, from the moment at which the tracer came.
final class Tracer {
    private let process: ChildProcess
    private let output: String

    /// Fails the `turn`th `call` of each thread with `error`; returns when every thread is traced.
    init(on pid: pid_t, failing call: String, with error: String, turn: Int, in scratch: ScratchFolder) throws {
        let log = scratch.path("strace.log")
        output = scratch.path("strace.out")
        unlink(log)
        let fault = ["-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=\(turn)"]
        process = try ChildProcess(
            ["strace", "-f", "-p", "\(pid)", "-o", output] + fault, output: log, deadline: .seconds(60))
        while process.result == nil, !Self.text(log).contains("attached") { sched_yield() }
        try #require(process.result == nil, "strace: \(Self.text(log))")
    }

    /// Lets the process go, and gives the calls that were failed.
    func detach() -> [String] {
        process.send(SIGINT)
        _ = process.wait(for: .seconds(30))
        return Self.text(output).split(separator: "\n").filter { $0.contains("INJECTED") }.map(String.init)
    }

    private static func text(_ path: String) -> String {
        (try? PosixProgram().read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
