import Control
import Platform

/// Reads a command line: finds its command, and sorts options from operands.
///
/// Options may stand anywhere, before the command too; `--` ends them, and a lone `-` is an operand.
struct ArgumentParser {
    let commands: [Command]
    /// The words of the command so far: `folder`, `add`.
    private(set) var words: [String] = []
    private(set) var command: Command?
    private(set) var arguments = Arguments()
    private var rest: ArraySlice<[UInt8]>
    private var areOptionsOver = false

    init(_ tokens: [[UInt8]], commands: [Command]) {
        self.commands = commands
        rest = tokens[...]
    }

    mutating func parse() throws(Problem) {
        while let token = rest.popFirst() {
            if areOptionsOver || token.first != dash || token.count == 1 {
                try take(token)
            } else if token == [dash, dash] {
                areOptionsOver = true
            } else if token[1] == dash {
                try takeLong(token.dropFirst(2))
            } else {
                try takeShort(token.dropFirst())
            }
        }
    }

    /// A word of the command, or an operand once the command is known.
    private mutating func take(_ token: [UInt8]) throws(Problem) {
        guard command == nil else {
            arguments.operands.append(token)
            return
        }
        let word = String(decoding: token, as: UTF8.self)
        if words.isEmpty, word == "help" {
            arguments.options["help"] = [[]]
            return
        }
        let name = (words + [word]).joined(separator: " ")
        command = commands.first { $0.name == name }
        guard command != nil || commands.contains(where: { $0.name.hasPrefix(name + " ") }) else {
            throw unknownCommand(word)
        }
        words.append(word)
    }

    private mutating func takeLong(_ token: ArraySlice<UInt8>) throws(Problem) {
        let equals = token.firstIndex(of: UInt8(ascii: "="))
        let name = String(decoding: token[..<(equals ?? token.endIndex)], as: UTF8.self)
        guard let option = known.first(where: { $0.name == name }) else { throw unknownOption("--" + name) }
        try take(option, value: equals.map { Array(token[($0 + 1)...]) })
    }

    /// `-o FILE` or `-oFILE`.
    private mutating func takeShort(_ token: ArraySlice<UInt8>) throws(Problem) {
        let letter = String(decoding: token.prefix(1), as: UTF8.self)
        guard let option = known.first(where: { $0.short == letter }), option.value != nil || token.count == 1 else {
            throw unknownOption("-" + String(decoding: token, as: UTF8.self))
        }
        try take(option, value: token.count > 1 ? Array(token.dropFirst()) : nil)
    }

    private mutating func take(_ option: Option, value: [UInt8]?) throws(Problem) {
        guard option.isRepeatable || !arguments.has(option.name) else {
            throw .usage("--\(option.name) is given twice")
        }
        guard let placeholder = option.value else {
            guard value == nil else { throw .usage("--\(option.name) takes no value") }
            arguments.options[option.name] = [[]]
            return
        }
        guard let value = value ?? popValue() else {
            throw .usage("--\(option.name) wants a value: \(option.synopsis)")
        }
        let word = String(decoding: value, as: UTF8.self)
        guard option.words.isEmpty || option.words.contains(word) else {
            throw .usage("--\(option.name) is one of \(placeholder), not '\(printable(value))'")
        }
        arguments.options[option.name, default: []].append(value)
    }

    /// What comes next, whatever it begins with; a `--` before it ends the options.
    private mutating func popValue() -> [UInt8]? {
        guard rest.first == [dash, dash], rest.count > 1 else { return rest.popFirst() }
        areOptionsOver = true
        rest.removeFirst()
        return rest.popFirst()
    }

    /// The options that may stand here: until the command is known, those that all have.
    private var known: [Option] { (command?.options ?? []) + Option.common }

    private func unknownOption(_ text: String) -> Problem {
        let nearest = nearestWord(to: text, in: known.map { "--" + $0.name })
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        return .usage(
            "there is no option '\(printable(text))' here\(hint)",
            fix:
                "\(Problem.help(of: command)) lists the options; a file of that name is written ./\(printable(text)), or stands after --"
        )
    }

    private func unknownCommand(_ word: String) -> Problem {
        let known = commands.compactMap { $0.word(after: words) }
        let hint = nearestWord(to: word, in: known).map { "; did you mean \($0)?" } ?? ""
        let place = words.isEmpty ? "" : words.joined(separator: " ") + " "
        return .usage(
            "there is no command '\(place)\(printable(word))'\(hint)", fix: "albumctl \(place)--help lists them")
    }
}

private let dash = UInt8(ascii: "-")
