import Control
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

    @Test(arguments: [["safe", "--nothing"], ["album", "list", "--limit"]])
    func whatIsNotUnderstoodNamesTheHelpOfItsCommand(line: [String]) async throws {
        let ran = try await albumctl(line.map { Array($0.utf8) })
        #expect(ran.code == 2)
        let name = line.prefix { !$0.hasPrefix("--") }.joined(separator: " ")
        #expect(ran.error.contains("albumctl \(name) --help"), "\(ran.error)")
    }

    @Test(arguments: ["history", "plan", "safe", "verify", "watch"])
    func whatAnswersInLinesOfJSONSaysSo(name: String) async throws {
        let help = try await albumctl(name, "--help").out.split(separator: "\n").joined(separator: " ")
        #expect(help.split(separator: " ").joined(separator: " ").contains("With --json each line is"))
    }

    private struct Told: Decodable {
        struct Option: Decodable {
            var name: String
            var short: String?
            var value: String?
            var words: [String]?
            var isRepeatable: Bool
        }
        struct Example: Decodable { var line, meaning: String }
        var name, summary, usage, operands, about: String
        var options: [Option]
        var examples: [Example]
    }
    private struct Overview: Decodable {
        var usage: String
        var commands: [Told]
    }

    @Test(arguments: Command.all.map(\.name)) func theHelpOfACommandIsJSONToo(name: String) async throws {
        let words = name.split(separator: " ").map { Array($0.utf8) }
        let ran = try await albumctl(words + [Array("--help".utf8), Array("--json".utf8)])
        let (told, command) = (try ran.json(Told.self), try #require(Command.all.first { $0.name == name }))
        #expect(ran.code == 0 && told.name == name && told.summary == command.summary && told.about == command.about)
        #expect(told.usage == command.usage && told.operands == command.operands)
        #expect(told.options.map(\.name) == (command.options + Option.common).map { "--" + $0.name })
        #expect(told.examples.map(\.line) == command.examples.map(\.line))
    }

    @Test(arguments: [["help", "--json"], ["--json", "--help"], ["folder", "--help", "--json"]])
    func theOverviewIsJSONToo(words: [String]) async throws {
        let ran = try await albumctl(words.map { Array($0.utf8) })
        let overview = try ran.json(Overview.self)
        let names = Command.all.map(\.name).filter { !words.contains("folder") || $0.hasPrefix("folder ") }
        #expect(ran.code == 0 && overview.commands.map(\.name) == names)
    }

    @Test func aMissingCommandIsAProblemInJSON() async throws {
        let ran = try await albumctl("--json")
        #expect(ran.code == 2 && ran.lines.count == 1)
        let problem = try ran.json([String: Problem].self)["error"]
        #expect(problem?.exitCode == 2)
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
