import Platform

extension Arguments {
    /// The command as it was given, with other options beside, to be pasted: none of what was said is lost.
    ///
    /// An empty value in `options` is a flag.
    func again(_ command: Command, with options: [String: String]) -> String {
        var words = ["albumctl", command.name] + operands.map { shellWord(path: $0) }
        for option in command.options + Option.common {
            let given = options[option.name].map { [Array($0.utf8)] } ?? self.options[option.name] ?? []
            let name = option.short.map { "-\($0)" } ?? "--\(option.name)"
            for value in given { words.append(option.value == nil ? name : "\(name) \(shellWord(value))") }
        }
        return words.joined(separator: " ")
    }
}
