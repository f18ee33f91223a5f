import MediaBytes
import MediaContainers
import MediaFacts
import Platform
import Testing

/// Nothing that a file may hold makes reading its container trap, or go on for ever.
///
/// A failing run is repeated exactly: the seed is fixed. `make fuzz` goes further.
@Suite struct HostileContainersTests {
    private static let samples: [[UInt8]] = [
        Made.imageResources(Made.dataSet(2, 5, "title") + Made.dataSet(2, 25, "word")),
        Made.dataSet(1, 90, "\u{1B}%G") + Made.dataSet(2, 120, "caption"),
        Made.heif(
            properties: [Made.box("irot", [1])], exif: Made.big(0, 4) + Made.tiff([.text(0x010F, "Apple")]),
            auxiliary: "urn"),
        Made.tiff(
            [.long(0x00FE, 0), .short(0x0100, 640), .short(0x0101, 480), .long(0x8769, 8), .long(0x014A, 8)], next: 8),
        Made.box("moov", Made.box("trak", Made.box("meta", Made.full("keys", Made.big(1, 4)) + Made.box("ilst")))),
        [0xFF, 0xD8, 0xFF, 0xE1, 0, 60] + Made.ascii("Exif\0\0") + Made.tiff([.text(0x010F, "Apple")]),
        Made.ascii("SEFH") + Made.little(106, 4) + Made.little(1, 4) + Made.little(0x0A30, 4) + Made.little(24, 4)
            + Made.little(24, 4) + Made.little(24, 4) + Made.ascii("SEFT"),
    ]

    @Test func mutatedFilesAreReadWithoutATrap() {
        var numbers = SeededRandom(seed: 20_261_130)
        for _ in 0..<20_000 {
            let sample = Self.samples[Int.random(in: 0..<Self.samples.count, using: &numbers)]
            readEverything(mutated(sample, &numbers))
        }
    }

    @Test func everyTruncationIsReadWithoutATrap() {
        for sample in Self.samples {
            for count in 0...sample.count { readEverything(Array(sample.prefix(count))) }
        }
    }

    /// A size that the file system states and a read that gives less, as of a file that shrinks meanwhile.
    @Test(arguments: [Int64.min, -1, 0, 1, 1 << 40, .max])
    func aFalseSizeIsHarmless(_ byteCount: Int64) {
        for sample in Self.samples {
            readEverything(
                FileBytes(byteCount: byteCount) { offset, count in
                    Array(sample.dropFirst(Int(clamping: offset)).prefix(count))
                })
        }
    }

    private func mutated(_ original: [UInt8], _ numbers: inout SeededRandom) -> [UInt8] {
        var bytes = original
        for _ in 0...Int.random(in: 0..<6, using: &numbers) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
            case 1:
                for index in place..<min(place + 4, bytes.count) {
                    bytes[index] = [0, 0xFF, 0x7F].randomElement(using: &numbers) ?? 0
                }
            case 2: bytes.removeSubrange(place..<min(place + 5, bytes.count))
            default: bytes.insert(contentsOf: bytes[place..<min(place + 16, bytes.count)], at: place)
            }
        }
        return bytes
    }
}

private func readEverything(_ bytes: [UInt8]) {
    readEverything(FileBytes(bytes))
    _ = AppleNote(bytes)
    _ = CamcorderNote(in: bytes)
    _ = IPTCRecords(bytes)
    _ = IPTCRecords(photoshop: bytes)
}

private func readEverything(_ file: FileBytes) {
    _ = HEIFItems(in: file)
    _ = MovieKeys(in: file)
    _ = PNGChunks(in: file)
    _ = JPEGSegments(in: file)
    _ = ByteSpan(movieOf: file, length: 10)
    _ = PixelSize(bitmap: file)
    _ = PixelSize(photoshop: file)
    guard let stream = TIFFStream(file) else { return }
    _ = stream.pictureSize
    var block = ExifBlock()
    block.add(stream)
    _ = block.bytes
}
