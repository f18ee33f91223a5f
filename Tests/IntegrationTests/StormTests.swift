import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// More at once than anybody drops, and what albumd may take of the machine meanwhile (RULES I35-I39).
    ///
    /// Overflows in a row are `WatcherTrouble`'s, and mute clients that find an idle daemon `ControlSocketCases`'.
    @BlockingThread struct Storms {
        /// RULES I36, I38: also stopped in the middle of it, which it survives with all that it had not yet taken.
        ///
        /// ALBUMD_BURST makes it as large as one likes.
        @Test func aBurstOfTwentyThousandFilesStaysWithinItsBounds() throws {
            try withAlbumd { albumd in
                let count = getenv("ALBUMD_BURST").flatMap { Int(String(cString: $0)) } ?? 20_000
                for step in 0..<2 {
                    let most = try Footprint.most(of: albumd) {
                        try dropTiny(step * count / 2..<(step + 1) * count / 2, albumd)
                        if step == 1 { try albumd.flush() }
                    }
                    try expectBounds(most, albumd)
                    guard step == 0 else { break }
                    #expect(try albumd.stop() == .code(0))
                    try #require(try albumd.start() == nil)
                }
                let status = try albumd.status()
                #expect(status.assetCount == count && status.waiting.isEmpty && !status.isDegraded)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// W08: thousands of directories made, renamed and removed, with a file in some.
        @Test func aStormOfDirectoriesLeavesNoWatchBehind() throws {
            try withAlbumd { albumd in
                try albumd.flush()
                let facts = ProcessFacts(pid: try #require(albumd.process?.pid))
                let before = try #require(facts.watches)
                let counted = try albumd.status().watches
                var kept: [Drop] = []
                let most = try Footprint.most(of: albumd) {
                    for round in 0..<20 { kept.append(try storm(round, albumd)) }
                    try albumd.flush()
                }
                try expectBounds(most, albumd)
                #expect(facts.watches == before, "\(before) watches before")
                #expect(try albumd.status().watches == counted)
                try expectImported(kept, by: albumd)
            }
        }

        /// RULES I35: mute clients take every place there is, and a burst every core.
        @Test func muteClientsInABurstKeepNobodyFromStatus() throws {
            try withAlbumd { albumd in
                let mute = try (0..<64).map { _ in try RudeClient(to: albumd.installation.socket) }
                for client in mute { client.send("GET /v1/status HTTP/1.1\r\nHost: loc") }
                let most = try Footprint.most(of: albumd) {
                    for round in 0..<20 {
                        try dropTiny(round * 50..<(round + 1) * 50, albumd)
                        // Answered at all: the client gives up at its own deadline.
                        #expect(try albumd.status().folders.count == 1)
                    }
                    try albumd.flush()
                }
                try expectBounds(most, albumd)
                #expect(try albumd.status().assetCount == 1000)
                withExtendedLifetime(mute) {}
            }
        }

        /// A hundred and fifty directories, one within the other by tens; in the end only a file in the folder stays.
        private func storm(_ round: Int, _ albumd: Albumd) throws -> Drop {
            let names = (0..<15).map { "storm\(round)_\($0)" }
            let deep = (0..<9).map { "d\($0)" }.joined(separator: "/")
            for name in names { try albumd.makeDirectories("\(name)/\(deep)") }
            let drop = try albumd.drop("\(names[0])/\(deep)/x.jpg", SampleMedia.jpeg(round))
            for name in names { try albumd.other.rename(albumd.path(name), to: albumd.path("moved_" + name)) }
            let kept = albumd.path("kept\(round).jpg")
            try albumd.other.rename(albumd.path("moved_\(names[0])/\(deep)/x.jpg"), to: kept)
            let removal = names.map { albumd.path("moved_" + $0) }
            try #require(try run(["rm", "-r"] + removal, in: albumd.scratch).end == .code(0))
            return Drop(path: kept, bytes: drop.bytes)
        }

        /// Pictures of a few hundred bytes, three hundred to a directory as cameras do it.
        private func dropTiny(_ numbers: Range<Int>, _ albumd: Albumd) throws {
            for number in numbers {
                let directory = "d\(number / 300)"
                if number % 300 == 0 || number == numbers.lowerBound { try albumd.makeDirectories(directory) }
                try albumd.drop("\(directory)/\(number).jpg", SampleMedia.jpeg(number))
            }
        }

        /// RULES I36.
        ///
        /// The clients are the mute ones and the tests' own.
        private func expectBounds(_ most: Footprint.Most, _ albumd: Albumd) throws {
            let pid = try #require(albumd.process?.pid)
            let peak = try #require(ProcessFacts(pid: pid).peakBytes)
            print("at most \(peak >> 20) MiB, \(most)")
            #expect(peak <= 256 << 20)
            #expect(most.descriptors <= 256 + 65)
            #expect(most.logBytes <= 64 << 20)
        }
    }
}
