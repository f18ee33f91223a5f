import FoundationEssentials

/// One thing that the worker reads of one file otherwise than the manifest has it.
struct Deviation: Hashable {
    var path: String
    var column: String
    /// What the worker says, as it stands in the list; empty where it says nothing.
    var told: String

    /// The rows below "Deviations" in docs/media.md: file, column, what the worker says, and the reason.
    static func listed() throws -> [Deviation] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: package.appending(path: "docs/media.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
            guard cells.count == 6, cells[1].contains("/"), cells[1].hasPrefix("`") else { return nil }
            return Deviation(path: unquoted(cells[1]), column: cells[2], told: unquoted(cells[3]))
        }
    }
}

private func trimmed(_ cell: Substring) -> String {
    String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}

private func unquoted(_ cell: String) -> String { cell.replacing("`", with: "") }
