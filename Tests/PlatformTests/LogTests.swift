import Platform
import Testing

@Suite struct LogTests {
    private let written = Monitor<[String]>([])
    private let time = Monitor(Duration.zero)

    private var log: Log {
        let (written, time) = (written, time)
        return Log.lines(minimum: .info, uptime: { time.update { $0 } }) { line in
            written.update { $0.append(String(decoding: line, as: UTF8.self)) }
        }
    }

    private var lines: [String] { written.update { $0 } }

    @Test func anEventIsOneLineOfFields() {
        log(.notice, "source imported", ["path": "/in/a b.jpg", "count": "2", "note": "say \"x=y\"", "empty": ""])
        #expect(
            lines == ["notice: source imported path=\"/in/a b.jpg\" count=2 note=\"say \\\"x=y\\\"\" empty=\"\"\n"])
    }

    @Test func aNameCannotForgeALine() {
        log(.warning, "skipped", ["path": "a\nerror: forged"])
        #expect(lines == ["warning: skipped path=\"a\\x0aerror: forged\"\n"])
    }

    @Test func aNameThatIsPrintableAlreadyIsNotEscapedAgain() {
        log(.warning, "skipped \(printable([0x61, 0x0A]))", ["path": printable([0xF1, 0x5C])])
        #expect(lines == ["warning: skipped a\\x0a path=\\xf1\\x5c\n"])
    }

    @Test func whatIsBelowTheMinimumIsNotWritten() {
        let log = log
        log(.debug, "detail")
        log(.info, "fact")
        log(.fault, "bug")
        #expect(lines == ["info: fact\n", "fault: bug\n"])
    }

    @Test func aLineHasAtMost4KiBAndNoHalfCharacter() {
        log(.info, String(repeating: "\u{e9}", count: 5000))
        #expect(lines[0].utf8.count <= 4096)
        #expect(lines[0].utf8.count >= 4094)
        #expect(!lines[0].contains("\u{FFFD}"))
        #expect(lines[0].hasSuffix("\u{e9}\n"))
    }

    @Test func aFloodIsHeldBackAndCounted() {
        let log = log
        for _ in 0..<25 { log(.warning, "cannot read", ["directory": "/a", "path": "x"]) }
        log(.warning, "cannot read", ["directory": "/b", "path": "x"])
        #expect(lines.count == 11)
        time.update { $0 += .seconds(10) }
        log(.warning, "cannot read", ["directory": "/a", "path": "y"])
        log(.warning, "cannot read", ["directory": "/a", "path": "z"])
        #expect(
            lines.suffix(2) == [
                "warning: cannot read directory=/a path=y suppressed=15\n",
                "warning: cannot read directory=/a path=z\n",
            ])
    }

    @Test func aFloodOfDifferentKeysIsForgottenInTheEnd() {
        var limit = RateLimit(count: 1, per: .seconds(10))
        for key in 0..<5000 { #expect(limit.pass("\(key)", at: .zero) == 0) }
        #expect(limit.pass("4999", at: .zero) == nil)
    }
}
