import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// What is not imported for its size or its place: said, and said the same whoever looks (RULES S9).
    @BlockingThread struct BeyondLimits {
        @Test func photosThatLieTooDeepAreNeverCalledSafe() throws {
            try withAlbumd { albumd in
                let deep = (0..<70).map { "d\($0)" }.joined(separator: "/")
                try albumd.makeDirectories(deep)
                let drop = try albumd.drop("\(deep)/a.jpg", SampleMedia.jpeg(1))
                let other = try albumd.drop("b.jpg", SampleMedia.jpeg(2))
                try albumd.flush()
                try expectTold(albumd)
                try albumd.reconcile()
                try expectTold(albumd)
                #expect(try albumd.stop() == .code(0))
                #expect(try albumd.start() == nil)
                try albumd.flush()
                try expectTold(albumd)
                // Moved up, it is a photo like any other.
                try albumd.other.rename(drop.path, to: albumd.path("a.jpg"))
                try albumd.other.rename(albumd.path("d0"), to: albumd.scratch.path("elsewhere"))
                try albumd.reconcile()
                try albumd.flush()
                #expect(try !albumd.status().isDegraded)
                try expectImported([Drop(path: albumd.path("a.jpg"), bytes: drop.bytes), other], by: albumd)
            }
        }

        private func expectTold(_ albumd: Albumd, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let status = try albumd.status()
            #expect(status.isDegraded, sourceLocation: sourceLocation)
            #expect(
                status.problems.contains { $0.what.contains("is not imported: it lies deeper than 64 directories") },
                "\(status.problems)", sourceLocation: sourceLocation)
        }

        @Test func aFileThatIsTooLargeIsJudgedOnce() throws {
            try withAlbumd { albumd in
                let path = albumd.path("huge.mp4")
                try #require(try run(["truncate", "-s", "70G", path], in: albumd.scratch).end == .code(0))
                try albumd.flush()
                let token = try albumd.status().token
                for _ in 0..<2 { try albumd.reconcile() }
                #expect(try albumd.status().waiting.isEmpty)
                #expect(try albumd.status().token == token)
            }
        }
    }
}
