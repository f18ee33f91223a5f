import MediaBytes
import MediaContainers
import MediaFacts
import Testing

/// Title, caption and keywords of files that were labelled before XMP came.
@Suite struct IPTCTests {
    private let records =
        Made.dataSet(2, 0, [0, 4]) + Made.dataSet(2, 5, "Tulips") + Made.dataSet(2, 25, "flower")
        + Made.dataSet(2, 25, "spring\nday") + Made.dataSet(2, 120, "By the window")
    private let tags: [MediaFacts.Tag: String] = [
        .iptcTitle: "Tulips", .iptcKeywords: "flower\nspring day", .iptcCaption: "By the window",
    ]

    @Test func theRecordsOfATIFFAreRead() {
        #expect(IPTCRecords(records + [0, 0, 0]).tags == tags)
        let value = Made.Entry(number: 0x83BB, type: 7, count: records.count, value: records)
        var block = ExifBlock()
        TIFFStream(FileBytes(Made.tiff([.text(0x010F, "Apple"), value]))).map { block.add($0) }
        #expect(block.iptc?.tags == tags)
    }

    @Test func aJPEGHasThemAmongPhotoshopsResources() {
        let segment = Made.ascii("Photoshop 3.0\0") + Made.imageResources(records)
        let jpeg = [0xFF, 0xD8, 0xFF, 0xED] + Made.big(segment.count + 2, 2) + segment + [0xFF, 0xDA, 0, 3, 1]
        #expect(JPEGSegments(in: FileBytes(jpeg)).iptc?.tags == tags)
    }

    @Test(arguments: [
        (Made.dataSet(1, 90, "\u{1B}%G") + Made.dataSet(2, 5, "Köln"), "Köln"), (Made.dataSet(2, 5, "Köln"), "Köln"),
        (Made.dataSet(2, 5, [0x4B, 0xF6, 0x6C, 0x6E]), "Köln"),
    ])
    func lettersAreReadAsTheyWereMeant(_ records: [UInt8], _ title: String) {
        #expect(IPTCRecords(records).tags[.iptcTitle] == title)
    }

    /// What is longer than there is, and a length that is itself a longer one.
    @Test(arguments: [[0x1C, 2, 5, 0, 9, 65], [0x1C, 2, 5, 0x80, 4, 0, 0, 0, 1, 65], [0x1C, 2]] as [[UInt8]])
    func whatIsCutOrTooLongIsNone(_ records: [UInt8]) { #expect(IPTCRecords(records).tags == [:]) }
}
