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
    /// Kills the daemon and sees what is left (RULES I1-I13).
    @BlockingThread struct Crashes {
        private static let setup = Setup(folders: [
            TestFolder(), TestFolder(name: "moving", album: "Moved", lines: ["mode = \"move\""]),
        ])

        /// Each named point, when it is first reached and in the middle of the work: a start and an upload have one only.
        ///
        /// Those of a rebuild are `LostCatalogues`', those of an undo `Undoing`'s, those of the cloud `Cloud`'s, and that of
        /// a purge has a test of its own.
        nonisolated static let points = Milestone.allCases.filter {
            !LostCatalogues.points.contains($0) && !Undoing.points.contains($0) && !Cloud.points.contains($0)
                && $0 != .purgeCommitted
        }.flatMap { milestone in
            milestone == .recoverySwept || milestone == .uploadStaged
                ? [(milestone, 1)] : [(milestone, 1), (milestone, 2)]
        }

        @Test(arguments: Crashes.points)
        func aCrashAtANamedPointLosesAndDoublesNothing(milestone: Milestone, time: Int) throws {
            try withAlbumd(Self.setup, isStarted: false, test: "\(milestone)") { albumd in
                _ = try albumd.start(environment: ["ALBUMD_CRASH_AT": "\(milestone.rawValue):\(time)"])
                let drops = try dropThirty(albumd)
                if milestone == .uploadStaged { _ = try? save(SampleMedia.jpeg(1000), in: albumd) }
                // It really died there: a point that is never reached fails here.
                try #require(try albumd.awaitEnd(within: .seconds(60)) == .signal(SIGKILL))
                try #require(try albumd.start() == nil)
                #expect(try albumd.flush().waiting == [:])
                try expectImported(drops, by: albumd)
                try albumd.awaitFacts()
                #expect(try albumd.stop() == .code(0))
                try check(albumd, drops, contents: 24)
                try expectRecoveryChangesNothing(albumd)
            }
        }

        /// RULES R37: what was purged is gone after the next start, and nothing else is.
        @Test func aCrashInAPurgeIsFinishedByTheNextStart() throws {
            try withAlbumd(isStarted: false) { albumd in
                _ = try albumd.start(environment: ["ALBUMD_CRASH_AT": "\(Milestone.purgeCommitted.rawValue):1"])
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.delete(drops[0])
                _ = try? albumd.purgeAll()
                try #require(try albumd.awaitEnd(within: .seconds(60)) == .signal(SIGKILL))
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.trash().isEmpty)
                #expect(try albumd.mapping(drops[0].path)?.state == .dangling)
                try expectImported(Array(drops[1...]), by: albumd)
                #expect(try albumd.status().originalCount == 2)
                #expect(try albumd.stop() == .code(0))
            }
        }

        /// Thirty files with twenty-four contents: in place and by rename, in a folder that keeps and in one that moves.
        private func dropThirty(_ albumd: Albumd) throws -> [Drop] {
            var drops = try albumd.dropPictures(0..<12)
            drops += try (0..<3).map { try albumd.drop("again_\($0).jpg", SampleMedia.jpeg($0)) }
            drops += try albumd.dropPictures(100..<109, in: "moving")
            // A second batch at least; where the daemon is dead already there is nothing to wait for.
            _ = try? albumd.flush()
            drops += try (0..<3).map { try albumd.drop("kept_\($0).jpg", SampleMedia.jpeg($0), in: "moving") }
            for number in 200..<203 {
                try albumd.other.write(albumd.scratch.path("sent"), SampleMedia.jpeg(number))
                try albumd.other.rename(albumd.scratch.path("sent"), to: albumd.path("sent_\(number).jpg"))
                drops.append(Drop(path: albumd.path("sent_\(number).jpg"), bytes: SampleMedia.jpeg(number)))
            }
            return drops
        }

        private func save(_ bytes: [UInt8], in albumd: Albumd) throws -> SaveResult {
            let path = albumd.scratch.path("upload.jpg")
            try albumd.other.write(path, bytes)
            let file = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            let receipt = try JSON.decode(
                UploadReceipt.self, from: try albumd.client.upload("/v1/uploads", from: file).body)
            return try albumd.post("/v1/assets", SaveRequest(upload: receipt.upload))
        }

        /// The library is whole, each source is mapped once, and what a folder moves is gone only where it is mapped.
        private func check(_ albumd: Albumd, _ drops: [Drop], contents: Int) throws {
            let check = try LibraryCheck(albumd.installation.library)
            let mapped = try check.mappedPaths()
            for drop in drops { #expect(mapped[Array(drop.path.utf8)] == 1, "\(drop.path)") }
            #expect(mapped.count == drops.count)
            #expect(try check.assetCount() == contents)
            try check.run()
            for drop in drops {
                let bytes = try? albumd.other.read(drop.path)
                let isMoved = drop.path.hasPrefix(albumd.path("", in: "moving"))
                #expect(isMoved ? bytes == nil : bytes == drop.bytes, "\(drop.path)")
            }
        }

        /// RULES I12, I31: recovery done again finds nothing to do.
        private func expectRecoveryChangesNothing(_ albumd: Albumd) throws {
            let before = try LibraryCheck(albumd.installation.library).rows()
            try #require(try albumd.start() == nil)
            try albumd.flush()
            #expect(try albumd.stop() == .code(0))
            #expect(try LibraryCheck(albumd.installation.library).rows() == before)
        }

        /// ALBUMD_KILLS and ALBUMD_FILES make it as long as one likes.
        @Test func killedAtRandomMomentsDuringAnImportNothingIsLostOrDoubled() throws {
            let kills = Self.number("ALBUMD_KILLS") ?? 6
            let files = Self.number("ALBUMD_FILES") ?? 300
            let seed = UInt64(Self.number("ALBUMD_SEED") ?? 1)
            print("ALBUMD_SEED=\(seed)")
            var generator = SeededRandom(seed: seed)
            try withAlbumd(Self.setup, isStarted: false) { albumd in
                var drops: [Drop] = []
                for round in 0..<kills {
                    let process = try albumd.launch()
                    drops += try dropSome(round * files / kills..<(round + 1) * files / kills, albumd)
                    // The moment is chance; from the start of the process to well into the import.
                    _ = process.wait(for: .milliseconds(Int64(generator.next() % 800)))
                    try albumd.kill()
                }
                let began = Machine.bootTime()
                try #require(try albumd.start() == nil)
                let started = Machine.bootTime() - began
                #expect(try albumd.flush().waiting == [:])
                try albumd.awaitFacts()
                #expect(try albumd.stop() == .code(0))
                try check(albumd, drops, contents: files)
                print("\(kills) kills, \(files) files: the last start took \(started)")
                try expectRecoveryChangesNothing(albumd)
            }
        }

        /// New files, every fourth into the folder that moves, every tenth twice.
        private func dropSome(_ numbers: Range<Int>, _ albumd: Albumd) throws -> [Drop] {
            var drops: [Drop] = []
            for number in numbers {
                let bytes = SampleMedia.jpeg(number, byteCount: number % 7 * 3000)
                let folder = number % 4 == 0 ? "moving" : "inbox"
                drops.append(try albumd.drop("IMG_\(number).jpg", bytes, in: folder))
                if number % 10 == 0 { drops.append(try albumd.drop("copy_\(number).jpg", bytes)) }
            }
            return drops
        }

        private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
    }
}
