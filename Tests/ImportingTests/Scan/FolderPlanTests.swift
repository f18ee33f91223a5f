import EngineSupport
import Glibc
import Importing
import Media
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A plan tells what an import would do, and lists as unchanged what was judged already.
@Suite struct FolderPlanTests {
    /// What a plan says of each file, by its name below the base.
    private func plan(_ bench: EngineBench) throws -> [String: PlanItem] {
        let library = try #require(bench.library)
        let dryRun = try DryRun(
            bench.engine?.status.folders ?? [], board: bench.board, library: library,
            recogniser: try MediaRecogniser(), machine: bench.machine)
        var items: [String: PlanItem] = [:]
        while let some = try dryRun.advance() {
            for item in some { items[printable(item.path.relative(to: PathBytes(bench.base)).bytes)] = item }
        }
        return items
    }

    @Test func ofEqualNewFilesTheFirstIsImportedAndTheOthersAreDuplicates() throws {
        try BenchDisk.real.withBench { bench in
            for name in ["in/b.jpg", "in/a.jpg", "two/c.jpg"] { try bench.write(name, SampleMedia.picture(1)) }
            try bench.write("two/d.jpg", SampleMedia.picture(2))
            // One is seen by the scan alone, like a file that no event told of.
            try bench.program.write(bench.path("in/0.jpg").bytes, SampleMedia.picture(1))
            // The engine hears of the others.
            try bench.run(for: .milliseconds(100))
            let planned = try plan(bench)
            #expect(planned["in/b.jpg"]?.outcome == .imported)
            for name in ["in/0.jpg", "in/a.jpg", "two/c.jpg"] {
                #expect(planned[name]?.outcome == .duplicate)
                #expect(planned[name]?.detail?.contains("in/b.jpg") == true)
            }
            #expect(planned["two/d.jpg"]?.outcome == .imported)
            try bench.scan()
            for (name, item) in planned { #expect(try bench.source(name)?.outcome == item.outcome, "\(name)") }
        }
    }

    @Test func whatNoImportWouldCopyIsNotPlannedToBeImported() throws {
        try BenchDisk.real.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            #expect(truncate(String(decoding: bench.path("in/a.jpg").bytes, as: UTF8.self), 1 << 37) == 0)
            let item = try #require(try plan(bench)["in/a.jpg"])
            #expect(item.outcome == .skipped && item.reason == .tooLarge)
        }
    }

    @Test func aSidecarWouldJoinItsPhotoOrAwaitIt() throws {
        try BenchDisk.real.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            for name in ["in/a.jpg.xmp", "in/b.xmp"] {
                try bench.program.write(bench.path(name).bytes, SampleMedia.sidecar(name.utf8.count))
            }
            let planned = try plan(bench)
            #expect(planned["in/a.jpg.xmp"]?.outcome == .imported && planned["in/a.jpg.xmp"]?.reason == .paired)
            #expect(try planned["in/a.jpg.xmp"]?.localIdentifier == bench.source("in/a.jpg")?.localIdentifier)
            #expect(planned["in/b.xmp"]?.outcome == .pending && planned["in/b.xmp"]?.reason == .companionAwaited)
            try bench.scan()
            let row = try bench.source("in/a.jpg.xmp")
            #expect(row?.outcome == .imported && row?.reason == .paired && row?.localIdentifier != nil)
            #expect(try bench.source("in/b.xmp") == nil)
        }
    }

    @Test func inASettledFolderNothingWouldChange() throws {
        try BenchDisk.real.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.write("in/b.jpg", SampleMedia.picture(1))
            try bench.write("in/list.txt", SampleMedia.text(1))
            try bench.write("in/empty.jpg", [])
            try bench.program.makeSymlink(bench.path("in/link").bytes, to: Array("a.jpg".utf8))
            try bench.program.makeFIFO(bench.path("in/pipe").bytes)
            let before = try plan(bench)
            #expect(before.values.allSatisfy { !$0.isUnchanged })
            try bench.scan()
            let after = try plan(bench)
            #expect(after.count == before.count)
            for (name, item) in after { #expect(item.isUnchanged, "\(name): \(item)") }
        }
    }

    @Test func aPlanNamesAnAlbumAsItIsCalledNow() throws {
        try BenchDisk.real.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            #expect(try plan(bench)["in/a.jpg"]?.album == PathBytes("Inbox"))
            try bench.flush()
            let album = try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).first)
            let renaming = AlbumRenaming(localIdentifier: album.localIdentifier, title: PathBytes("Renamed"))
            try bench.perform(.renameAlbum(renaming))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            #expect(try plan(bench)["in/b.jpg"]?.album == PathBytes("Renamed"))
        }
    }

    @Test func whatIsStillBlockedIsPlannedAsBlocked() throws {
        try BenchDisk.real.withBench(rules: { try $0.addFolder("in", album: "Inbox") { $0.onAlbumMissing = .hold } }) {
            bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let album = try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).first)
            try bench.perform(.deleteAlbum(AlbumDeletion(localIdentifier: album.localIdentifier)))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            let item = try #require(try plan(bench)["in/b.jpg"])
            #expect(item.outcome == .blocked && item.reason == .albumMissing && !item.isUnchanged)
        }
    }

    @Test func aFileThatMovedIsPlannedAsTheImportTakesIt() throws {
        try BenchDisk.real.withBench { bench in
            for number in 1...2 { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            try bench.flush()
            let moved = try bench.source("in/1.jpg")?.localIdentifier
            try bench.rename("in/1.jpg", to: "two/1.jpg")
            try bench.write("two/2.jpg", SampleMedia.picture(2))
            let planned = try plan(bench)
            #expect(planned["two/1.jpg"]?.outcome == .imported && planned["two/1.jpg"]?.reason == .moved)
            #expect(planned["two/1.jpg"]?.localIdentifier == moved)
            #expect(planned["two/2.jpg"]?.outcome == .duplicate)
            try bench.flush()
            #expect(try bench.source("two/1.jpg")?.reason == .moved)
            #expect(try bench.source("two/2.jpg")?.outcome == .duplicate)
        }
    }

    @Test func aFileThatWasOnlyTouchedIsUnchanged() throws {
        try BenchDisk.real.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.touch("in/a.jpg", modified: 1_700_000_000_000_000_000)
            #expect(try plan(bench)["in/a.jpg"]?.isUnchanged == true)
        }
    }
}
