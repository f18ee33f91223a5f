/// A Swift file taken apart: the same lines three times, each with only its code, its comments or its strings.
///
/// What is left out is blank, so that lines and columns stay. Code within `\(…)` counts as code.
struct SwiftText {
    private(set) var code: [String] = []
    private(set) var comments: [String] = []
    private(set) var strings: [String] = []

    init(_ text: String) {
        var reader = Reader(Array(text.utf8))
        reader.read()
        code = SwiftText.lines(reader.code)
        comments = SwiftText.lines(reader.comments)
        strings = SwiftText.lines(reader.strings)
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: newline, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}

private let newline = UInt8(ascii: "\n")
private let quote = UInt8(ascii: "\"")

/// Where the reader stands; modes lie in each other as string interpolations do.
private enum Mode: Equatable {
    /// `depth`: parentheses still open since the interpolation began.
    case code(depth: Int)
    case lineComment
    case blockComment(depth: Int)
    case string(hashes: Int, isMultiline: Bool)
}

private struct Reader {
    private let bytes: [UInt8]
    private var position = 0
    private var modes: [Mode] = [.code(depth: 0)]
    private(set) var code: [UInt8]
    private(set) var comments: [UInt8]
    private(set) var strings: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let blank = bytes.map { $0 == newline ? newline : UInt8(ascii: " ") }
        (code, comments, strings) = (blank, blank, blank)
    }

    mutating func read() {
        while position < bytes.count {
            switch modes.last {
            case .code(let depth): readCode(depth)
            case .lineComment: readLineComment()
            case .blockComment(let depth): readBlockComment(depth)
            case .string(let hashes, let isMultiline): readString(hashes, isMultiline)
            case nil: modes = [.code(depth: 0)]
            }
        }
    }

    private mutating func readCode(_ depth: Int) {
        switch bytes[position] {
        case UInt8(ascii: "/") where starts("//"): return modes.append(.lineComment)
        case UInt8(ascii: "/") where starts("/*"):
            modes.append(.blockComment(depth: 1))
            return takeComment(2)
        case quote, UInt8(ascii: "#"):
            if beginsString() { return }
        case UInt8(ascii: "("): replace(.code(depth: depth + 1))
        case UInt8(ascii: ")") where depth == 1 && modes.count > 1: modes.removeLast()
        case UInt8(ascii: ")"): replace(.code(depth: max(0, depth - 1)))
        default: break
        }
        takeCode(1)
    }

    private mutating func beginsString() -> Bool {
        let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        guard starts("\"", at: position + hashes) else { return false }
        let isMultiline = starts("\"\"\"", at: position + hashes)
        modes.append(.string(hashes: hashes, isMultiline: isMultiline))
        takeString(hashes + (isMultiline ? 3 : 1))
        return true
    }

    private mutating func readLineComment() {
        if bytes[position] == newline { modes.removeLast() }
        takeComment(1)
    }

    private mutating func readBlockComment(_ depth: Int) {
        if starts("*/") {
            if depth == 1 { modes.removeLast() } else { replace(.blockComment(depth: depth - 1)) }
            return takeComment(2)
        }
        if starts("/*") {
            replace(.blockComment(depth: depth + 1))
            return takeComment(2)
        }
        takeComment(1)
    }

    private mutating func readString(_ hashes: Int, _ isMultiline: Bool) {
        let marks = String(repeating: "#", count: hashes)
        switch bytes[position] {
        case quote where starts((isMultiline ? "\"\"\"" : "\"") + marks):
            modes.removeLast()
            takeString((isMultiline ? 3 : 1) + hashes)
        case UInt8(ascii: "\\") where starts("\\" + marks + "("):
            takeString(hashes + 1)
            modes.append(.code(depth: 1))
            takeCode(1)
        case UInt8(ascii: "\\") where starts("\\" + marks): takeString(hashes + 2)
        case newline where !isMultiline:
            // A string of one line that is not closed: what follows is code again.
            modes.removeLast()
            takeString(1)
        default: takeString(1)
        }
    }

    private func starts(_ text: String, at place: Int? = nil) -> Bool {
        bytes.dropFirst(place ?? position).starts(with: text.utf8)
    }

    private mutating func replace(_ mode: Mode) { modes[modes.count - 1] = mode }

    private mutating func takeCode(_ count: Int) { for index in taken(count) { code[index] = bytes[index] } }

    private mutating func takeComment(_ count: Int) { for index in taken(count) { comments[index] = bytes[index] } }

    private mutating func takeString(_ count: Int) { for index in taken(count) { strings[index] = bytes[index] } }

    private mutating func taken(_ count: Int) -> Range<Int> {
        let start = position
        position = min(position + count, bytes.count)
        return start..<position
    }
}
