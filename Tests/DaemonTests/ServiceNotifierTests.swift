import Platform
import Synchronization
import Testing

@testable import Daemon

@Suite struct ServiceNotifierTests {
    @Test func aFileNameInAStatusCannotForgeAWord() throws {
        #expect(sent { $0.status("importing a\nREADY=1") } == ["STATUS=importing a\\x0aREADY=1"])
    }

    @Test func everyStateIsSaidInTheManagersWords() throws {
        #expect(sent { $0.ready("watching 2 folders") } == ["READY=1\nSTATUS=watching 2 folders"])
        #expect(sent { $0.stopping("finishing 3 imports") } == ["STOPPING=1\nSTATUS=finishing 3 imports"])
        #expect(sent { $0.alive() } == ["WATCHDOG=1"])
        #expect(sent { $0.extendTimeout(by: .milliseconds(1500)) } == ["EXTEND_TIMEOUT_USEC=1500000"])
    }

    /// RULES R52: nothing tells how far the check of a big catalogue is.
    @Test func aStartThatTakesLongAsksForTimeUntilItIsDone() {
        let words = Monitor<[String]>([])
        let notifier = ServiceNotifier { word in words.update { $0.append(word) } }
        let seen = notifier.extendingTimeout(every: .milliseconds(1)) { words.wait { $0.count >= 3 ? $0 : nil } }
        #expect(Set(seen) == ["EXTEND_TIMEOUT_USEC=4000"])
    }

    @Test func reloadingCarriesTheManagersClock() throws {
        let words = try #require(sent { $0.reloading() }.first).split(separator: "\n")
        #expect(words.first == "RELOADING=1")
        let microseconds = try #require(words.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(microseconds > 0)
    }

    @Test func eachKeyIsAFieldOfItsOwn() {
        let entry = Log.Entry(
            level: .notice, message: "imported",
            fields: [("localIdentifier", "A/L0/001"), ("bytes-2", "7"), ("é", "x")])
        let fields = journalFields(entry).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            fields == [
                "MESSAGE=imported", "PRIORITY=5", "SYSLOG_IDENTIFIER=albumd", "ALBUMD_LOCAL_IDENTIFIER=A/L0/001",
                "ALBUMD_BYTES_2=7", "ALBUMD__=x",
            ])
    }

    @Test func aLongValueIsCutBetweenCharacters() throws {
        let entry = Log.Entry(level: .info, message: String(repeating: "é", count: 5000), fields: [])
        let message = try #require(journalFields(entry).first)
        #expect(message.count <= 4096 + 16)
        let text = try #require(String(validating: message, as: UTF8.self))
        #expect(text.hasSuffix("é…"))
    }

    private func sent(_ say: (ServiceNotifier) -> Void) -> [String] {
        let words = Words()
        say(ServiceNotifier { words.add($0) })
        return words.all
    }
}

private final class Words: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ word: String) { list.withLock { $0.append(word) } }
}
