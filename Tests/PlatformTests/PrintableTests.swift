import Platform
import Testing

@Suite struct PrintableTests {
    @Test(arguments: [
        ("plain \u{e9} \u{1F4F7}", "plain \u{e9} \u{1F4F7}"),
        ("\u{1B}[31mred", "\\x1b[31mred"),
        ("\u{1B}]0;title\u{07}", "\\x1b]0;title\\x07"),
        ("a\rb\nc\td", "a\\x0db\\x0ac\\x09d"),
        ("\u{7F}", "\\x7f"),
        ("\u{9B}31m", "\\xc2\\x9b31m"),
        ("\u{202E}gpj.exe", "\\u{202e}gpj.exe"),
        ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
        ("a\u{200B}b\u{200D}c\u{FEFF}", "a\\u{200b}b\\u{200d}c\\u{feff}"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ("back\\slash", "back\\x5cslash"),
    ])
    func controlsAndInvisiblesAreEscaped(text: String, expected: String) {
        #expect(printable(text) == expected)
    }

    @Test(
        arguments: [
            ([0x4A, 0xF1, 0x2E], "J\\xf1."),
            ([0xC3], "\\xc3"),
            ([0xE2, 0x82, 0x41], "\\xe2\\x82A"),
            ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
            ([0xC0, 0xAF], "\\xc0\\xaf"),
            ([0x00], "\\x00"),
        ] as [([UInt8], String)])
    func bytesThatAreNoTextAreEscaped(bytes: [UInt8], expected: String) {
        #expect(printable(bytes) == expected)
    }

    @Test func aNameThatLooksEscapedDiffersFromOneThatIs() {
        #expect(printable("\\xf1") != printable([0xF1]))
        #expect(printable("\\u{202e}") != printable("\u{202E}"))
    }
}
