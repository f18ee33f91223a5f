import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Real files of many cameras, where the corpus is.
    @BlockingThread struct CorpusImport {
        private struct Entry {
            var path: String
            var hash: ContentHash
            var format: String

            var isBad: Bool { path.hasPrefix("bad/") }
            var isSidecar: Bool { ["XMP", "AAE", "JSON"].contains(format) }
        }

        /// RULES I25: every file is an asset with its own bytes, or says why not.
        @Test func everyFileOfTheCorpusIsAnAssetOrHasAReason() throws {
            guard let root = Self.root else {
                print("skipped: there is no media corpus (set ALBUMD_CORPUS)")
                return
            }
            try withAlbumd { albumd in
                let copy = ["cp", "-r", "--no-preserve=mode", "\(root)/.", albumd.path("")]
                try #require(try run(copy, in: albumd.scratch).end == .code(0))
                // Files without a byte wait for half a minute before they are passed over.
                #expect(try albumd.flush().waiting.keys.allSatisfy { $0 == Reason.empty.rawValue })
                let entries = try Self.entries(root)
                for entry in entries where !entry.isBad {
                    let report = try albumd.why(albumd.path(entry.path))
                    if entry.isSidecar {
                        #expect(report.summary.contains("skipped (notMedia)"), "\(entry.path): \(report.summary)")
                    } else {
                        let mapped = report.mappings.first { $0.path == albumd.path(entry.path) }
                        #expect(mapped?.sha256 == entry.hash, "\(entry.path): \(report.summary)")
                    }
                }
                for path in try Self.regularFiles(below: albumd.path("")) {
                    let report = try albumd.why(path)
                    let isMapped = try albumd.mapping(path) != nil
                    let hasReason = ["skipped (", "passed over", "waits (empty)"].contains {
                        report.summary.contains($0)
                    }
                    #expect(isMapped != hasReason, "\(path): \(report.summary)")
                }
                let hashes = Set(entries.filter { !$0.isBad && !$0.isSidecar }.map(\.hash))
                #expect(try albumd.assets().count >= hashes.count)
                print("corpus: \(entries.count) files, \(try albumd.assets().count) assets")
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        private static var root: String? {
            let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let near = package.deletingLastPathComponent().appending(path: "shared/corpus").path()
            let path = getenv("ALBUMD_CORPUS").map { String(cString: $0) } ?? near
            return access(path + "/MANIFEST.tsv", R_OK) == 0 ? path : nil
        }

        private static func entries(_ root: String) throws -> [Entry] {
            let text = String(decoding: try PosixProgram().read(Array("\(root)/MANIFEST.tsv".utf8)), as: UTF8.self)
            return try text.split(separator: "\n").dropFirst().map { line in
                let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                let hash = try #require(ContentHash(hexadecimal: columns[1]))
                return Entry(path: columns[0], hash: hash, format: columns[5])
            }
        }

        private static func regularFiles(below path: String) throws -> [String] {
            let files = LinuxFiles()
            return try files.list(files.openDirectory(Array(path.utf8))).flatMap { entry -> [String] in
                let name = path + String(decoding: entry.name, as: UTF8.self)
                switch entry.kind {
                case .directory: return try regularFiles(below: name + "/")
                case .regular: return name.hasSuffix("/.albumd-folder") ? [] : [name]
                default: return []
                }
            }
        }
    }
}
