import PhotoModel
import Platform
import Testing

@testable import Media

@Suite struct AdjustmentSidecarTests {
    private let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
            <key>adjustmentBaseVersion</key>
            <integer>0</integer>
            <key>adjustmentData</key><data>bZBBT4Q=</data>
            <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
            <key>adjustmentFormatVersion</key> <string>1.4</string>
        </dict></plist>
        """

    /// `plistlib.dumps({...}, fmt=FMT_BINARY)` of the same keys, its data left out.
    private let binary: [UInt8] =
        Array("bplist00".utf8) + [0xD3, 1, 2, 3, 4, 5, 6]
        + [0x5F, 0x10, 0x15] + Array("adjustmentBaseVersion".utf8)
        + [0x5F, 0x10, 0x1A] + Array("adjustmentFormatIdentifier".utf8)
        + [0x5F, 0x10, 0x17] + Array("adjustmentFormatVersion".utf8)
        + [0x10, 0x00] + [0x5F, 0x10, 0x0F] + Array("com.apple.photo".utf8) + [0x53] + Array("1.4".utf8)
        + [8, 15, 39, 68, 94, 96, 114]
        + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 7] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 118]

    @Test func bothFormsAreRead() throws {
        for bytes in [Array(xml.utf8), binary] {
            let sidecar = try #require(AdjustmentSidecar(reading: bytes))
            #expect(sidecar.formatIdentifier == "com.apple.photo")
            #expect(sidecar.formatVersion == "1.4")
            #expect(sidecar.baseVersion == 0)
        }
    }

    @Test(arguments: [
        "", "bplist00", "<plist", "<plist><key>adjustmentFormatIdentifier</key>",
        "<plist><key>adjustmentFormatIdentifier</key><string>com.apple",
        "<key>adjustmentFormatIdentifier</key><string>a</string>",
        "<plist><key>adjustmentFormatIdentifier</key><dict><string>a</string></dict>",
        "<plist><key>adjustmentFormatIdentifier</key><string></string>",
    ])
    func otherBytesAreNone(text: String) { #expect(AdjustmentSidecar(reading: Array(text.utf8)) == nil) }

    /// Whatever bytes are broken, nothing traps.
    @Test func damagedListsDoNoHarm() {
        var random = SeededRandom(seed: 5)
        for bytes in [Array(xml.utf8), binary] {
            for _ in 0..<3000 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<damaged.count, using: &random)
                    damaged[place] = UInt8.random(in: 0...255, using: &random)
                }
                damaged.removeLast(Int.random(in: 0...8, using: &random))
                _ = AdjustmentSidecar(reading: damaged)
            }
        }
    }

    @Test func theCorpusRecipesAreRead() throws {
        guard let rows = Manifest.rows() else { return }
        for row in rows where row["format"] == "AAE" {
            let sidecar = AdjustmentSidecar(reading: try Corpus.bytes(of: row.path))
            #expect(sidecar?.formatIdentifier.hasPrefix("com.apple.") == true, "\(row.path)")
        }
    }
}
