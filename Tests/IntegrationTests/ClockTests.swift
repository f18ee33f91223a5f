import Control
import FoundationEssentials
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A clock that jumps by years while the daemon runs (RULES R35, R50).
    @BlockingThread struct ClockJumps {
        @Test(.enabled(if: FakeTime.isAvailable, "needs g++"))
        func aClockThatJumpsByYearsDelaysNothingAndPurgesNothing() throws {
            try withAlbumd(isStarted: false) { albumd in
                albumd.installation.setup.wrapper = try FakeTime.wrapper(
                    clock: albumd.scratch.path("clock"), in: albumd.scratch)
                try set(years: 0, albumd)
                try #require(try albumd.start() == nil)
                var drops = try albumd.dropPictures(0..<3)
                let deleted = try albumd.drop("deleted.jpg", SampleMedia.jpeg(100))
                try albumd.flush()
                try albumd.delete(deleted)
                for (step, jump) in [10, -20, 0].enumerated() {
                    try set(years: jump, albumd)
                    drops += try albumd.dropPictures((step + 1) * 3..<(step + 2) * 3)
                    try albumd.flush()
                    try expectImported(drops, by: albumd)
                    #expect(try albumd.trash().count == 1, "after \(jump) years")
                    // A start looks for what may be purged.
                    #expect(try albumd.stop() == .code(0))
                    try #require(try albumd.start() == nil)
                    #expect(try albumd.trash().count == 1, "started after \(jump) years")
                }
                try expectSpanOfYears(albumd)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        private func set(years: Int, _ albumd: Albumd) throws {
            try albumd.other.write(albumd.scratch.path("clock"), "\(years * 365 * 86_400)")
        }

        /// The jumps did reach the daemon: assets were added more than twenty years apart.
        private func expectSpanOfYears(_ albumd: Albumd) throws {
            let dates = try albumd.assets().map(\.addedDate).sorted()
            let span = try #require(dates.last).timeIntervalSince(try #require(dates.first))
            #expect(span > 20 * 365 * 86_400)
        }
    }
}
