import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import TestSupport
import Testing

/// A sidecar that comes before what it speaks of waits, but not for ever.
@Suite struct AwaitedSidecarTests {
    private static let xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"></x:xmpmeta>".utf8)

    @Test func itWaitsForTheConfiguredTimeAndIsPassedOverThen() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg.xmp", Self.xmp)
            #expect(try bench.flush().waiting == [.companionAwaited: 1])
            #expect(try bench.source("in/a.jpg.xmp") == nil)
            try bench.run(for: .seconds(290))
            let key = try #require(try bench.key(bench.path("in/a.jpg.xmp")))
            #expect(bench.board[key]?.reason == .companionAwaited)
            try bench.run(for: .seconds(20))
            let row = try bench.source("in/a.jpg.xmp")
            #expect(row?.outcome == .skipped && row?.reason == .notMedia && bench.board[key] == nil)
            // Nothing of it is stored, and a scan leaves it at that.
            #expect(try bench.catalogue().contentCounts().all == 0)
        }
    }

    @Test(arguments: [10, 400]) func whenItsPhotoComesItIsTakenUp(secondsLater: Int) throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg.xmp", Self.xmp)
            _ = try bench.flush()
            try bench.run(for: .seconds(secondsLater))
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            try bench.run(for: .seconds(10))
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            #expect(asset.resources.map(\.type) == [.photo, .xmpSidecar])
            #expect(try bench.source("in/a.jpg.xmp")?.localIdentifier == asset.localIdentifier)
        }
    }

    /// Photos of other names leave it alone.
    @Test func anotherPhotoIsNotItsOwn() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/IMG_1.xmp", Self.xmp)
            try bench.write("in/IMG_10.jpg", SampleMedia.picture(1))
            #expect(try bench.flush().waiting == [.companionAwaited: 1])
            #expect(try bench.asset(of: "in/IMG_10.jpg")?.resources.count == 1)
        }
    }
}
