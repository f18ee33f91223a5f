import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

/// Watches what a daemon takes of the machine while a test does something to it (RULES I36).
final class Footprint: Sendable {
    struct Most {
        var descriptors = 0
        var watches = 0
        var logBytes: Int64 = 0
    }

    private let most = Mutex(Most())
    private let isDone = Monitor(false)

    /// Runs `body` while the daemon is looked at again and again, and gives the most that was seen.
    static func most(of albumd: Albumd, during body: () throws -> Void) throws -> Most {
        let footprint = Footprint()
        let facts = ProcessFacts(pid: try #require(albumd.process?.pid))
        let log = albumd.installation.library + "/catalogue.sqlite-wal"
        let observer = NamedThread.start("test-observer") { footprint.look(at: facts, log) }
        defer {
            footprint.isDone.update { $0 = true }
            observer.join()
        }
        try body()
        return footprint.most.withLock { $0 }
    }

    private func look(at facts: ProcessFacts, _ log: String) {
        // Often enough to see a peak, seldom enough to leave the machine to the daemon.
        while isDone.wait(for: .milliseconds(20), { $0 ? true : nil }) == nil {
            var status = stat()
            let bytes = stat(log, &status) == 0 ? Int64(status.st_size) : 0
            let (descriptors, watches) = (facts.descriptors.count, facts.watches ?? 0)
            most.withLock {
                $0.logBytes = max($0.logBytes, bytes)
                $0.descriptors = max($0.descriptors, descriptors)
                $0.watches = max($0.watches, watches)
            }
        }
    }
}
