import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A source goes only while its original has the very bytes that it has (RULES R4).
@Suite struct RemovalProofTests {
    private func withBench(_ test: String = #function, _ body: (EngineBench) throws -> Void) throws {
        try BenchDisk.simulated.withBench(
            test, rules: { try $0.addFolder("in", album: "Inbox") { $0.mode = .move } }, body)
    }

    private func isThere(_ name: String, _ bench: EngineBench) -> Bool {
        (try? bench.program.read(bench.path(name).bytes)) != nil
    }

    @Test func aSourceWhoseOriginalIsNotProvenStaysUntilItIs() throws {
        try withBench { bench in
            let name = try #require(SampleMedia.hash(SampleMedia.picture(1))).hexadecimal
            bench.meddle(at: .afterCatalogueCommit) { program in
                try program.write(Array("/library/originals/\(name.prefix(2))/\(name).jpg".utf8), [1, 2, 3])
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(3))
            #expect(isThere("in/a.jpg", bench))
            #expect(try bench.asset(of: "in/a.jpg")?.resources.first?.versions.first?.condition == .corrupt)
            try bench.run(for: .seconds(20))
            #expect(!isThere("in/a.jpg", bench))
            #expect(try bench.asset(of: "in/a.jpg")?.resources.first?.versions.first?.condition == .sound)
        }
    }

    /// No size and no time tells of it: the bytes are compared.
    @Test func anOriginalWithOneOtherBitIsNoProof() throws {
        try withBench { bench in
            let name = try #require(SampleMedia.hash(SampleMedia.picture(1))).hexadecimal
            let files = bench.simulation.files
            bench.meddle(at: .afterCatalogueCommit) { _ in
                try files.rot(at: Array("/library/originals/\(name.prefix(2))/\(name).jpg".utf8), byte: 100)
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(3))
            #expect(isThere("in/a.jpg", bench))
            #expect(try bench.asset(of: "in/a.jpg")?.resources.first?.versions.first?.condition == .corrupt)
        }
    }

    /// What a failing card gives on second reading: the photo that was imported stays, and so does the file.
    @Test func aSourceThatReadsOtherwiseTheSecondTimeStays() throws {
        try withBench { bench in
            let files = bench.simulation.files
            bench.meddle(at: .afterCatalogueCommit) { _ in try files.rot(at: Array("/in/a.jpg".utf8), byte: 100) }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(3))
            #expect(isThere("in/a.jpg", bench))
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            #expect(asset.resources.first?.versions.first?.condition == .sound)
        }
    }

    /// A source that went for an original in the wrong directory would be lost when the right one is put back.
    @Test(arguments: [false, true]) func nothingGoesWhileTheOriginalsMayBeOthers(isLost: Bool) throws {
        try BenchDisk.simulated.withBench(
            "others-\(isLost)", rules: { try $0.addFolder("in", album: "Inbox") { $0.mode = .move } }
        ) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            bench.end(inOrder: false)
            let originals = bench.libraryPath + Array("/originals".utf8)
            try bench.program.rename(originals, to: bench.path("away").bytes)
            try bench.program.makeDirectory(originals)
            try bench.start()
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            #expect(try bench.flush().waiting == [.libraryReadOnly: 1])
            #expect(isThere("in/b.jpg", bench))
            let files = bench.simulation.files
            #expect(try files.list(files.openDirectory(originals)).isEmpty)
            if isLost {
                try #require(bench.library).acceptEmptied()
                try bench.run(for: .seconds(600))
            } else {
                bench.end(inOrder: false)
                try bench.program.removeDirectory(originals)
                try bench.program.rename(bench.path("away").bytes, to: originals)
                try bench.start()
                try bench.scan()
            }
            try bench.flush()
            #expect(try bench.asset(of: "in/b.jpg")?.state == .live)
        }
    }
}
