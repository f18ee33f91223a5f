import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A directory of a mirrored folder whose rights are taken away while albumd runs (RULES R13, R14).
@Suite struct ClosedDirectoryTests {
    @Test func isToldWithoutAScanThatSomebodyAskedFor() throws {
        try withClosedDirectory { bench in
            attributesChanged(bench)
            try bench.run(for: .seconds(120))
            #expect(unreadable(bench) == ["d"])
        }
    }

    /// The kernel tells of a deletion that nobody can look at: it is judged when it can be.
    @Test func aDeletionInItIsMissingWhenItsRightsAreBack() throws {
        try withClosedDirectory { bench in
            bench.post(.watch([.gone(folder: 1, path: Array("d/a.jpg".utf8), isDirectory: false)]))
            try bench.run(for: .seconds(120))
            #expect(unreadable(bench) == ["d"])
            #expect(try bench.source("in/d/a.jpg")?.departure == nil)
            try bench.simulation.files.heal(at: bench.path("in/d").bytes)
            attributesChanged(bench)
            try bench.run(for: .seconds(300))
            #expect(unreadable(bench) == [])
            #expect(try bench.source("in/d/a.jpg")?.departure?.evidence == .missingOnScan)
            #expect(try state("in/d/a.jpg", bench) == .trashed)
        }
    }

    @Test func manyDeletionsInItAreOneScan() throws {
        try withClosedDirectory { bench in
            bench.post(.watch([.gone(folder: 1, path: Array("d/a.jpg".utf8), isDirectory: false)]))
            try bench.run(for: .seconds(120))
            let scans = bench.engine?.status.folders.first?.scanCount
            for number in 0..<100 {
                bench.post(.watch([.gone(folder: 1, path: Array("d/\(number).jpg".utf8), isDirectory: false)]))
            }
            try bench.run(for: .seconds(120))
            #expect(bench.engine?.status.folders.first?.scanCount == scans)
        }
    }

    /// The folder's directory `d` had a file, which is gone, and may not be read.
    private func withClosedDirectory(_ body: (EngineBench) throws -> Void) throws {
        try withMirror { bench in
            try bench.makeDirectory("in/d")
            try bench.write("in/d/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.program.unlink(bench.path("in/d/a.jpg").bytes)
            try bench.simulation.files.breakNode(at: bench.path("in/d").bytes, EACCES)
            try body(bench)
        }
    }

    private func attributesChanged(_ bench: EngineBench) {
        bench.post(.watch([.directoryAttributes(folder: 1, path: Array("d".utf8))]))
    }

    private func unreadable(_ bench: EngineBench) -> [String] {
        bench.engine?.status.folders.first?.unreadable.keys.map { printable($0.bytes) }.sorted() ?? []
    }
}
