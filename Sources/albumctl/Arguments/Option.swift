/// An option of a command: a flag, or one with a value.
struct Option: Sendable {
    /// Without its dashes.
    let name: String
    /// One letter that means the same after a single dash.
    var short: String?
    /// What help calls the value; nil for a flag.
    var value: String?
    /// The words that the value may be, where the list is closed.
    var words: [String] = []
    /// Whether it may be given more than once.
    var isRepeatable = false
    /// A sentence for the help.
    let about: String

    static func flag(_ name: String, short: String? = nil, _ about: String) -> Option {
        Option(name: name, short: short, about: about)
    }

    static func value(
        _ name: String, _ value: String, short: String? = nil, isRepeatable: Bool = false, _ about: String
    ) -> Option {
        Option(name: name, short: short, value: value, isRepeatable: isRepeatable, about: about)
    }

    /// One whose value is a word of a closed list.
    static func choice(_ name: String, _ words: [String], _ about: String) -> Option {
        Option(name: name, value: words.joined(separator: "|"), words: words, about: about)
    }

    /// Of commands that list files: for other programs, which no name can mislead (RULES S7).
    static let null = Option.flag("null", short: "0", "print the paths alone, each ended by a zero byte, for xargs -0")

    /// Options that every command has.
    static let common: [Option] = [
        .flag("json", "print JSON: one document, or one object a line where it streams"),
        .value("socket", "PATH", "the daemon's socket; else $ALBUMD_SOCKET, then the usual places"),
        .flag("help", short: "h", "show this text"),
    ]

    /// `--name`, with its short form before and its value behind.
    var synopsis: String {
        let names = (short.map { ["-\($0)"] } ?? []) + ["--\(name)"]
        return names.joined(separator: ", ") + (value.map { " \($0)" } ?? "")
    }
}
