import FoundationEssentials

/// The media corpus: real files of many cameras, with what other tools say of each.
///
/// Absent on most machines.
enum Corpus {
    struct Entry: Sendable {
        var path: String
        var format: String
        var bytes: [UInt8]
        /// What the manifest says of it, by the name of the column.
        var columns: [String: String]

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
        guard let manifest = try? String(contentsOf: root.appending(path: "MANIFEST.tsv"), encoding: .utf8) else {
            print("skipped: no media corpus at \(root.path()) (set ALBUMD_CORPUS)")
            return nil
        }
        let rows = manifest.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        return try rows.dropFirst().map { row in
            let columns = Dictionary(zip(rows[0], row)) { first, _ in first }
            let bytes = try Data(contentsOf: root.appending(path: row[0]))
            return Entry(path: row[0], format: row[5], bytes: Array(bytes), columns: columns)
        }
    }

    static var root: URL {
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
