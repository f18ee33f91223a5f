import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// A file system that turns read-only under the engine's own changes: they wait, and are made once it takes them
/// again, without a restart (RULES R12).
@Suite struct ReadOnlyCatalogueTests {
    /// As SQLite says it of a log that cannot be written: SQLITE_IOERR_WRITE and EROFS.
    private static let refusal = DatabaseError(code: 778, message: "disk I/O error", sql: "COMMIT", systemError: EROFS)

    private func withBench(_ body: (EngineBench) throws -> Void) throws {
        try BenchDisk.simulated.withBench { try body($0) }
    }

    private func refuse(_ bench: EngineBench) {
        bench.simulation.onReach { if $0 == .beforeCatalogueCommit { throw Self.refusal } }
    }

    private func allow(_ bench: EngineBench) { bench.simulation.onReach(nil) }

    @Test func aPhotoWaits() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            refuse(bench)
            #expect(try bench.flush().waiting == [.libraryReadOnly: 1])
            allow(bench)
            try bench.run(for: .seconds(330))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func whatNeedsNoBytesWaits() throws {
        try withBench { bench in
            try bench.makeDirectory("in/d")
            try bench.program.makeFIFO(bench.path("in/fifo").bytes)
            try bench.write("in/list.txt", SampleMedia.text(1))
            refuse(bench)
            try bench.scan()
            #expect(try bench.flush().waiting[.libraryReadOnly] ?? 0 > 0)
            #expect(try bench.source("in/fifo") == nil)
            allow(bench)
            try bench.run(for: .seconds(330))
            #expect(try bench.source("in/list.txt")?.outcome == .skipped)
            #expect(try bench.source("in/fifo")?.reason == .notRegular)
        }
    }

    @Test func aSourceThatGoesIsTakenNoteOfLater() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            refuse(bench)
            try bench.remove("in/a.jpg")
            try bench.run(for: .seconds(60))
            #expect(try bench.source("in/a.jpg")?.departure == nil)
            // That a deletion waits is said.
            #expect(bench.engine?.status.unwritten?.code == EROFS)
            allow(bench)
            try bench.run(for: .seconds(60))
            #expect(try bench.source("in/a.jpg")?.departure != nil)
            #expect(bench.engine?.status.unwritten == nil)
        }
    }

    @Test func aFolderIsTakenOnLater() throws {
        try withBench { bench in
            refuse(bench)
            try bench.addFolder("late", album: "Late")
            try bench.run(for: .seconds(20))
            allow(bench)
            try bench.write("late/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(120))
            #expect(try bench.source("late/a.jpg")?.outcome == .imported)
        }
    }
}
