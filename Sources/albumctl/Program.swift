import Control
import Glibc
import Platform

/// The program: reads the command line, runs the command, tells what went wrong.
enum Program {
    static func main() -> Int32 {
        let arguments = Swift.CommandLine.unsafeArgv
        let tokens = (1..<max(1, Int(Swift.CommandLine.argc))).compactMap { arguments[$0].map(bytes) }
        return run(tokens, on: .live(), sinks: .standard)
    }

    /// Runs one command line and returns the exit code.
    static func run(_ tokens: [[UInt8]], on host: Host, sinks: Output.Sinks) -> Int32 {
        let isJSON = tokens.prefix { $0 != Array("--".utf8) }.contains(Array("--json".utf8))
        let output = Output(sinks, isJSON: isJSON, showsProgress: host.isTerminal)
        let code = exitCode(output) { () throws(Problem) in try run(tokens, host, output) }
        return output.hasFailed && code == 0 ? ExitCode.failed.rawValue : code
    }

    private static func run(_ tokens: [[UInt8]], _ host: Host, _ output: Output) throws(Problem) -> ExitCode {
        var parser = ArgumentParser(tokens, commands: Command.all)
        do throws(Problem) {
            return try run(&parser, host, output)
        } catch {
            throw error.naming(parser.command)
        }
    }

    private static func run(_ parser: inout ArgumentParser, _ host: Host, _ output: Output) throws(Problem) -> ExitCode
    {
        try parser.parse()
        if parser.arguments.has("help") {
            help(parser, output)
            return .done
        }
        guard let command = parser.command else {
            if output.isJSON { throw .usage("a command is missing", fix: "albumctl help --json lists them") }
            output.remarks(Help.overview(of: parser.words))
            return .usage
        }
        guard command.operandCount.contains(parser.arguments.operands.count) else {
            throw wrongCount(command, parser.arguments.operands.count)
        }
        let socket = try SocketPlace.find(parser.arguments.bytes("socket"), host)
        return try command.run(
            Invocation(arguments: parser.arguments, output: output, host: host, api: API(socket)))
    }

    private static func help(_ parser: ArgumentParser, _ output: Output) {
        guard output.isJSON else {
            return output.text(parser.command.map(Help.text) ?? Help.overview(of: parser.words))
        }
        output.json(Help.json(of: parser.command, words: parser.words))
    }

    private static func wrongCount(_ command: Command, _ count: Int) -> Problem {
        let what = count < command.operandCount.lowerBound ? "something is missing" : "that is too much"
        return .usage("\(what): \(command.usage)", fix: "albumctl \(command.name) --help shows examples")
    }

    private static func exitCode(_ output: Output, _ body: () throws(Problem) -> ExitCode) -> Int32 {
        do throws(Problem) {
            return try body().rawValue
        } catch {
            output.tell(error)
            return Int32(clamping: error.exitCode)
        }
    }

    private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
