import FoundationEssentials
import Testing

/// docs/library-format.md, cut at its headings.
struct LibraryFormatDocument {
    let text: String
    /// The text below each heading of third rank, by the heading without its backquotes.
    private let sections: [String: String]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "docs/library-format.md")
        text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        var sections: [String: String] = [:]
        var heading: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") {
                heading = line.hasPrefix("### ") ? String(line.dropFirst(4).filter { $0 != "`" }) : nil
            } else if let heading {
                sections[heading, default: ""] += line + "\n"
            }
        }
        self.sections = sections
    }

    func section(_ heading: String) throws -> String { try #require(sections[heading], "no heading `\(heading)`") }

    /// The names in the first column of the tables of a text.
    static func names(in text: some StringProtocol) -> [String] {
        text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
            return String(line[line.index(line.startIndex, offsetBy: 3)..<end])
        }
    }

    /// The table that a line such as "`content`:" is followed by.
    func names(ofObject name: String) throws -> [String] {
        let text = try section("Objects within requests")
        let start = try #require(text.firstRange(of: "`\(name)`:\n"), "no table for `\(name)`").upperBound
        let rest = text[start...].split(separator: "\n").prefix { $0.hasPrefix("|") }
        return LibraryFormatDocument.names(in: rest.joined(separator: "\n"))
    }

    /// The lines of a text that are JSON objects.
    static func examples(in text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("{") }.map(String.init)
    }
}
