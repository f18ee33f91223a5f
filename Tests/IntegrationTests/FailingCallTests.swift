import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

/// A system call that fails, and how.
struct FailingCall: Sendable, CustomTestStringConvertible {
    var name: String
    var error = "EIO"
    /// Files that are dropped at once: beyond eight the batch is made durable by one syncfs (RULES R5).
    var fileCount = 1
    /// Every so manieth turn is tried after the first four: a transaction writes fifty pages.
    var step = 1

    var testDescription: String { "\(name) \(error)" }
}

extension Integration {
    /// Every Nth call of the commit protocol fails, for each N until none is left to fail (RULES R10, R11).
    @BlockingThread struct FailingCalls {
        nonisolated static let calls = [
            FailingCall(name: "fsync"), FailingCall(name: "fdatasync"), FailingCall(name: "syncfs", fileCount: 40),
            FailingCall(name: "renameat2"), FailingCall(name: "mkdirat"),
            FailingCall(name: "openat"), FailingCall(name: "openat2"),
            FailingCall(name: "pwrite64", step: 6), FailingCall(name: "unlinkat"),
            FailingCall(name: "mkdirat", error: "ENOSPC"), FailingCall(name: "renameat2", error: "ENOSPC"),
            FailingCall(name: "pwrite64", error: "ENOSPC", step: 6),
            FailingCall(name: "openat2", error: "ENOSPC", step: 3),
        ]

        @Test(.enabled(if: Privilege.canTrace, "needs root and strace"), arguments: FailingCalls.calls)
        func whatFailsAtAnyTurnLosesNothing(call: FailingCall) throws {
            try withAlbumd(test: "failing\(call.name)") { albumd in
                var drops: [Drop] = []
                var turn = 1
                while true {
                    let new = drops.count..<drops.count + call.fileCount
                    try albumd.flush()
                    let tracer = try trace(albumd, call, turn)
                    let fresh = try albumd.dropPictures(new, byteCount: 9000)
                    _ = try? albumd.flush(within: 5)
                    let acknowledged = fresh.map { try? albumd.mapping($0.path)?.localIdentifier }
                    let failed = tracer.detach()
                    drops += fresh
                    try restart(albumd)
                    try albumd.flush()
                    try expectImported(fresh, by: albumd)
                    try expectKept(acknowledged, fresh, albumd, failed)
                    if failed.isEmpty { break }
                    turn += turn < 4 ? 1 : call.step
                }
                print("\(call.testDescription): \(turn) turns")
                try expectImported(drops, by: albumd)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        private func trace(_ albumd: Albumd, _ call: FailingCall, _ turn: Int) throws -> Tracer {
            let pid = try #require(albumd.process?.pid)
            return try Tracer(on: pid, failing: call.name, with: call.error, turn: turn, in: albumd.scratch)
        }

        /// It may have ended by itself, but with the code that says why (RULES R10).
        private func restart(_ albumd: Albumd) throws {
            let end = try albumd.killUnlessEnded()
            #expect(end == .code(74) || end == .signal(SIGKILL), "\(albumd.log.suffix(2000))")
            try #require(try albumd.start() == nil)
        }

        /// What was said to be imported still has the identifier that was said (I2).
        private func expectKept(
            _ acknowledged: [LocalIdentifier??], _ drops: [Drop], _ albumd: Albumd, _ failed: [String]
        ) throws {
            for (identifier, drop) in zip(acknowledged, drops) {
                guard let identifier = identifier ?? nil else { continue }
                #expect(try albumd.identifier(of: drop.path) == identifier, "\(failed)")
            }
        }
    }
}
