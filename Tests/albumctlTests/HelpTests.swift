import FoundationEssentials
import Testing

@testable import albumctl

@Suite struct HelpTests {
    @Test(arguments: Command.all.map(\.name))
    func theHelpOfACommandNamesEachOptionAndShowsExamples(name: String) async throws {
        let ran = try await albumctl(name.split(separator: " ").map { Array($0.utf8) } + [Array("--help".utf8)])
        let command = try #require(Command.all.first { $0.name == name })
        #expect(ran.code == 0)
        for option in command.options + Option.common { #expect(ran.out.contains(option.synopsis)) }
        #expect(ran.out.contains(command.usage))
        #expect(!command.examples.isEmpty)
        for example in command.examples { #expect(ran.out.contains(example.line)) }
    }

    @Test(arguments: ["history", "plan", "safe", "verify", "watch"])
    func whatAnswersInLinesOfJSONSaysSo(name: String) async throws {
        let help = try await albumctl(name, "--help").out.split(separator: "\n").joined(separator: " ")
        #expect(help.split(separator: " ").joined(separator: " ").contains("With --json each line is"))
    }

    @Test func aGroupListsItsCommands() async throws {
        let ran = try await albumctl("folder", "--help")
        #expect(ran.code == 0)
        for word in ["list", "add", "remove", "check", "confirm"] { #expect(ran.out.contains("folder \(word)")) }
        #expect(!ran.out.contains("album list"))
    }

    @Test func helpIsACommandToo() async throws {
        #expect(try await albumctl("help", "save").out == albumctl("save", "--help").out)
    }

    @Test func withoutACommandAllAreListedAndTheUsageIsWrong() async throws {
        let ran = try await albumctl([[UInt8]]())
        #expect(ran.code == 2)
        #expect(ran.out.isEmpty)
        for command in Command.all { #expect(ran.error.contains("  \(command.name) ")) }
    }

    @Test(arguments: Command.all.filter { $0.operandCount.lowerBound > 0 }.map(\.name))
    func aMissingOperandIsAUsageError(name: String) async throws {
        let ran = try await albumctl(name.split(separator: " ").map { Array($0.utf8) })
        #expect(ran.code == 2)
        #expect(ran.error.contains("something is missing"))
    }

    @Test func theCompletionInTheFileIsTheOneThatIsPrinted() async throws {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let file = try String(contentsOfFile: path + "/completions/albumctl.bash", encoding: .utf8)
        let message: Comment = "run: .build/debug/albumctl completion bash > completions/albumctl.bash"
        #expect(try await albumctl("completion", "bash").out == file, message)
    }
}

func albumctl(_ arguments: [[UInt8]]) async throws -> Ran {
    try await albumctl(arguments, socket: "/nonexistent/socket", variables: [:], isTerminal: false)
}
