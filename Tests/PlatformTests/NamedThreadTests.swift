import CLinux
import Platform
import Synchronization
import Testing

/// The bulk of the work lets those go first that somebody waits for.
@Suite struct NamedThreadTests {
    private func niceness(yields: Bool) -> Int32 {
        let found = Mutex<Int32>(0)
        NamedThread.start("niceness", yields: yields) { found.withLock { $0 = linux_niceness_of_this_thread() } }.join()
        return found.withLock { $0 }
    }

    @Test func aThreadThatYieldsIsNicerThanOthersAndAlone() {
        let before = linux_niceness_of_this_thread()
        #expect(niceness(yields: true) > before || before >= 5)
        #expect(niceness(yields: false) == before)
        #expect(linux_niceness_of_this_thread() == before)
    }
}
