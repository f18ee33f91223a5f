import Control

/// What `--help --json` prints: the same as the text, for programs.
extension Help {
    struct Overview: Encodable {
        let usage: String
        let commands: [CommandHelp]
    }

    struct CommandHelp: Encodable {
        let name: String
        let summary: String
        let usage: String
        let operands: String
        let about: String
        let options: [OptionHelp]
        let examples: [ExampleHelp]

        init(_ command: Command) {
            (name, summary, usage, operands) = (command.name, command.summary, command.usage, command.operands)
            about = command.about
            options = (command.options + Option.common).map { OptionHelp($0) }
            examples = command.examples.map { ExampleHelp(line: $0.line, meaning: $0.meaning) }
        }
    }

    struct OptionHelp: Encodable {
        let name: String
        let short: String?
        /// What the value is called; absent for a flag.
        let value: String?
        /// The words that it may be, where the list is closed.
        let words: [String]?
        let isRepeatable: Bool
        let about: String

        init(_ option: Option) {
            name = "--" + option.name
            short = option.short.map { "-" + $0 }
            (value, words) = (option.value, option.words.isEmpty ? nil : option.words)
            (isRepeatable, about) = (option.isRepeatable, option.about)
        }
    }

    struct ExampleHelp: Encodable {
        let line: String
        let meaning: String
    }

    /// One command, or those that begin with `words`.
    static func json(of command: Command?, words: [String]) -> [UInt8] {
        if let command { return JSON.encode(CommandHelp(command)) }
        let place = (["albumctl"] + words).joined(separator: " ")
        return JSON.encode(
            Overview(usage: "\(place) COMMAND [options]", commands: commands(of: words).map { CommandHelp($0) }))
    }
}
