import Glibc
import Testing

/// A word that may stand in few places only, with samples that show what it catches and what it lets pass.
struct ForbiddenWord: Sendable, CustomTestStringConvertible {
    /// Where in a file it is looked for.
    enum Part: Sendable {
        case code
        case comments
        case strings
    }

    let word: String
    var part = Part.code
    /// What makes it right where it stands in the same line.
    var remedy: String?
    /// Path prefixes below which it is looked for.
    var scope = ["Sources/", "Tests/"]
    /// Path prefixes where it may stand, each with its reason.
    var exceptions: [String: String] = [:]
    let caught: [String]
    var passed: [String] = []

    var testDescription: String { word }

    /// The places of the word in a file, exceptions left aside.
    func findings(in file: ProjectFile) -> [Finding] {
        guard file.isBelow(scope), !file.isBelow(Array(exceptions.keys)) else { return [] }
        // strstr(3) says fast that most files have nothing of the kind.
        guard strstr(file.text, word) != nil else { return [] }
        return places(in: file.swift).map {
            Finding(path: file.path, line: $0, message: "'\(word)' may not stand here")
        }
    }

    /// The lines, from 1, that hold it.
    func places(in text: SwiftText) -> [Int] {
        let lines =
            switch part {
            case .code: text.code
            case .comments: text.comments
            case .strings: text.strings
            }
        return lines.indices.filter { index in
            holds(lines[index]) && !(remedy.map { lines[index].contains($0) } ?? false)
        }.map { $0 + 1 }
    }

    /// A word that begins or ends like an identifier is not part of a longer one.
    private func holds(_ line: String) -> Bool {
        let (bytes, wanted) = (Array(line.utf8), Array(word.utf8))
        guard let first = wanted.first, let last = wanted.last, bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { start in
            guard bytes[start] == first, bytes[start...].starts(with: wanted) else { return false }
            let end = start + wanted.count
            let isBegun = isInName(first) && start > 0 && isInName(bytes[start - 1])
            let goesOn = isInName(last) && end < bytes.count && isInName(bytes[end])
            return !isBegun && !goesOn
        }
    }

    private func isInName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
