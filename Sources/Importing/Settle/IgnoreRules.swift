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

    package init(_ patterns: [String]) { self.patterns = patterns }

    /// Whether a name, or one of the directories that lead to it, is passed over.
    package func ignores(path: PathBytes) -> Bool {
        path.bytes.split(separator: UInt8(ascii: "/")).contains { ignores(name: Array($0)) }
    }

    package func ignores(name: [UInt8]) -> Bool {
        if name == IgnoreRules.marker { return true }
        let text = name.map { CChar(bitPattern: $0) } + [0]
        return IgnoreRules.partialNames.contains { fnmatch($0, text, caseless) == 0 }
            || patterns.contains { fnmatch($0, text, 0) == 0 }
    }
}

/// FNM_CASEFOLD, which Glibc shows only with _GNU_SOURCE (fnmatch(3)).
private let caseless: Int32 = 1 << 4
