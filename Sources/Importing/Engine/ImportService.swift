import Glibc
package import Media
package import PhotoModel
package import PhotoStore
package import Platform
import Synchronization

/// Runs the engine on a thread of its own: the mailbox, the wake-ups, and what others may ask of it.
///
/// What the engine throws is the end: the disk or the catalogue failed in a way that only a new start can judge, so
/// `failed` is told and the thread ends (RULES R10).
package final class ImportService: Sendable {
    private struct Mail {
        var events: [EngineEvent] = []
        var isStopping = false
    }

    package let board = SettleBoard()
    private let mailbox = Monitor(Mail())
    private let latest = Monitor(EngineStatus())
    private let firstScansEnd = Mutex<(@Sendable () -> Void)?>(nil)
    private let stopFlag = Atomic(false)
    private let machine: Machine
    /// True before the start, too: a service that could not be started is not waited for.
    private let ended = Monitor(true)

    package init(machine: Machine) { self.machine = machine }

    /// Starts the thread.
    ///
    /// `failed` is called at most once, on the engine's thread.
    package func start(
        library: PhotoLibrary, recogniser: MediaRecogniser, watch: WatchPort, facts: FactsPort?,
        failed: @escaping @Sendable (any Error) -> Void
    ) throws {
        // Opened here so that what is wrong is said to the caller; used on the thread alone.
        nonisolated(unsafe) let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
        ended.update { $0 = false }
        NamedThread.start("albumd-import") { [self] in
            takeLongTurns()
            let engine = ImportEngine(
                machine: machine, library: library, reader: reader, recogniser: recogniser, watch: watch, board: board,
                facts: facts, isStopping: { self.stopFlag.load(ordering: .relaxed) })
            do {
                try run(engine)
            } catch {
                failed(error)
                engine.abandon()
            }
            engine.facts?.rest()
            reader.close()
            ended.update { $0 = true }
        }
    }

    private func run(_ engine: ImportEngine) throws {
        var due: Duration?
        var isAtWork = false
        engine.publish = { status in
            self.latest.update { $0 = status }
            self.tellOfFirstScans(status)
        }
        while true {
            let (events, isStopping) = nextMail(until: due)
            if isStopping { return }
            due = try engine.step(events)
            let wasAtWork = isAtWork
            isAtWork = engine.status.folders.contains(where: \.isScanning) || board.update { $0.count > 0 }
            guard wasAtWork, !isAtWork else { continue }
            engine.facts?.rest()
            engine.releaseCaches()
            giveBackFreedMemory()
        }
    }

    private func nextMail(until due: Duration?) -> (events: [EngineEvent], isStopping: Bool) {
        let timeout = due.map { max(.zero, $0 - machine.uptime()) }
        return mailbox.wait(for: timeout) { mail in
            guard mail.isStopping || !mail.events.isEmpty else { return nil }
            defer { mail.events = [] }
            return (mail.events, mail.isStopping)
        } ?? ([], false)
    }

    package func post(_ event: EngineEvent) {
        mailbox.update { $0.events.append(event) }
    }

    /// Hands the rules over and returns when the engine has them, so that the next status speaks of these folders.
    ///
    /// Blocks, but no longer than ten seconds: an engine in a long step takes them afterwards.
    package func setFolders(_ rules: [FolderRule]) {
        post(.setFolders(rules))
        let wanted = Set(rules)
        _ = latest.wait(for: .seconds(10)) { Set($0.folders.map(\.rule)) == wanted ? () : nil }
    }

    /// The barrier: nil where `time` passed first.
    package func flush(name: [UInt8], within time: Duration) async -> FlushReport? {
        let deadline = machine.uptime() + time
        return await withCheckedContinuation { continuation in
            post(.flush(name: name, deadline: deadline) { continuation.resume(returning: $0) })
        }
    }

    /// Calls `body` once, when no folder that is online is still to be scanned for the first time: on the engine's
    /// thread, or at once.
    package func whenFirstScansEnd(_ body: @escaping @Sendable () -> Void) {
        firstScansEnd.withLock { $0 = body }
        tellOfFirstScans(status)
    }

    private func tellOfFirstScans(_ status: EngineStatus) {
        let isGoingOn = status.folders.contains { folder in
            folder.standing == .unknown || folder.standing == .online && folder.lastScan == nil
        }
        guard !isGoingOn else { return }
        let body = firstScansEnd.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }

    /// Puts files back that albumd had removed; in a dry run only what would hinder that is found out.
    package func putBack(_ sources: [Source], isDryRun: Bool) async -> [PutBack] {
        await withCheckedContinuation { continuation in
            post(.putBack(sources, isDryRun: isDryRun) { continuation.resume(returning: $0) })
        }
    }

    /// The engine as of its last step.
    package var status: EngineStatus { latest.update { $0 } }

    /// Ends copies, and the thread after the step that it is in.
    package func requestStop() {
        stopFlag.store(true, ordering: .relaxed)
        mailbox.update { $0.isStopping = true }
    }

    /// The same, and returns when it has ended.
    ///
    /// Blocks.
    package func stop() {
        requestStop()
        ended.wait { $0 ? () : nil }
    }
}
