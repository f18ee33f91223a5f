import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

extension Integration {
    /// The library against its disk, and back from what still has the bytes.
    @BlockingThread struct Verify {
        @Test func threeFaultsAreFoundAndMendedFromTheirSources() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<40)
                try albumd.flush()
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                for (drop, fault) in zip(drops, ["flip", "truncate", "remove"]) { try albumd.spoil(drop, by: fault) }
                let quick = try albumd.albumctl("verify")
                #expect(quick.code == 3 && quick.output.contains("Found: corrupt 1, missing 1."), "\(quick.output)")
                let deep = try albumd.albumctl("verify", "--deep")
                #expect(deep.code == 3 && deep.output.contains("Found: corrupt 2, missing 1."), "\(deep.output)")
                // What is missing from the disk is not said to be on it.
                #expect(try albumd.cloudStatus().residencies["missing"]?.count == 1)
                // Cut short and gone are no bytes that were read.
                #expect(deep.output.contains("40 originals were looked at, 38 read ("), "\(deep.output)")
                #expect(try albumd.status().problems.map(\.fix) == ["albumctl repair"])
                #expect(try albumd.status().summary.hasPrefix("37 of 40 assets are safe;"))
                let dry = try albumd.albumctl("repair", "--dry-run")
                #expect(dry.code == 0 && dry.output.contains("In all: wouldRepair 3"))
                #expect(try albumd.albumctl("verify").code == 3)
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 0 && mended.output.contains("In all: repaired 3"), "\(mended.output)")
                #expect(try albumd.albumctl("verify", "--deep", "--rate", "100MB/s").code == 0)
                #expect(try !albumd.status().isDegraded)
                try expectImported(drops, by: albumd)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// A start compares names, and a file that was emptied has its name still.
        @Test(arguments: [true, false]) func anOriginalThatWasEmptiedWhileAlbumdWasDownIsSaidAfterItsStart(
            isInOrder: Bool
        ) throws {
            try withAlbumd(test: "emptied \(isInOrder)") { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                if isInOrder { #expect(try albumd.stop() == .code(0)) } else { try albumd.kill() }
                let path = albumd.original(of: drops[0])
                chmod(path, 0o600)
                #expect(truncate(path, 0) == 0)
                try #require(try albumd.start() == nil)
                var words: [String] = []
                // Told by a change: none other comes.
                _ = try albumd.client.lines("/v1/changes", query: ["follow": "true"]) { line in
                    words.append(String(decoding: line, as: UTF8.self))
                    return words.last?.contains("setCondition") != true
                }
                #expect(try albumd.status().problems.map(\.fix) == ["albumctl repair"])
                #expect(try albumd.albumctl("repair").code == 0)
                #expect(try !albumd.status().isDegraded)
            }
        }

        @Test func whatNothingHasAnyMoreIsSaidAndComesBackBySave() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.spoil(drop, by: "flip")
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                #expect(try albumd.albumctl("verify", "--deep").code == 3)
                let lost = try albumd.albumctl("repair")
                #expect(lost.code == 3 && lost.output.contains("lost") && lost.output.contains(drop.path))
                #expect(try albumd.asset(identifier).state == .live)
                #expect(try albumd.status().problems.contains { $0.fix.hasPrefix("albumctl save FILE") })
                let backup = try albumd.drop("backup.jpg", drop.bytes, in: "run")
                #expect(try albumd.albumctl("save", backup.path).code == 0)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try albumd.original(identifier) == drop.bytes)
            }
        }

        @Test func anOrphanIsListedAndDeletedByItsOwnCommandAlone() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<2)
                try albumd.flush()
                let stranger = Drop(path: "", bytes: Array("nobody's".utf8))
                let path = albumd.original(of: stranger)
                let shard = String(path.dropLast(69))
                if access(shard, F_OK) != 0 { try albumd.other.makeDirectory(shard) }
                try albumd.other.write(path, stranger.bytes)
                let found = try albumd.albumctl("verify", "--deep")
                #expect(found.code == 0 && found.output.contains("1 orphan is kept"), "\(found.output)")
                #expect(found.output.contains("albumctl save the copy"), "\(found.output)")
                #expect(try albumd.status().orphanCount == 1)
                #expect(try albumd.albumctl("repair").code == 0)
                #expect(try albumd.albumctl("repair", "--discard-orphans").output.contains("wouldDiscard 1"))
                #expect(access(path, F_OK) == 0)
                #expect(try albumd.albumctl("repair", "--discard-orphans", "--yes").code == 0)
                #expect(access(path, F_OK) != 0)
                #expect(try albumd.status().orphanCount == 0)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
            }
        }

        @Test func aGapInTheJournalIsFoundAndClosed() throws {
            try withAlbumd { albumd in
                for number in 0..<3 {
                    try albumd.drop("\(number).jpg", SampleMedia.jpeg(number))
                    try albumd.flush()
                }
                try albumd.awaitFacts()
                let journal = albumd.installation.library + "/journal"
                let name = try #require(
                    try LinuxFiles().list(LinuxFiles().openDirectory(Array(journal.utf8))).first?.name)
                let path = Array((journal + "/").utf8) + name
                let lines = try albumd.other.read(path).split(separator: UInt8(ascii: "\n"))
                let whole = Array(lines.joined(separator: [10])) + [10]
                let cut = Array((lines.prefix(1) + lines.dropFirst(2)).joined(separator: [10])) + [10]
                try albumd.other.write(path, cut)
                let found = try albumd.albumctl("verify")
                #expect(found.code == 3 && found.output.contains("the changes 2 to 2"), "\(found.output)")
                // A person puts the right file back.
                try albumd.other.write(path, whole)
                #expect(try albumd.status().isDegraded)
                #expect(try albumd.albumctl("verify").code == 0)
                #expect(try !albumd.status().isDegraded)
                try albumd.other.write(path, cut)
                #expect(try albumd.albumctl("verify").code == 3)
                for isRestarted in [false, true] {
                    if isRestarted {
                        #expect(try albumd.stop() == .code(0))
                        try #require(try albumd.start() == nil)
                    }
                    let problem = try #require(try albumd.status().problems.first, "restarted: \(isRestarted)")
                    #expect(problem.what == "the journal lacks 1 change" && problem.fix == "albumctl repair")
                }
                #expect(try albumd.albumctl("repair", "--dry-run").code == 0)
                #expect(try albumd.status().isDegraded)
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 0 && mended.output.contains("journal  (1 change was missing)"))
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.albumctl("verify").code == 0)
                try albumd.stop()
                try albumd.start()
                #expect(try albumd.albumctl("verify").code == 0)
            }
        }

        /// One bit of the journal, and one of the history, that a reader would take for another change.
        @Test func aDamagedLineIsFoundByItsContentAndWrittenFromTheOtherSide() throws {
            try withAlbumd { albumd in
                for number in 0..<3 {
                    try albumd.drop("\(number).jpg", SampleMedia.jpeg(number))
                    try albumd.flush()
                }
                #expect(try albumd.stop() == .code(0))
                let journal = albumd.installation.library + "/journal"
                let name = try #require(
                    try LinuxFiles().list(LinuxFiles().openDirectory(Array(journal.utf8))).first?.name)
                let path = Array((journal + "/").utf8) + name
                let whole = String(decoding: try albumd.other.read(path), as: UTF8.self)
                // A key that may be left out: the line can be read all the same.
                let damaged = whole.replacing(#""fileSystem""#, with: #""fileSystel""#, maxReplacements: 1)
                try #require(damaged != whole)
                try albumd.other.write(path, Array(damaged.utf8))
                try albumd.damageHistory(.last)
                try #require(try albumd.start() == nil)
                let history = try albumd.albumctl("history")
                #expect(history.code != 0 && history.output.contains("albumctl verify --deep"), "\(history.output)")
                let found = try albumd.albumctl("verify", "--deep")
                #expect(found.code == 3, "\(found.output)")
                #expect(found.output.contains("historyDamaged 1, journalDamaged 1."), "\(found.output)")
                #expect(try albumd.status().problems.map(\.what).contains { $0.hasPrefix("2 changes are damaged") })
                #expect(try albumd.albumctl("repair", "--dry-run").output.contains("wouldRepair 2"))
                #expect(try albumd.albumctl("repair").output.contains("repaired 2"))
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try albumd.albumctl("history").code == 0)
                #expect(try albumd.stop() == .code(0))
                try #require(try albumd.start() == nil)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
            }
        }

        /// Both sides of one change are gone: nobody is sent to the same repair for ever.
        @Test func whatNoRepairCanWriteIsToldWithAnotherAdvice() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<2)
                try albumd.flush()
                #expect(try albumd.stop() == .code(0))
                try albumd.installation.writeConfiguration("[cloud]\nengine = \"none\"\n")
                let library = albumd.installation.library
                let others = ["find", library + "/journal", library + "/snapshots", "-type", "f", "-delete"]
                try #require(try run(others, in: albumd.scratch).end == .code(0))
                try albumd.damageHistory(.first)
                try #require(try albumd.start() == nil)
                let repair = try albumd.albumctl("repair")
                #expect(repair.output.contains("1 change is whole nowhere"), "\(repair.output)")
                let problem = try #require(try albumd.status().problems.first { $0.what.contains("the journal lacks") })
                #expect(problem.fix.contains("of a backup") && problem.fix.contains("snapshots/"))
                let verify = try albumd.albumctl("verify")
                #expect(verify.code == 3 && verify.output.contains("of a backup"), "\(verify.output)")
            }
        }

        /// A slow one runs, and its asker goes away: the next has its turn, and goes on where that one was.
        @Test func oneRunsAtATimeAndALeftOneMakesRoom() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<40, byteCount: 20_000)
                try albumd.flush()
                var request = VerifyRequest()
                (request.deep, request.bytesPerSecond) = (true, 100_000)
                var refused: Int?
                _ = try albumd.client.lines(
                    "/v1/verify", method: .post, query: [:], body: JSON.encode(request)
                ) { _ in
                    refused = (try? albumd.client.send(.post, "/v1/repair", body: Array("{}".utf8)))?.status
                    return false
                }
                #expect(refused == 409)
                // The daemon notices at its next write that nobody listens.
                var code: Int32 = 5
                while code == 5 { code = try albumd.albumctl("verify", "--deep", "--resume").code }
                #expect(code == 0)
            }
        }

        @Test func theDaemonEndsWhileItVerifies() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<40, byteCount: 20_000)
                try albumd.flush()
                var request = VerifyRequest()
                (request.deep, request.bytesPerSecond) = (true, 1000)
                var error: [UInt8] = []
                _ = try? albumd.client.lines(
                    "/v1/verify", method: .post, query: [:], body: JSON.encode(request)
                ) { line in
                    albumd.process?.send(SIGTERM)
                    error = line
                    return true
                }
                #expect(!String(decoding: error, as: UTF8.self).contains("\"end\""))
                #expect(try albumd.awaitEnd() == .code(0))
            }
        }
    }
}
