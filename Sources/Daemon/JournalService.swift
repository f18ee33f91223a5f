import PhotoStore
import Platform
import Synchronization

/// Writes the journal behind the library: on a thread of its own, after each commit, again later where it could not.
final class JournalService: Sendable {
    private struct Work {
        var newest: Int64 = 0
        var isStopping = false
    }

    private let work = Monitor(Work())
    private let ended = Monitor(false)
    private let written = Mutex<(token: Int64, failure: String?)>((0, nil))
    private let machine: Machine
    private static let retryPause = Duration.seconds(10)

    init(machine: Machine) { self.machine = machine }

    /// The newest token in the journal, and why it does not get on, if it does not.
    var state: (token: Int64, failure: String?) { written.withLock { $0 } }

    /// Starts the thread; it first catches up with what a crash left unwritten.
    func start(library: PhotoLibrary) throws {
        // Opened here so that what is wrong is said to the caller; used on the thread alone.
        nonisolated(unsafe) let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath)
        // As above.
        nonisolated(unsafe) let journal = try Journal(
            machine: machine, directory: library.directory.journal, catalogue: catalogue)
        NamedThread.start("albumd-journal") { [self] in
            run(journal)
            catalogue.close()
            ended.update { $0 = true }
        }
    }

    private func run(_ journal: Journal) {
        var pause: Duration?
        var done: Int64 = -1
        while true {
            let isStopping = work.wait(for: pause) { $0.isStopping || $0.newest > done ? $0.isStopping : nil } ?? false
            do {
                done = try journal.catchUp()
                written.withLock { $0 = (done, nil) }
                pause = nil
            } catch {
                say("\(error)")
                done = work.update { $0.newest }
                pause = JournalService.retryPause
            }
            if isStopping { return }
        }
    }

    private func say(_ failure: String) {
        written.withLock { $0.failure = failure }
        machine.log(.error, "the journal cannot be written, trying again: \(failure)")
    }

    /// There is a change up to this token.
    func noticed(_ token: Int64) {
        work.update { $0.newest = max($0.newest, token) }
    }

    /// Writes what is left and ends the thread.
    ///
    /// Blocks.
    func stop() {
        work.update { $0.isStopping = true }
        ended.wait { $0 ? () : nil }
    }
}
