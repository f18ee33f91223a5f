import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A stored original that can neither be used nor replaced keeps its own source waiting, and no other (RULES R5).
@Suite struct RefusedOriginalTests {
    private func withBench(_ body: (EngineBench) throws -> Void) throws {
        try BenchDisk.simulated.withBench { try body($0) }
    }

    /// Where the bytes of a picture are stored.
    private func original(_ number: Int, in bench: EngineBench) throws -> [UInt8] {
        let name = try #require(SampleMedia.hash(SampleMedia.picture(number))).hexadecimal
        return bench.libraryPath + Array("/originals/\(name.prefix(2))/\(name).jpg".utf8)
    }

    @Test(arguments: [EBADMSG, EIO, EACCES]) func anUnreadableOriginalGetsTheBytesOfACopy(code: Int32) throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.simulation.files.breakNode(at: original(1, in: bench), code)
            try bench.write("in/copy.jpg", SampleMedia.picture(1))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            #expect(try bench.flush().waiting == [:])
            #expect(try bench.source("in/copy.jpg")?.outcome == .duplicate)
            #expect(try bench.source("in/b.jpg")?.outcome == .imported)
            #expect(try bench.program.read(original(1, in: bench)) == SampleMedia.picture(1))
        }
    }

    @Test func whatCannotBeReplacedFailsAloneAndIsTakenOnceItCanBe() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let shard = Array(try original(1, in: bench).dropLast(69))
            try bench.simulation.files.breakNode(at: shard, EBADMSG)
            try bench.write("in/copy.jpg", SampleMedia.picture(1))
            for number in 2..<9 { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            #expect(try bench.flush().waiting == [.ioError: 1])
            #expect(bench.engine?.status.pause == nil)
            for number in 2..<9 { #expect(try bench.source("in/\(number).jpg")?.outcome == .imported) }
            let hash = try #require(SampleMedia.hash(SampleMedia.picture(1)))
            #expect(try bench.catalogue().version(of: hash)?.condition == .corrupt)
            try bench.run(for: .seconds(60))
            let failed = try #require(try bench.source("in/copy.jpg"))
            #expect(failed.outcome == .failed && failed.reason == .ioError)
            #expect(failed.detail?.contains("Bad message") == true)
            try bench.simulation.files.heal(at: shard)
            try bench.scan()
            #expect(try bench.source("in/copy.jpg")?.outcome == .duplicate)
            #expect(try bench.catalogue().version(of: hash)?.condition == .sound)
        }
    }
}
