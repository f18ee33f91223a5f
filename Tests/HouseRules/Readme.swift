/// README.md as the rules see it.
struct Readme {
    let text: String

    /// The rows of the tables below a heading and above the next: the words of each cell that stand in backticks.
    func rows(below heading: String) -> [[[String]]] {
        var isInside = false
        var rows: [[[String]]] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") { isInside = line == heading || isInside && line.hasPrefix("### ") }
            guard isInside, line.hasPrefix("|"), !line.hasPrefix("|---") else { continue }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            rows.append(cells.map { Readme.quoted(in: $0) })
        }
        return rows
    }

    /// The targets of links within the project.
    var links: [String] {
        text.split(separator: "](").dropFirst().compactMap { rest in
            let target = rest.prefix { $0 != ")" }
            return target.contains("://") ? nil : String(target)
        }
    }

    /// The targets of `make` in code, at the beginning of a line or of backticks.
    var makeTargets: Set<String> {
        let code =
            text.split(separator: "\n").filter { $0.hasPrefix("    ") }
            + Readme.quoted(in: Substring(text)).map { Substring($0) }
        return Set(
            code.compactMap { line in
                let words = line.split(separator: " ").drop { $0 == "sudo" }
                guard words.first == "make", let target = words.dropFirst().first, target.first != "-" else {
                    return nil
                }
                return String(target)
            })
    }

    private static func quoted(in text: Substring) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
}

/// The keys of a TOML text with their values, as they are written.
func settings(in toml: String) -> [String: String] {
    let pairs = toml.split(separator: "\n").compactMap { line -> (String, String)? in
        guard line.first != "#", line.first != "[", let equals = line.firstRange(of: " = ") else { return nil }
        return (String(line.prefix(upTo: equals.lowerBound)), String(line.suffix(from: equals.upperBound)))
    }
    return Dictionary(pairs) { first, _ in first }
}
