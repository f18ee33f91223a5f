import Media
import Platform
import Testing

/// Nothing that a file may hold makes recognising it trap.
///
/// A failing run is repeated exactly: the seed is fixed.
@Suite struct HostileBytesTests {
    private static let seed: UInt64 = 20_261_130

    private static let own = (SignatureTests.stills + SignatureTests.raws + SignatureTests.videos).map(\.bytes)

    /// The own samples, and the start of every file of the corpus.
    private static func samples() throws -> [[UInt8]] {
        let real = try Corpus.entries() ?? []
        return own + real.map { Array($0.bytes.prefix(FileEnds.windowByteCount)) }
    }

    /// The own samples, and the start of one real file of each format.
    private static func oneOfEachFormat() throws -> [[UInt8]] {
        let real = Dictionary(grouping: try Corpus.entries() ?? [], by: \.format)
        return own + real.values.compactMap { $0.first.map { Array($0.bytes.prefix(1024)) } }
    }

    @Test func mutatedFilesAreJudgedWithoutATrap() throws {
        let samples = try Self.samples()
        let recogniser = try MediaRecogniser()
        var numbers = SeededRandom(seed: Self.seed)
        for _ in 0..<2_000 {
            let bytes = mutated(samples[numbers.below(samples.count)], &numbers)
            _ = recogniser.recognise(Sample.ends(bytes), name: Sample.ascii("a.jpg"))
            _ = Sample.completeness(bytes)
        }
    }

    @Test func everyTruncationIsJudgedWithoutATrap() throws {
        let recogniser = try MediaRecogniser()
        for sample in try Self.oneOfEachFormat() {
            for count in 0...min(512, sample.count) {
                let bytes = Array(sample.prefix(count))
                _ = recogniser.recognise(Sample.ends(bytes), name: Sample.ascii("a.jpg"))
                _ = Sample.completeness(bytes)
            }
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 1 << 40, .max])
    func aFalseFileSizeIsHarmless(_ byteCount: Int64) throws {
        let recogniser = try MediaRecogniser()
        for sample in try Self.oneOfEachFormat() {
            let ends = FileEnds(head: sample, tail: Array(sample.suffix(100)), byteCount: byteCount)
            _ = recogniser.recognise(ends, name: [0xFF, 0x2E, 0xFE])
            _ = ContainerCheck(byteCount: byteCount, read: Sample.reader(sample)).completeness()
        }
    }

    @Test func directoriesThatPointAtThemselvesEnd() throws {
        var bytes = Sample.tiff("SONY", tags: [Sample.Tag(number: 0x14A, value: 8)])
        bytes.replaceSubrange(bytes.count - 9..<bytes.count - 5, with: Sample.little(8, 4))
        let verdict = try MediaRecogniser().recognise(Sample.ends(bytes), name: [])
        #expect(verdict == .media(.tiff))
    }

    /// A few bytes flipped, numbers set to extremes, a piece cut out or doubled.
    private func mutated(_ original: [UInt8], _ numbers: inout SeededRandom) -> [UInt8] {
        var bytes = original
        for _ in 0...numbers.below(8) where !bytes.isEmpty {
            // Signatures and headers stand at the start: aim there half of the time.
            let place = numbers.below(numbers.below(2) == 0 ? min(64, bytes.count) : bytes.count)
            switch numbers.below(4) {
            case 0: bytes[place] = UInt8(numbers.below(256))
            case 1:
                let extreme: [UInt8] = [
                    [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1],
                ][numbers.below(4)]
                for (offset, byte) in extreme.enumerated() where place + offset < bytes.count {
                    bytes[place + offset] = byte
                }
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + numbers.below(16)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 16)], at: place)
            }
        }
        return bytes
    }
}

extension SeededRandom {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }
}
