/// JSON as it was sent, before anybody asks what it means: numbers as they were written, every key once.
enum JSONTree: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case list([JSONTree])
    case object([String: JSONTree])

    /// What it is, shortened, for a message.
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): String(text.prefix(40))
        case .string(let text): "\"\(text.prefix(80))\(text.count > 80 ? "…" : "")\""
        case .list: "a list"
        case .object: "an object"
        }
    }
}
