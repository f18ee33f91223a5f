import Control
import FoundationEssentials
import PhotoStore
import Platform
import Synchronization

/// Keeps the daily snapshots of the catalogue, on a thread of its own: looked after once an hour.
final class SnapshotService: Sendable {
    private static let firstLook = Duration.seconds(60)
    private static let interval = Duration.seconds(3600)

    private let isStopping = Monitor(false)
    private let ended = Monitor(true)
    private let found = Mutex<(newest: Date?, failure: StatusProblem?)>((nil, nil))
    private let machine: Machine

    private let fatal: FatalFailure
    private let rest: @Sendable (Duration) -> Void

    /// `rest` lets the time to the next look pass, in the daemon until `stop` ends it.
    init(machine: Machine, fatal: FatalFailure, rest: (@Sendable (Duration) -> Void)? = nil) {
        (self.machine, self.fatal) = (machine, fatal)
        self.rest = rest ?? { [isStopping] pause in _ = isStopping.wait(for: pause) { $0 ? true : nil } }
    }

    /// When the newest was made, and why there is no newer one, if there should be.
    var state: (newest: Date?, failure: StatusProblem?) { found.withLock { $0 } }

    func start(library: PhotoLibrary, vfs: String? = nil) throws {
        // Opened here so that what is wrong is said to the caller; used on the thread alone.
        nonisolated(unsafe) let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath, vfs: vfs)
        let newest = try library.directory.newestSnapshot(files: machine.files)
        found.withLock { $0.newest = newest }
        ended.update { $0 = false }
        NamedThread.start("albumd-snapshot") { [self] in
            takeLongTurns()
            var pause = SnapshotService.firstLook
            while true {
                rest(pause)
                if isStopping.update({ $0 }) { break }
                look(after: library, catalogue)
                pause = SnapshotService.interval
            }
            catalogue.close()
            ended.update { $0 = true }
        }
    }

    private func look(after library: PhotoLibrary, _ catalogue: Catalogue) {
        let directory = library.directory
        // A disk that failed to sync is not trusted with a new one, at the cost of an old one (RULES R10).
        guard !library.isReadOnly else { return }
        do {
            try directory.keepSnapshots(of: catalogue, machine: machine)
            let newest = try directory.newestSnapshot(files: machine.files)
            found.withLock { $0 = (newest, nil) }
        } catch {
            fatal.note(ifCatalogueFailed: error)
            found.withLock { $0.failure = problem(error) }
            machine.log(.error, "no snapshot of the catalogue could be made: \(error)")
        }
    }

    private func problem(_ error: any Error) -> StatusProblem {
        if case LibraryError.catalogueDamaged(_, let findings) = error {
            return StatusProblem(
                what: "the catalogue is damaged: \(printable(findings.first ?? ""))",
                fix: "albumd ends now; its next start rebuilds the catalogue by itself: systemctl start albumd")
        }
        return StatusProblem(
            what: "no snapshot of the catalogue could be made: \(error)", fix: libraryAdvice(error))
    }

    /// Ends the thread; a snapshot that is being made is finished first.
    ///
    /// Blocks.
    func stop() {
        isStopping.update { $0 = true }
        ended.wait { $0 ? () : nil }
    }
}
