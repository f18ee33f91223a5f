import FoundationEssentials
import PhotoModel
import Testing

@testable import albumctl

@Suite struct TextTests {
    @Test(arguments: [
        ("a\u{1B}[31m", "a\\x1b[31m"), ("a\nb", "a\\x0ab"), ("J\\xf1.jpg", "J\\xf1.jpg"), ("\u{202E}", "\\u{202e}"),
        ("Grüße ✓", "Grüße ✓"), ("\u{9B}", "\\xc2\\x9b"), ("\\\u{1B}\\", "\\\\x1b\\"),
    ])
    func proseKeepsItsBackslashesAndNothingElseThatIsObeyed(text: String, expected: String) {
        #expect(inert(text) == expected)
        #expect(inert(inert(text)) == inert(text))
    }

    @Test func aNameIsShownByItsBytesWhereItIsNoText() {
        let base64 = Data([0x4A, 0xF1, 0x5C]).base64EncodedString()
        #expect(shown("whatever", base64) == "J\\xf1\\x5c")
        #expect(shown("a\\b") == "a\\x5cb")
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (12_345, "12.3 kB"),
        (999_949, "999.9 kB"), (999_999, "1.0 MB"), (5_000_000_000, "5.0 GB"), (.max, "9223.4 PB"),
    ])
    func aSizeIsReadable(bytes: Int64, text: String) { #expect(size(bytes) == text) }

    @Test(arguments: [(0.4, "0s"), (59, "59s"), (61, "1m"), (7200, "2h"), (200_000, "2d"), (-5, "now")])
    func anAgeHasOneUnit(seconds: Double, text: String) {
        #expect(age(of: Sample.date.addingTimeInterval(-seconds), at: Sample.date) == text)
    }

    @Test func aTimeIsLocal() throws {
        let text = localTime(Date(timeIntervalSince1970: 0))
        let date = try runProgram(Array("/bin/date".utf8), ["-d@0", "+%F %T"].map { Array($0.utf8) })
        #expect(text + "\n" == String(decoding: date.output, as: UTF8.self))
        #expect(localTime(Date(timeIntervalSince1970: 1e300)).isEmpty == false)
    }

    @Test func columnsStandUnderEachOther() {
        var table = Table("A", "B", "C")
        table.add("long", "日本", "x")
        table.add("1", "e\u{301}", "yy")
        #expect(table.lines == ["A     B     C", "long  日本  x", "1     e\u{301}     yy"])
    }

    @Test func countsAreListedTheMostFirst() {
        #expect(listed(["a": 1, "b": 3, "c": 0, "d": 1]) == "b 3, a 1, d 1")
    }
}
