import Platform
import Synchronization
import Testing

/// The bulk of the work lets those go first that somebody waits for.
@Suite struct NamedThreadTests {
    private func niceness(yields: Bool) -> Int32 {
        let found = Mutex<Int32>(0)
        NamedThread.start("niceness", yields: yields) { found.withLock { $0 = NamedThread.niceness } }.join()
        return found.withLock { $0 }
    }

    @Test func aThreadThatYieldsIsNicerThanOthersAndAlone() {
        let before = NamedThread.niceness
        #expect(niceness(yields: true) > before || before >= 5)
        #expect(niceness(yields: false) == before)
        #expect(NamedThread.niceness == before)
    }
}
