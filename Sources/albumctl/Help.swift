/// What `--help` prints.
enum Help {
    /// All about one command.
    static func text(of command: Command) -> String {
        var parts = ["albumctl \(command.name): \(command.summary).", "Usage: \(command.usage)", command.about]
        if !command.options.isEmpty { parts.append("Options:\n" + list(command.options)) }
        parts.append("Options of every command:\n" + list(Option.common))
        let examples = command.examples.map { "  \($0.line)\n      \($0.meaning)" }
        parts.append("Examples:\n" + examples.joined(separator: "\n"))
        return parts.joined(separator: "\n\n")
    }

    /// The commands that begin with `words`, each with its line.
    static func overview(of words: [String]) -> String {
        let commands = commands(of: words)
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { "  " + pad($0.name, to: width + 2) + $0.summary }.joined(separator: "\n")
        let place = words.isEmpty ? "" : " " + words.joined(separator: " ")
        let usage = "Usage: albumctl\(place) COMMAND [options]\n\n\(lines)\n\n"
        guard words.isEmpty else { return usage + "albumctl\(place) COMMAND --help tells more, with examples." }
        return "albumctl asks albumd, which keeps your photos, and tells it what to do.\n\n\(usage)\(footnotes)"
    }

    static func commands(of words: [String]) -> [Command] { Command.all.filter { $0.word(after: words) != nil } }

    private static let footnotes = """
        To begin with:
          albumctl status             is everything safe?
          albumctl folder add DIR     watch a folder: what is put there becomes part of the library
          albumctl flush              wait until everything that lies there has been dealt with
          albumctl why FILE           the story of one file
          albumctl safe CARD          may this card be erased?
          albumctl COMMAND --help     more, with examples

        Every command takes --json. Exit status: 0 done, 1 failed, 2 wrong usage, 3 degraded,
        4 not found, 5 refused, 69 albumd cannot be reached, 78 the configuration is wrong.
        The socket: --socket, else $ALBUMD_SOCKET, else $XDG_RUNTIME_DIR/albumd/control.sock,
        else /run/albumd/control.sock.
        """

    private static func list(_ options: [Option]) -> String {
        let width = min(30, options.map(\.synopsis.count).max() ?? 0)
        return options.map { option in
            let synopsis = option.synopsis
            let gap = synopsis.count > width ? "\n" + pad("", to: width + 4) : ""
            return "  " + pad(synopsis, to: gap.isEmpty ? width + 2 : 0) + gap + option.about
        }.joined(separator: "\n")
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension Command {
    /// `albumctl NAME OPERANDS [options]`.
    var usage: String { (["albumctl", name, operands, "[options]"].filter { !$0.isEmpty }).joined(separator: " ") }
}
