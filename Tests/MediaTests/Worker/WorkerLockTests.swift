import Glibc
import Media
import Platform
import TestSupport
import Testing

/// The worker can do nothing but read what it is handed (RULES S3).
@Suite struct WorkerLockTests {
    @Test(arguments: [
        "open", "create", "unlink", "socket", "unix socket", "ptrace", "kill", "executable memory", "fork", "execve",
    ])
    func theLockRefuses(_ call: String) throws {
        guard let bench = WorkerBench() else { return }
        let refusals = try #require(bench.worker.tryTheLock())
        #expect(refusals[call] == EPERM)
    }

    @Test func everyTrialIsRefused() throws {
        guard let bench = WorkerBench() else { return }
        let refusals = try #require(bench.worker.tryTheLock())
        #expect(refusals.count == 10)
        #expect(refusals.values.allSatisfy { $0 == EPERM }, "\(refusals)")
    }

    /// A descriptor that can write is a hole in every lock.
    @Test func aFileThatIsOpenForWritingIsNotHandedOver() throws {
        guard let bench = WorkerBench() else { return }
        try withScratchFolder { scratch in
            let files = LinuxFiles()
            let file = try files.create(Array("a.jpg".utf8), in: try files.openDirectory(scratch.bytes))
            guard case .unreadable(let reason) = bench.worker.readFacts(of: file, .jpeg) else {
                Issue.record("it was read")
                return
            }
            #expect(reason.contains("open for writing"))
        }
    }
}
