import Synchronization
import Testing

@testable import albumctl

/// How far long work is: drawn on a terminal, lines in a pipe where that is wanted.
@Suite struct ProgressLineTests {
    private final class Told: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let now = Mutex(Duration.zero)

        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

        func line(isTerminal: Bool, tellsPipes: Bool) -> ProgressLine {
            let sinks = Output.Sinks(
                out: { _ in true },
                error: { [self] more in
                    bytes.withLock { $0 += more }; return true
                })
            return ProgressLine(
                Output(sinks, isJSON: false, showsProgress: isTerminal), uptime: { [self] in now.withLock { $0 } },
                tellsPipes: tellsPipes)
        }

        func pass(_ time: Duration) { now.withLock { $0 += time } }
    }

    @Test func aPipeGetsALineEveryTenSecondsAndNothingOfWhatIsShort() {
        let told = Told()
        let line = told.line(isTerminal: false, tellsPipes: true)
        for second in 0..<25 {
            line.show { "\(second) s" }
            told.pass(.seconds(1))
        }
        line.clear()
        #expect(told.text == "albumctl: 10 s\nalbumctl: 20 s\n")
    }

    @Test func aPipeIsToldNothingWhereNobodyWantsThat() {
        let told = Told()
        let line = told.line(isTerminal: false, tellsPipes: false)
        told.pass(.seconds(60))
        line.show { "x" }
        line.clear()
        #expect(told.text.isEmpty)
    }

    @Test func aTerminalIsDrawnOn() {
        let told = Told()
        let line = told.line(isTerminal: true, tellsPipes: true)
        line.show { "x" }
        line.show { "y" }
        line.clear()
        #expect(told.text == "\rx\u{1B}[K\r\u{1B}[K")
    }
}
