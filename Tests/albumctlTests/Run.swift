import Control
import FoundationEssentials
import Platform
import Synchronization

@testable import albumctl

/// What a run of the program said, and how it ended.
struct Ran: Sendable {
    let code: Int32
    let out: String
    let error: String

    var lines: [String] { out.split(separator: "\n").map(String.init) }

    func json<Value: Decodable>(_ type: Value.Type) throws(Problem) -> Value {
        try JSON.decode(type, from: Array(out.utf8))
    }
}

/// Runs the program in this process, away from the cooperative pool, for it blocks.
func albumctl(
    _ arguments: [UInt8]..., socket: String = "/nonexistent/socket", variables: [String: String] = [:],
    isTerminal: Bool = false
) async throws -> Ran {
    try await albumctl(arguments, socket: socket, variables: variables, isTerminal: isTerminal)
}

func albumctl(
    _ arguments: String..., socket: String = "/nonexistent/socket", variables: [String: String] = [:],
    isTerminal: Bool = false, answer: String? = nil
) async throws -> Ran {
    try await albumctl(
        arguments.map { Array($0.utf8) }, socket: socket, variables: variables, isTerminal: isTerminal, answer: answer)
}

/// `answer` is what a person types.
func albumctl(
    _ arguments: [[UInt8]], socket: String, variables: [String: String], isTerminal: Bool, answer: String? = nil
) async throws -> Ran {
    let host = Host(
        machine: machine, variable: { name in variables[name].map { Array($0.utf8) } }, isTerminal: isTerminal,
        executable: Array("/nonexistent/albumctl".utf8), answer: { answer })
    return try await threads.run {
        let (out, error) = (Recorder(), Recorder())
        let tokens = [Array("--socket".utf8), Array(socket.utf8)] + arguments
        let code = Program.run(tokens, on: host, sinks: Output.Sinks(out: out.add, error: error.add))
        return Ran(code: code, out: out.text, error: error.text)
    }
}

/// Runs what blocks on a thread that is made for it.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await threads.run(body)
}

private final class Recorder: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func add(_ more: [UInt8]) -> Bool {
        bytes.withLock { $0 += more }
        return true
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

let machine = Machine.live(log: .silent)
private let threads = BlockingPool(name: "test-albumctl", threadCount: 16)
