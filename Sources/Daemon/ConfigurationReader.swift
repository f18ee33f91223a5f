import PhotoModel
import Platform

/// Takes typed values out of one table, and gathers what is wrong instead of stopping at the first fault.
struct ConfigurationReader {
    let file: String
    private(set) var problems: [ConfigurationError.Problem] = []
    private(set) var places = PathPlaces()

    init(file: String) { self.file = file }

    /// Says that the value of `node` cannot be: `key = value is …`.
    mutating func refuse(_ node: TOMLNode, _ why: String) {
        complain(line: node.line, column: node.column, "\(node.key) = \(shown(node)) \(why)")
    }

    mutating func complain(line: Int, column: Int, _ message: String) {
        let place = ConfigurationError.Place(line: line, column: column)
        problems.append(ConfigurationError.Problem(file: file, place: place, message: message))
    }

    /// The same as `path`, and where it stands is remembered.
    mutating func placedPath(_ node: TOMLNode, example: String) -> [UInt8]? {
        guard let path = path(node, example: example) else { return nil }
        places.note(path, in: file, at: ConfigurationError.Place(line: node.line, column: node.column))
        return path
    }

    /// The text of `node`; `example` is a right line to show where it is none.
    mutating func text(_ node: TOMLNode, example: String) -> String? {
        guard case .string(let text) = node.value else {
            refuse(node, "is no text; write for example \(example)")
            return nil
        }
        guard !text.isEmpty, !text.utf8.contains(0) else {
            refuse(node, "is empty or holds a zero byte; write for example \(example)")
            return nil
        }
        return text
    }

    /// A text that can be an album's title.
    mutating func title(_ node: TOMLNode, example: String) -> String? {
        guard let title = text(node, example: example) else { return nil }
        guard title.utf8.count <= 1024 else {
            refuse(node, "is longer than 1,024 bytes; write for example \(example)")
            return nil
        }
        return title
    }

    /// One of the words of a closed list.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ node: TOMLNode) -> Choice?
    where Choice.RawValue == String {
        let words = Choice.allCases.map(\.rawValue)
        guard let word = word(node, of: words) else { return nil }
        return Choice(rawValue: word)
    }

    /// The same for a list that is no enumeration of words.
    mutating func word(_ node: TOMLNode, of words: [String]) -> String? {
        if case .string(let text) = node.value, words.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
            return text
        }
        refuse(node, "is not allowed; allowed are " + words.map { "\"\($0)\"" }.joined(separator: ", "))
        return nil
    }

    mutating func duration(_ node: TOMLNode, in range: ClosedRange<Duration>) -> Duration? {
        guard case .string(let text) = node.value, let duration = DurationText.parse(text) else {
            refuse(node, "is no duration; write \(DurationText.wanted)")
            return nil
        }
        guard range.contains(duration) else {
            let (least, most) = (DurationText.write(range.lowerBound), DurationText.write(range.upperBound))
            refuse(node, "is out of range; allowed is from \(least) to \(most)")
            return nil
        }
        return duration
    }

    mutating func texts(_ node: TOMLNode, example: String) -> [String]? {
        guard case .array(let elements) = node.value else {
            refuse(node, "is no list; write for example \(example)")
            return nil
        }
        return elements.compactMap { element in
            var named = element
            named.key = node.key
            return text(named, example: example)
        }
    }

    /// An absolute path in its plainest writing: no doubled, no final slash, no `.`.
    mutating func path(_ node: TOMLNode, example: String) -> [UInt8]? {
        guard let text = text(node, example: example) else { return nil }
        guard text.utf8.first == UInt8(ascii: "/") else {
            let reason =
                text.utf8.first == UInt8(ascii: "~") ? "is not absolute, and ~ is not expanded" : "is not absolute"
            refuse(node, "\(reason); write the whole path from /, for example \(example)")
            return nil
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != dot }
        let path = Array(parts.map { [UInt8(ascii: "/")] + $0 }.joined())
        guard !parts.contains(dot + dot), !path.isEmpty, path.count < 4096 else {
            refuse(node, "is the root, holds .. or is longer than 4095 bytes; write for example \(example)")
            return nil
        }
        return path
    }

    private let dot = [UInt8(ascii: ".")]
}

extension ConfigurationReader {
    /// Says of a key that nobody knows it, and which one may be meant.
    mutating func refuseUnknownKey(_ node: TOMLNode, known: [String]) {
        let nearest = nearestWord(to: node.key, in: known)
        let advice = nearest.map { "did you mean \($0)?" } ?? "known here are \(known.joined(separator: ", "))"
        complain(line: node.line, column: node.keyColumn, "unknown key \(printable(node.key)); \(advice)")
    }

    /// The value as it is written, cut where it is long.
    private func shown(_ node: TOMLNode) -> String {
        let longest = 60
        let source = node.source.count > longest ? node.source.prefix(longest) + "…" : node.source[...]
        return printable(String(source))
    }
}
