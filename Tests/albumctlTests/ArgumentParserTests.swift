import Control
import Testing

@testable import albumctl

@Suite struct ArgumentParserTests {
    private func parse(_ tokens: [[UInt8]]) throws(Problem) -> ArgumentParser {
        var parser = ArgumentParser(tokens, commands: Command.all)
        try parser.parse()
        return parser
    }

    private func parse(_ tokens: String...) throws(Problem) -> ArgumentParser {
        try parse(tokens.map { Array($0.utf8) })
    }

    @Test func optionsMayStandAnywhere() throws {
        let parser = try parse("--socket", "/s", "asset", "--json", "list", "--limit=5", "--album", "A")
        #expect(parser.command?.name == "asset list")
        #expect(try parser.arguments.text("socket") == "/s")
        #expect(try parser.arguments.number("limit") == 5)
        #expect(try parser.arguments.text("album") == "A")
        #expect(parser.arguments.has("json"))
        #expect(parser.arguments.operands.isEmpty)
    }

    @Test func twoDashesEndTheOptions() throws {
        let parser = try parse("why", "--", "--json", "-rf.jpg")
        #expect(parser.arguments.operands == [Array("--json".utf8), Array("-rf.jpg".utf8)])
        #expect(!parser.arguments.has("json"))
    }

    @Test func theValueOfAnOptionMayStandBehindTwoDashes() throws {
        let parser = try parse("delete", "--path", "--", "-rf.jpg", "--json")
        #expect(parser.arguments.options["path"] == [Array("-rf.jpg".utf8)])
        #expect(parser.arguments.operands == [Array("--json".utf8)] && !parser.arguments.has("json"))
        #expect(try parse("delete", "--path", "--").arguments.options["path"] == [Array("--".utf8)])
    }

    @Test func aLoneDashIsAnOperand() throws {
        #expect(try parse("save", "-").arguments.operands == [Array("-".utf8)])
    }

    @Test func aNameThatIsNotTextSurvives() throws {
        let name: [UInt8] = [0x4A, 0xF1, 0x2E]
        #expect(try parse([Array("why".utf8), name]).arguments.operands == [name])
        let path = try parse([Array("map".utf8), Array("get".utf8), Array("--path=".utf8) + name])
        #expect(path.arguments.bytes("path") == name)
    }

    @Test(arguments: [["-o", "x"], ["-ox"], ["--output", "x"], ["--output=x"]])
    func aShortOptionIsItsLongOne(option: [String]) throws {
        let parser = try parse((["original", "ID"] + option).map { Array($0.utf8) })
        #expect(try parser.arguments.text("output") == "x")
    }

    @Test func aValueMayLookLikeAnOption() throws {
        #expect(try parse("save", "a", "--filename", "--json").arguments.bytes("filename") == Array("--json".utf8))
    }

    @Test func anOptionMayBeGivenAgainWhereThatMeansMore() throws {
        let parser = try parse("folder", "add", "d", "--ignore", "*.x", "--ignore=.*")
        #expect(try parser.arguments.texts("ignore") == ["*.x", ".*"])
    }

    @Test(arguments: [
        (["status", "--jsno"], "did you mean --json"), (["sttaus"], "did you mean status"),
        (["folder", "lsit"], "did you mean list"), (["flush", "--timeout"], "wants a value"),
        (["status", "--json", "--json"], "given twice"), (["status", "--json=1"], "takes no value"),
        (["folder", "add", "d", "--mode", "mvoe"], "one of copy|move"), (["status", "-x"], "no option '-x'"),
        (["asset", "list", "--limit", "-1"], ""), (["album", "list", "--after", "1"], "no option '--after'"),
    ])
    func aMistakeIsNamed(arguments: [String], message: String) {
        let problem = #expect(throws: Problem.self) {
            let parser = try parse(arguments.map { Array($0.utf8) })
            _ = try parser.arguments.number("limit")
        }
        #expect(problem?.exitCode == 2)
        #expect(problem?.detail.contains(message) == true || message.isEmpty)
    }

    @Test(arguments: [("500ms", 500), ("60s", 60_000), ("5m", 300_000), ("60", 60_000)])
    func aTimeIsReadAsInTheConfiguration(text: String, milliseconds: Int) throws {
        let parser = try parse("flush", "--timeout", text)
        #expect(try parser.arguments.duration("timeout") == .milliseconds(milliseconds))
    }
}
