import Glibc
package import PhotoModel

/// Which names a folder passes over: partial files that a sender will rename when they are whole (RULES R16e),
/// albumd's own marker, and the patterns of the folder's rule.
package struct IgnoreRules: Sendable {
    /// Names that programs give to files they are still writing; compared without regard to case.
    private static let partialNames = [
        "*.part", "*.partial", "*.filepart", "*.crdownload", "*.download", "*.tmp", "~*", ".syncthing.*.tmp",
        ".*.??????", ".~lock*",
    ]
    /// The one file that albumd itself creates in a folder.
    package static let marker = Array(".albumd-folder".utf8)

    private let patterns: [String]
    private let ends: PatternEnds

    package init(_ patterns: [String]) {
        self.patterns = patterns
        ends = PatternEnds(patterns, caseless: IgnoreRules.partialNames)
    }

    /// Whether a name, or one of the directories that lead to it, is passed over.
    package func ignores(path: PathBytes) -> Bool {
        path.bytes.split(separator: UInt8(ascii: "/")).contains { ignores(name: Array($0)) }
    }

    package func ignores(name: [UInt8]) -> Bool {
        if name == IgnoreRules.marker { return true }
        guard ends.mayMatch(name) else { return false }
        let text = name.map { CChar(bitPattern: $0) } + [0]
        return IgnoreRules.partialNames.contains { fnmatch($0, text, caseless) == 0 }
            || patterns.contains { fnmatch($0, text, 0) == 0 }
    }
}

/// The first or the last byte that a name must have for one of some patterns to match: each file of each scan is held
/// against a dozen of them, and hardly one matches.
private struct PatternEnds: Sendable {
    private var firsts = [Bool](repeating: false, count: 256)
    private var lasts = [Bool](repeating: false, count: 256)
    /// Whether a pattern has neither.
    private var isBlind = false

    init(_ patterns: [String], caseless: [String]) {
        for pattern in patterns { add(Array(pattern.utf8)) }
        for pattern in caseless {
            add(Array(pattern.lowercased().utf8))
            add(Array(pattern.uppercased().utf8))
        }
    }

    private mutating func add(_ pattern: [UInt8]) {
        guard let first = pattern.first, let last = pattern.last else { return }
        if !isSpecial(first) {
            firsts[Int(first)] = true
        } else if !isSpecial(last), !pattern.contains(UInt8(ascii: "\\")) {
            lasts[Int(last)] = true
        } else {
            isBlind = true
        }
    }

    func mayMatch(_ name: [UInt8]) -> Bool {
        guard !isBlind, let first = name.first, let last = name.last else { return true }
        return firsts[Int(first)] || lasts[Int(last)]
    }

    private func isSpecial(_ byte: UInt8) -> Bool { Array("*?[]\\".utf8).contains(byte) }
}

/// FNM_CASEFOLD, which Glibc shows only with _GNU_SOURCE (fnmatch(3)).
private let caseless: Int32 = 1 << 4
