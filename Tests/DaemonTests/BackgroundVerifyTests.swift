import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

@testable import Daemon

/// The slow verification that never ends.
@Suite struct BackgroundVerifyTests {
    private struct Bench {
        let library: PhotoLibrary
        let readers: LibraryReaders
        let verification: Verification
        let machine: Machine
        let uptime: Monitor<Duration>

        var background: BackgroundVerify {
            BackgroundVerify(
                library: library, readers: readers, verification: verification, knownFaults: knownFaults,
                machine: machine, fatal: FatalFailure())
        }

        var knownFaults: KnownFaults { KnownFaults(of: library.directory, machine: machine) }

        func pass(_ time: Duration) { uptime.update { $0 += time } }

        func condition(of hash: ContentHash) throws -> Condition? {
            try readers.readNow { try $0.version(of: hash)?.condition }
        }
    }

    /// A library of ten originals of a hundred bytes each, whose clock is the test's.
    private func withBench(_ body: (Bench, [Content], ScratchFolder) throws -> Void) throws {
        try withScratchFolder("background") { scratch in
            let uptime = Monitor(Duration.zero)
            var machine = Machine.live(log: .silent)
            machine.uptime = { uptime.update { $0 } }
            let library = try PhotoLibrary.open(
                Array(scratch.path("library").utf8), machine: machine, executor: .inline())
            let contents = try (0..<10).map { try add(UInt8($0), to: library) }.sorted { $0.hash < $1.hash }
            let bench = Bench(
                library: library, readers: try LibraryReaders(of: library, count: 1),
                verification: Verification(machine: machine), machine: machine, uptime: uptime)
            try body(bench, contents, scratch)
            bench.readers.close()
            library.onThread { $0.close() }
        }
    }

    private func add(_ number: UInt8, to library: PhotoLibrary) throws -> Content {
        let staged = try stagedBytes(number, in: library)
        let content = staged.content
        let creation = AssetCreation(
            localIdentifier: LocalIdentifier(library.machine.makeUUID()), mediaType: .image,
            creationDate: library.machine.now(), creationDateSource: .modified, resourceType: .photo,
            originalFilename: PathBytes("\(number).jpg"), content: content)
        try library.onThread { library in
            _ = try library.publish([staged], origin: "test") { change in
                try change.perform(.createAsset(creation))
            }
        }
        return content
    }

    private func spoil(_ content: Content, _ scratch: ScratchFolder) throws {
        let path = Array(scratch.path("library/").utf8) + content.path.bytes
        try PosixProgram().unlink(path)
        try PosixProgram().write(path, [UInt8](repeating: 99, count: 100))
    }

    /// Three per cent of a thousand bytes a day: an original of a hundred bytes every three days or so.
    @Test func rotIsFoundWithinAboutAMonthAndNotAtOnce() throws {
        try withBench { bench, contents, scratch in
            for content in contents { try spoil(content, scratch) }
            let background = bench.background
            try background.step()
            #expect(try bench.readers.readNow { try $0.contentCounts().unsound } == 0)
            bench.pass(.seconds(86_400))
            try background.step()
            #expect(try bench.readers.readNow { try $0.contentCounts().unsound } == 1)
            for _ in 0..<36 {
                bench.pass(.seconds(86_400))
                try background.step()
            }
            #expect(try bench.readers.readNow { try $0.contentCounts().unsound } == 10)
        }
    }

    @Test func aRestartGoesOnWhereItWas() throws {
        try withBench { bench, contents, scratch in
            let first = bench.background
            bench.pass(.seconds(86_400))
            try first.step()
            for content in contents { try spoil(content, scratch) }
            let second = bench.background
            bench.pass(.seconds(4 * 86_400))
            try second.step()
            #expect(try bench.condition(of: contents[0].hash) == .sound)
            #expect(try bench.condition(of: contents[1].hash) == .corrupt)
        }
    }

    @Test func besideAnotherAuditItReadsNothing() throws {
        try withBench { bench, contents, scratch in
            for content in contents { try spoil(content, scratch) }
            let background = bench.background
            bench.pass(.seconds(86_400))
            let turn = try #require(bench.verification.take())
            #expect(bench.verification.take() == nil)
            try background.step()
            #expect(try bench.condition(of: contents[0].hash) == .sound)
            withExtendedLifetime(turn) {}
        }
    }

    @Test func whenTheDaemonEndsItStops() throws {
        try withBench { bench, contents, scratch in
            try spoil(contents[0], scratch)
            bench.verification.requestStop()
            #expect(bench.verification.take() == nil)
            #expect(bench.verification.rest(for: .seconds(1000)) == false)
            #expect(bench.verification.pace(nil)(1) == false)
        }
    }
}
