import Importing
import PhotoModel
import Platform
import TestSupport
import Testing

/// A scan is merged with rows in the order of their path bytes, so it must come in just that order.
@Suite struct ScanOrderTests {
    /// Has threads.
    private static let machine = Machine.live(log: .silent)

    @Test(arguments: [true, false]) func aDirectoryStandsWhereItsNameWithASlashWould(listsKinds: Bool) throws {
        let bench = try ScanBench()
        bench.files.configure { $0.listsKinds = listsKinds }
        try bench.make("a.jpg", "a/b", "a!b", "a0", "a-/x", "A", "ab/c")
        var walk = try bench.walk()
        let found = ["A", "a!b", "a-/x", "a.jpg", "a/b", "a0", "ab/c"]
        #expect(bench.items(&walk).map(\.text) == found)
        #expect(walk.isComplete)
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func everyTreeIsWalkedInTheOrderOfItsPathBytes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bench = try ScanBench()
        bench.files.configure { $0.listsKinds = seed % 2 == 0 }
        let names = Set((0..<60).map { _ in path(&random) })
        // A name is either a file or a directory: the first that comes decides.
        var made: [PathBytes] = []
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) where (try? bench.make([name])) != nil {
            made.append(PathBytes(name))
        }
        var walk = try seed % 4 < 2 ? bench.walk() : bench.walk(beginLoop: ScanOrderTests.machine.beginLoop)
        let slice = Int.random(in: 1...10, using: &random)
        #expect(bench.items(&walk, slice: slice).map(\.path) == made.sorted())
        #expect(walk.isComplete)
    }

    /// One to three components of few bytes, odd ones among them, so that prefixes of each other are frequent.
    private func path(_ random: inout SeededRandom) -> [UInt8] {
        let alphabet: [UInt8] = [0x01, 0x1B, 0x20, 0x21, 0x2D, 0x2E, 0x30, 0x61, 0x7F, 0xC3, 0xA9, 0xFF]
        let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            [0x61]
                + (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }
        }
        return Array(parts.joined(separator: [UInt8(ascii: "/")]))
    }
}
