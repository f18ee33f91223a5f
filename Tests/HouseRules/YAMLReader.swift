/// Reads `YAML` line by line, by indentation.
struct YAMLReader {
    private struct Line {
        var number: Int
        var indent: Int
        var text: Substring
    }

    private var lines: [Line]
    private var position = 0

    init(_ text: String) {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        lines = all.compactMap { index, text in
            let indent = text.prefix { $0 == " " }.count
            let rest = text.dropFirst(indent)
            return rest.isEmpty || rest.first == "#" ? nil : Line(number: index + 1, indent: indent, text: rest)
        }
    }

    mutating func document() throws(YAML.Fault) -> YAML {
        let value = try block(at: 0)
        guard position == lines.count else { throw fault("this line belongs to nothing") }
        return value
    }

    private func fault(_ message: String) -> YAML.Fault {
        let line = position < lines.count ? lines[position] : lines.last
        return YAML.Fault(line: line?.number ?? 1, message: message)
    }

    private mutating func block(at indent: Int) throws(YAML.Fault) -> YAML {
        guard position < lines.count, lines[position].indent == indent else { throw fault("nothing here at \(indent)") }
        return isItem ? try list(at: indent) : try map(at: indent)
    }

    private var isItem: Bool { lines[position].text.hasPrefix("- ") }

    private mutating func list(at indent: Int) throws(YAML.Fault) -> YAML {
        var items: [YAML] = []
        while position < lines.count, lines[position].indent == indent, isItem {
            let text = lines[position].text.dropFirst(2)
            if try key(of: text) == nil {
                items.append(try scalar(text))
                position += 1
            } else {
                // The item's map begins in this line, two columns on.
                lines[position] = Line(number: lines[position].number, indent: indent + 2, text: text)
                items.append(try map(at: indent + 2))
            }
        }
        return .list(items)
    }

    private mutating func map(at indent: Int) throws(YAML.Fault) -> YAML {
        var entries: [YAML.Entry] = []
        while position < lines.count, lines[position].indent == indent, !isItem {
            guard let (key, rest) = try key(of: lines[position].text) else { throw fault("a key is expected") }
            guard !entries.contains(where: { $0.key == key }) else { throw fault("'\(key)' is there twice") }
            position += 1
            entries.append(YAML.Entry(key: key, value: try value(rest, below: indent)))
        }
        return .map(entries)
    }

    private mutating func value(_ text: Substring, below indent: Int) throws(YAML.Fault) -> YAML {
        if text.isEmpty { return try block(at: indent + 2) }
        guard text == ">-" else {
            position -= 1
            defer { position += 1 }
            return try scalar(text)
        }
        var folded: [Substring] = []
        while position < lines.count, lines[position].indent > indent {
            folded.append(lines[position].text)
            position += 1
        }
        return .text(folded.joined(separator: " "))
    }

    /// `key: rest`, or nil where the text is no entry.
    private func key(of text: Substring) throws(YAML.Fault) -> (key: String, rest: Substring)? {
        if text.first == "\"" {
            guard let end = text.dropFirst().firstIndex(of: "\""), text[text.index(after: end)...].first == ":" else {
                return nil
            }
            let rest = text[text.index(after: end)...].dropFirst()
            return (String(text[..<end].dropFirst()), rest.drop { $0 == " " })
        }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...]
        guard rest.isEmpty || rest.first == " ", text.first != "[", text.first != "{" else { return nil }
        return (String(text[..<colon]), rest.drop { $0 == " " })
    }

    private func scalar(_ text: Substring) throws(YAML.Fault) -> YAML {
        switch text.first {
        case "\"": return .text(try unquoted(text))
        case "[":
            guard text.last == "]" else { throw fault("a list of this form ends in its line") }
            let parts = text.dropFirst().dropLast().split(separator: ",")
            var items: [YAML] = []
            for part in parts { items.append(try scalar(part.drop { $0 == " " })) }
            return .list(items)
        case "{" where text == "{}": return .map([])
        case "{", "'", "|", ">", "&", "*", "!", "%", "@", "`": throw fault("this form is not read: \(text)")
        default: break
        }
        guard !text.contains(": "), !text.contains(" #") else { throw fault("quote this text: \(text)") }
        let isNumber = Int64(text) != nil || Double(text) != nil && text.first?.isNumber == true
        return isNumber || ["true", "false", "null"].contains(text) ? .literal(String(text)) : .text(String(text))
    }

    private func unquoted(_ text: Substring) throws(YAML.Fault) -> String {
        var result = ""
        var isEscaped = false
        for (index, character) in text.dropFirst().enumerated() {
            if isEscaped {
                guard let plain = ["\\": "\\", "\"": "\"", "n": "\n", "t": "\t"][character] as Character? else {
                    throw fault("this escape is not read: \\\(character)")
                }
                result.append(plain)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                guard index + 2 == text.count else { throw fault("text after the closing quote") }
                return result
            } else {
                result.append(character)
            }
        }
        throw fault("the quote is not closed")
    }
}
