import FoundationEssentials

/// The media corpus: real files of many cameras, with what other tools say of each.
///
/// Absent on most machines.
enum Corpus {
    struct Entry: Sendable {
        var path: String
        var format: String
        var bytes: [UInt8]

        var isBad: Bool { path.hasPrefix("bad/") }
        var isSidecar: Bool { ["XMP", "AAE", "JSON"].contains(format) }
        var name: [UInt8] { Array(path.utf8.suffix(while: { $0 != UInt8(ascii: "/") })) }
        /// exiftool calls an AVIF sequence MP4.
        var isVideo: Bool {
            let isPicture = path.hasSuffix(".avif") || path.hasSuffix(".avifs")
            return ["MOV", "MP4", "M4V", "3GP", "M2TS", "M2T", "MKV", "WEBM", "AVI"].contains(format) && !isPicture
        }
    }

    /// Every file of the manifest; nil, and a line printed, where there is no corpus.
    static func entries() throws -> [Entry]? {
        try manifest()?.split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let bytes = try Data(contentsOf: root.appending(path: columns[0]))
            return Entry(path: columns[0], format: columns[5], bytes: Array(bytes))
        }
    }

    /// What other tools say of the files; nil, and a line printed, where there is no corpus.
    static func manifest() -> String? {
        if let text = try? String(contentsOf: root.appending(path: "MANIFEST.tsv"), encoding: .utf8) { return text }
        print("skipped: no media corpus at \(root.path()) (set ALBUMD_CORPUS)")
        return nil
    }

    /// The bytes of one of its files.
    static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: path)))
    }

    private static var root: URL {
        if let path = ProcessInfo.processInfo.environment["ALBUMD_CORPUS"] { return URL(filePath: path) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appending(path: "shared/corpus")
    }
}

extension BidirectionalCollection {
    /// The longest end whose elements all satisfy `predicate`.
    fileprivate func suffix(while predicate: (Element) -> Bool) -> SubSequence {
        guard let stop = lastIndex(where: { !predicate($0) }) else { return self[...] }
        return self[index(after: stop)...]
    }
}
