import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What can happen to a file while it is looked at and copied (RULES R3, R14, R16, R18, R30; issue, "Bad input and faults").
@Suite struct StagingTests {
    private func withBench(_ body: (EngineBench) throws -> Void) throws {
        try BenchDisk.simulated.withBench { try body($0) }
    }

    private let a = Array("/in/a.jpg".utf8)

    @Test func aFileThatIsOpenForWritingWaitsForItsWriter() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.half(of: SampleMedia.picture(1)))
            let writer = try bench.program.openWriter(a)
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            #expect(try bench.flush().waiting == [.writerPresent: 1])
            #expect(try bench.source("in/b.jpg")?.outcome == .imported)
            #expect(try bench.catalogue().assetCount() == 1)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.program.closeWriter(writer)
            try bench.run(for: .seconds(60))
            #expect(try bench.source("in/a.jpg")?.evidence?.hash == SampleMedia.hash(SampleMedia.picture(1)))
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    @Test func aWriterThatComesDuringTheCopyGetsTheFile() throws {
        try withBench { bench in
            bench.meddle(at: .stagedHalf) { program in
                try program.closeWriter(try program.openWriter(Array("/in/a.jpg".utf8)))
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            #expect(try bench.flush().waiting == [.changedWhileCopied: 1])
            #expect(try bench.catalogue().assetCount() == 0)
            try bench.run(for: .seconds(20))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test(arguments: [true, false]) func aFileThatChangesDuringTheCopyIsNotImportedAsItWas(hasLeases: Bool) throws {
        try withBench { bench in
            bench.simulation.files.configure { $0.hasLeases = hasLeases }
            bench.meddle(at: .stagedHalf) { program in
                try program.write(Array("/in/a.jpg".utf8), SampleMedia.picture(2))
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(60))
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            let hashes = asset.resources.flatMap(\.versions).map(\.content.hash)
            #expect(hashes == [SampleMedia.hash(SampleMedia.picture(2))])
        }
    }

    @Test func aFileThatVanishesDuringTheCopyHasThatOutcome() throws {
        try withBench { bench in
            bench.meddle(at: .stagedHalf) { program in try program.unlink(Array("/in/a.jpg".utf8)) }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(60))
            #expect(try bench.catalogue().assetCount() == 0)
            #expect(try bench.source("in/a.jpg")?.outcome == .skipped)
            #expect(try bench.source("in/a.jpg")?.reason == .vanished)
            #expect(bench.board.candidates().isEmpty)
            // Until a scan has found that there is nothing.
            try bench.scan()
            #expect(try bench.source("in/a.jpg") == nil)
        }
    }

    @Test func aFileThatIsTruncatedDuringTheCopyIsEmptyAndThenSkipped() throws {
        try withBench { bench in
            bench.meddle(at: .stagedHalf) { program in try program.write(Array("/in/a.jpg".utf8), []) }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(120))
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(source.outcome == .skipped && source.reason == .empty)
            #expect(try bench.catalogue().assetCount() == 0)
        }
    }

    @Test func aFileThatIsReplacedByAFIFOIsSkipped() throws {
        try withBench { bench in
            bench.meddle(at: .stagedHalf) { program in
                try program.unlink(Array("/in/a.jpg".utf8))
                try program.makeFIFO(Array("/in/a.jpg".utf8))
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(60))
            #expect(try bench.source("in/a.jpg")?.reason == .notRegular)
            #expect(try bench.catalogue().assetCount() == 0)
        }
    }

    @Test func aFIFOIsNeverOpened() throws {
        try withBench { bench in
            func opened(_ body: () throws -> Void) rethrows -> Int {
                let before = bench.simulation.files.callCount(.openForReading)
                try body()
                return bench.simulation.files.callCount(.openForReading) - before
            }
            // The markers of the folders are.
            let usual = try opened { try bench.scan() }
            try bench.program.makeFIFO(bench.path("in/pipe.jpg").bytes)
            #expect(try opened { try bench.scan() } == usual)
            #expect(try bench.source("in/pipe.jpg")?.reason == .notRegular)
        }
    }

    @Test func aFileWithoutBytesIsPendingAndThenSkipped() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", [])
            #expect(try bench.flush().waiting == [.empty: 1])
            #expect(try bench.source("in/a.jpg") == nil)
            try bench.run(for: .seconds(40))
            #expect(try bench.source("in/a.jpg")?.reason == .empty)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    /// RULES R14: one line for each directory and hour.
    @Test func whatMayNotBeReadIsLoggedOnceAnHourForEachDirectory() throws {
        try withBench { bench in
            func lines() -> Int { bench.simulation.logEntries.count { $0.message.contains("may not read") } }
            for name in ["in/a.jpg", "in/b.jpg", "two/c.jpg"] {
                try bench.write(name, SampleMedia.picture(1))
                try bench.simulation.files.breakNode(at: bench.path(name).bytes, EACCES)
            }
            try bench.flush()
            #expect(lines() == 2)
            try bench.run(for: .seconds(3500))
            #expect(lines() == 2)
            try bench.run(for: .seconds(200))
            try bench.scan()
            #expect(lines() == 4)
        }
    }

    @Test func withoutLeasesAWholeFileIsTakenAndHalfAFileWaits() throws {
        try withBench { bench in
            bench.simulation.files.configure { $0.hasLeases = false }
            try bench.write("in/whole.jpg", SampleMedia.picture(1))
            try bench.write("in/half.jpg", SampleMedia.half(of: SampleMedia.picture(2)))
            #expect(try bench.flush().waiting == [.incomplete: 1])
            #expect(try bench.source("in/whole.jpg")?.outcome == .imported)
            try bench.run(for: .seconds(25))
            #expect(try bench.source("in/half.jpg") == nil)
            try bench.run(for: .seconds(15))
            #expect(try bench.source("in/half.jpg")?.outcome == .imported)
        }
    }
}
