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
                let passing = [Reason.empty, .companionAwaited].map(\.rawValue)
                #expect(try albumd.flush().waiting.keys.allSatisfy(passing.contains))
                let entries = try Self.entries(root)
                for entry in entries where !entry.isBad {
                    let report = try albumd.why(albumd.path(entry.path))
                    if entry.isSidecar, !Self.sidecarsOfPhotos.contains(entry.path) {
                        let reasons = ["skipped (notMedia)", "waits (companionAwaited)"]
                        #expect(reasons.contains(where: report.summary.contains), "\(entry.path): \(report.summary)")
                    } else {
                        let mapped = report.mappings.first { $0.path == albumd.path(entry.path) }
                        #expect(mapped?.sha256 == entry.hash, "\(entry.path): \(report.summary)")
                    }
                }
                for path in try Self.regularFiles(below: albumd.path("")) {
                    let report = try albumd.why(path)
                    let isMapped = try albumd.mapping(path) != nil
                    let hasReason = ["skipped (", "passed over", "waits (empty)", "waits (companionAwaited)"].contains {
                        report.summary.contains($0)
                    }
                    #expect(isMapped != hasReason, "\(path): \(report.summary)")
                }
                try expectUnits(of: entries, in: albumd)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Those that lie beside what they speak of.
        private static let sidecarsOfPhotos: Set = [
            "portrait/IMG_O5747.aae", "sidecars/2015-02-04.jpg.json", "sidecars/IMG_4120.AAE",
            "sidecars/PXL_20231006_063108407.jpg.json", "sidecars/Tulips.jpg.json", "sidecars/ladybug.xmp",
            "sidecars/photoshop.xmp",
        ]

        /// As many assets as the manifest has photos: the movies of Live Photos and the sidecars are none of their own.
        private func expectUnits(of entries: [Entry], in albumd: Albumd) throws {
            guard let corpus = FactsCorpus(), try hasWorker() else { return }
            let movies = Set(corpus.livePhotos.map(\.movie.path))
            let photos = Set(entries.filter { !$0.isBad && !$0.isSidecar && !movies.contains($0.path) }.map(\.hash))
            let rows = try albumd.assets()
            let good = rows.filter { row in row.resources.contains { photos.contains($0.versions[0].sha256) } }
            #expect(good.count == photos.count)
            let bad = Set(entries.filter(\.isBad).map(\.hash))
            #expect(rows.allSatisfy { row in good.contains(row) || bad.contains(row.resources[0].versions[0].sha256) })
            let several = rows.filter { $0.resources.count > 1 }
            #expect(several.count == corpus.livePhotos.count + Self.sidecarsOfPhotos.count)
            for pair in corpus.livePhotos {
                let picture = try albumd.identifier(of: albumd.path(pair.picture.path))
                #expect(try albumd.identifier(of: albumd.path(pair.movie.path)) == picture)
            }
            print("corpus: \(entries.count) files, \(rows.count) assets")
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
