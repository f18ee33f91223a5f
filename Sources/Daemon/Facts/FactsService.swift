import Cloud
import Control
import Media
import PhotoStore
import Platform

/// Facts as they come into the library: a thread of its own, which reads what waits and rests until there is more.
final class FactsService: Sendable {
    private struct State: Sendable {
        var isStopping = false
        /// There may be something new.
        var isWanted = false
        /// Why nothing can be read.
        var obstacle: WorkerObstacle?
    }

    /// What was passed over, and what came back from the cloud, is looked at again after that.
    private static let interval = Duration.seconds(600)
    /// So long the reader waits for the next file before it is let go of.
    private static let idleTime = Duration.seconds(10)

    private let library: PhotoLibrary
    private let readers: LibraryReaders
    private let reader: FactsReader
    private let tier: CloudTier?
    private let fatal: FatalFailure
    private let state = Monitor(State())
    private let ended = Monitor(true)

    /// `tier` moves originals, where anything does.
    init(
        library: PhotoLibrary, readers: LibraryReaders, reader: FactsReader, tier: CloudTier?, fatal: FatalFailure
    ) {
        (self.library, self.readers, self.reader, self.tier) = (library, readers, reader, tier)
        self.fatal = fatal
    }

    /// Why no file's facts can be read, with what mends it; nil where they can, as far as is known.
    var problem: StatusProblem? {
        state.update { $0.obstacle }.map {
            StatusProblem(what: "facts unavailable: \($0.reason)", fix: $0.fix)
        }
    }

    /// Starts the thread; it ends with `stop`.
    func start() {
        ended.update { $0 = false }
        NamedThread.start("albumd-facts") { [self] in
            takeLongTurns()
            while goesOn() {
                awaitRest()
                readWhatWaits()
                guard !isWanted(within: Self.idleTime) else { continue }
                reader.rest()
                giveBackFreedMemory()
                _ = isWanted(within: Self.interval)
            }
            reader.rest()
            ended.update { $0 = true }
        }.detach()
    }

    /// Photos come first, and what is known of them after: waits until nothing was changed for two seconds, or five minutes.
    private func awaitRest() {
        for _ in 0..<150 where goesOn() {
            guard isWanted(within: .seconds(2)) else { return }
        }
    }

    /// Something was changed: there may be new bytes.
    func wake() { state.update { $0.isWanted = true } }

    /// Ends what is being read.
    func requestStop() {
        state.update { $0.isStopping = true }
        reader.stop()
    }

    /// Blocks until the thread has ended.
    func stop() {
        requestStop()
        ended.wait { $0 ? () : nil }
    }

    /// One pass, and what came of it.
    func readWhatWaits() {
        var pass = FactsPass(library: library, readers: readers, reader: reader, tier: tier, goesOn: goesOn)
        do {
            try FactsAgain(library: library, readers: readers, version: reader.version, goesOn: goesOn).run()
            try pass.run()
            state.update { $0.obstacle = nil }
        } catch let obstacle as WorkerObstacle {
            note(obstacle)
        } catch {
            fatal.note(ifCatalogueFailed: error)
            library.machine.log(.error, "facts could not be read: \(error)")
        }
    }

    /// Whether there may be something new, or the end has come.
    private func isWanted(within time: Duration) -> Bool {
        state.wait(for: time) { state -> Bool? in
            guard state.isStopping || state.isWanted else { return nil }
            state.isWanted = false
            return true
        } ?? false
    }

    private func goesOn() -> Bool { !state.update { $0.isStopping } }

    private func note(_ obstacle: WorkerObstacle) {
        let isNews = state.update { state in
            guard !state.isStopping else { return false }
            defer { state.obstacle = obstacle }
            return state.obstacle != obstacle
        }
        if isNews { library.machine.log(.notice, "facts unavailable: \(obstacle.reason); \(obstacle.fix)") }
    }
}
