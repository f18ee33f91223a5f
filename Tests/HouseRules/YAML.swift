/// A document in the part of YAML that docs/openapi.yaml is written in.
///
/// Block maps and lists with two spaces a level, plain and double-quoted scalars on one line, `>-` for folded text,
/// `[a, b]` for lists of scalars, `{}` and `[]`. Comments have their own lines. Anything else is an error.
enum YAML: Equatable, Sendable {
    case map([Entry])
    case list([YAML])
    case text(String)
    /// A number or a word of JSON, as it is written: `1`, `true`, `null`.
    case literal(String)

    struct Entry: Equatable, Sendable {
        var key: String
        var value: YAML
    }

    struct Fault: Error, Equatable {
        var line: Int
        var message: String
    }

    init(parsing text: String) throws(Fault) {
        var reader = YAMLReader(text)
        self = try reader.document()
    }

    subscript(key: String) -> YAML? { entries.first { $0.key == key }?.value }

    var entries: [Entry] { if case .map(let entries) = self { entries } else { [] } }
    var keys: [String] { entries.map(\.key) }
    var items: [YAML] { if case .list(let items) = self { items } else { [] } }
    var string: String? { if case .text(let text) = self { text } else { nil } }

    /// The same value as JSON, for decoding.
    var json: String {
        switch self {
        case .map(let entries):
            "{" + entries.map { YAML.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        case .list(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .text(let text): YAML.quoted(text)
        case .literal(let word): word
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
