import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

extension Integration {
    /// What the real worker reads comes into the library of the real daemon.
    @BlockingThread struct Facts {
        /// What exiftool, ffprobe and vipsheader say of each.
        @Test func sizeDatePlaceAndCameraAreThoseOfTheManifest() throws {
            guard let corpus = FactsCorpus(), try Self.hasWorker() else { return }
            let entries = corpus.entries(40)
            #expect(entries.count == 40)
            try withAlbumd { albumd in
                for entry in entries { try albumd.drop(entry.name, corpus.bytes(of: entry)) }
                try albumd.flush()
                try albumd.awaitFacts()
                for entry in entries {
                    let row = try albumd.asset(try albumd.identifier(of: albumd.path(entry.name)))
                    guard let facts = row.facts else {
                        Issue.record("\(entry.path) has no facts: \(row.unreadable ?? "and no reason")")
                        continue
                    }
                    #expect(entry.differences(from: facts) == [], "\(entry.path)")
                    let isCaptured = facts.captureDate.map { $0.source != .modificationDate } ?? false
                    #expect(row.creationDateSource == (isCaptured ? .captured : .modified), "\(entry.path)")
                    #expect(!isCaptured || row.creationDate == facts.captureDate?.creationDate, "\(entry.path)")
                }
                let status = try albumd.status()
                #expect(status.facts.knownCount == status.assetCount && status.facts.unavailable == nil)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// The manifest's column `smart`, of all that are what they are by one file.
        @Test func eachPhotoIsInTheSmartAlbumsOfTheManifestAndNoOther() throws {
            guard let corpus = FactsCorpus(), try Self.hasWorker() else { return }
            let entries = corpus.singleFiles
            #expect(entries.count > 100)
            try withAlbumd { albumd in
                for entry in entries { try albumd.drop(entry.flatName, corpus.bytes(of: entry)) }
                try albumd.flush()
                try albumd.awaitFacts()
                var counts: [String: Set<LocalIdentifier>] = [:]
                for entry in entries {
                    let row = try albumd.asset(try albumd.identifier(of: albumd.path(entry.flatName)))
                    let found = Set((row.smartAlbums ?? []).map(\.rawValue))
                    // The manifest has no column for these; RAW is told by the format.
                    let beside: Set = [SmartAlbum.raw.rawValue, SmartAlbum.bursts.rawValue]
                    #expect(found.subtracting(beside) == entry.smart, "\(entry.path): \(row.unreadable ?? "")")
                    for album in found { counts[album, default: []].insert(row.localIdentifier) }
                }
                let listed: PageOf<SmartAlbumRow> = try albumd.get("/v1/smart-albums")
                #expect(listed.rows.map(\.title) == SmartAlbum.allCases)
                let all = try albumd.status().assetCount
                for row in listed.rows {
                    let isOfAll = row.title == .recents || row.title == .recentlyAdded
                    #expect(row.count == (isOfAll ? all : counts[row.title.rawValue]?.count ?? 0), "\(row.title)")
                }
                // docs/media.md: this one is cut, and says nothing of itself.
                let raw = entries.filter { $0.path.hasPrefix("raw/") && $0.name != "fixture.orf" }
                #expect(counts["RAW"]?.count == raw.count)
                #expect(counts["Bursts"]?.count ?? 0 >= 2)
                let shots: PageOf<AssetRow> = try albumd.get("/v1/assets", query: ["smart": "Screenshots"])
                #expect(Set(shots.rows.map(\.localIdentifier)) == counts["Screenshots"])
            }
        }

        /// Photos are as safe without the worker, and status says what is lacking.
        @Test func withoutTheWorkerOnlyTheFactsAreMissing() throws {
            try withAlbumd(isStarted: false) { albumd in
                // Beside a copy of albumd there is no albumd-media.
                let copy = albumd.scratch.path("albumd")
                try albumd.other.write(copy, try albumd.other.read(builtProgram("albumd")))
                try #require(chmod(copy, 0o755) == 0)
                albumd.installation.setup.program = copy
                try #require(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try expectImported(drops, by: albumd)
                let status = try albumd.awaitStatus { $0.facts.unavailable != nil }
                #expect(status.facts.unavailable?.what.hasPrefix("facts unavailable: ") == true)
                #expect(status.facts.unavailable?.fix.contains("make install") == true)
                #expect(status.facts.waitingCount == 3 && status.facts.knownCount == 0)
                #expect(!status.isDegraded && status.problems == [])
                // Once it is there, the next start reads what waits.
                try albumd.stop()
                guard try Self.hasWorker() else { return }
                albumd.installation.setup.program = builtProgram("albumd")
                try #require(try albumd.start() == nil)
                try albumd.awaitFacts()
                #expect(try albumd.status().facts == FactsStatus(knownCount: 3))
                #expect(try albumd.asset(try albumd.identifier(of: drops[0].path)).facts != nil)
            }
        }

        @Test func aKillInTheMiddleCostsNothing() throws {
            guard try Self.hasWorker() else { return }
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<200)
                try albumd.flush()
                try albumd.awaitStatus { $0.facts.knownCount > 0 }
                try albumd.kill()
                try #require(try albumd.start() == nil)
                try albumd.awaitFacts()
                try expectImported(drops, by: albumd)
                #expect(try albumd.status().facts == FactsStatus(knownCount: 200))
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// As after an update of albumd: what the reader of before had read, and what it could not, is read again.
        @Test func anotherVersionOfAlbumdReadsEverythingAgain() throws {
            guard try Self.hasWorker() else { return }
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.awaitFacts()
                try albumd.stop()
                let none = [UInt8](repeating: 0, count: 32)
                try Self.catalogue(of: albumd) { catalogue in
                    try catalogue.run("DELETE FROM reading WHERE hash = ?", .blob(none))
                    try catalogue.run(
                        "UPDATE reading SET reader = 1, facts = NULL, unreadable = 'too new', tries = 3")
                }
                try #require(try albumd.start() == nil)
                try albumd.awaitStatus { $0.facts.unreadableCount == 0 }
                try albumd.awaitFacts()
                #expect(try albumd.status().facts == FactsStatus(knownCount: 3))
                try albumd.stop()
                try Self.catalogue(of: albumd) { catalogue in
                    let known = try catalogue.first(
                        "SELECT count(*) FROM reading WHERE reader > 1 AND facts IS NOT NULL AND hash <> ?", .blob(none)
                    ) { $0.int(0) }
                    #expect(known == 3)
                }
                try #require(try albumd.start() == nil)
                try expectImported(drops, by: albumd)
            }
        }

        private static func catalogue(of albumd: Albumd, _ body: (Connection) throws -> Void) throws {
            let path = "\(albumd.installation.library)/catalogue.sqlite"
            let connection = try Connection(path: path, mode: .readWrite)
            defer { connection.close() }
            try body(connection)
        }

        private static func hasWorker() throws -> Bool {
            guard access(builtProgram("albumd-media"), X_OK) == 0 else {
                print("skipped: albumd-media was not built, for a library that it needs is missing")
                return false
            }
            return true
        }
    }
}
