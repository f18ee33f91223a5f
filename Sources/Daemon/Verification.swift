import Control
import PhotoModel
import PhotoStore
import Platform

/// Audits of the library, one at a time: those that a person asks for, and the background's.
final class Verification: Sendable {
    fileprivate struct State: Sendable {
        var isTaken = false
        /// Who asked has gone.
        var isCancelled = false
        var isStopping = false

        var ends: Bool { isCancelled || isStopping }
    }

    /// Two originals are read at once, whoever asks: the disk has other work.
    static let workers = 2
    let pool = BlockingPool(name: "albumd-verify", threadCount: workers, begin: takeLongTurns)
    private let state: Monitor<State>
    private let machine: Machine

    init(machine: Machine) {
        self.machine = machine
        state = Monitor(State())
    }

    /// The right to audit, until it is let go.
    final class Turn: Sendable {
        private let state: Monitor<State>

        fileprivate init(_ state: Monitor<State>) { self.state = state }

        func cancel() { state.update { $0.isCancelled = true } }

        deinit { state.update { $0.isTaken = false } }
    }

    /// Nil while another audit runs.
    func take() -> Turn? {
        let isMine = state.update { state in
            guard !state.isTaken, !state.isStopping else { return false }
            (state.isTaken, state.isCancelled) = (true, false)
            return true
        }
        return isMine ? Turn(state) : nil
    }

    /// The same for a person.
    func require() throws(Problem) -> Turn {
        guard let turn = take() else {
            throw .conflict("verifyRunning", "another verify or repair runs", fix: "try again when it has ended")
        }
        return turn
    }

    /// Keeps reading at so many bytes a second, and ends it with the turn or with the daemon.
    func pace(_ bytesPerSecond: Int64?) -> Pace {
        let pacer = Monitor(Pacer(bytesPerSecond: bytesPerSecond, now: machine.uptime()))
        return { [state, machine] count in
            let pause = pacer.update { $0.wait(for: count, now: machine.uptime()) }
            return state.wait(for: pause) { $0.ends ? () : nil } == nil
        }
    }

    /// As fast as it goes, until the daemon ends: for what is no audit.
    var unpaced: Pace {
        { [state] _ in state.update { !$0.isStopping } }
    }

    /// False where the daemon ends first.
    func rest(for time: Duration) -> Bool { state.wait(for: time) { $0.isStopping ? () : nil } == nil }

    /// Ends what runs, and refuses what comes.
    func requestStop() { state.update { $0.isStopping = true } }

    /// The same, and waits a moment for it.
    ///
    /// Blocks.
    func stop() {
        requestStop()
        state.wait(for: .seconds(5)) { $0.isTaken ? nil : () }
    }
}

/// An original that is looked at, and whether its bytes are read.
struct AuditedContent: Sendable {
    var version: Version
    var isRead: Bool
}

extension LibraryService {
    /// Looks at some originals, two at once, on threads of a pool; the answers are in the order given.
    func look(
        at contents: [AuditedContent], on pool: BlockingPool, pace: @escaping Pace
    ) async throws -> [StoredBytes] {
        let originals = library.directory.originals
        let work = Monitor((next: 0, looks: [StoredBytes?](repeating: nil, count: contents.count)))
        try await withThrowingTaskGroup { group in
            for _ in 0..<min(Verification.workers, contents.count) {
                group.addTask {
                    try await pool.run {
                        while true {
                            let index = work.update { work in
                                defer { work.next += 1 }
                                return work.next
                            }
                            guard index < contents.count else { return }
                            let (content, isRead) = (contents[index].version.content, contents[index].isRead)
                            let look = originals.look(at: content, reading: isRead, pace: pace)
                            work.update { $0.looks[index] = look }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        return work.update { $0.looks.compactMap(\.self) }
    }

    /// Writes down what was found; what the disk does not take now is told all the same, and found again later.
    func record(_ looks: [(content: Content, look: StoredBytes)]) async throws -> [AuditFinding] {
        do {
            return try await library.record(looks)
        } catch  where PhotoLibrary.refusal(error) != nil {
            machine.log(.error, "what was found of originals cannot be written down: \(error)")
            return try await library.findings(of: looks)
        }
    }

    /// The stored files that no row names; looked for beside the library's thread, and made sure of on it.
    func orphans() async throws -> [Orphan] {
        let originals = library.directory.originals
        let candidates = try await read { try originals.unnamed(in: $0) }
        return try await library.orphans(among: candidates)
    }
}
