import Control
import PhotoStore
import Platform
import Synchronization

/// Writes the journal behind the library: on a thread of its own, after each commit, again later where it could not.
final class JournalService: Sendable {
    private struct Work {
        var newest: Int64 = 0
        var isStopping = false
        /// Changes that the journal has lost, to be written once more.
        var gaps: [ClosedRange<Int64>]?
        var restored: Result<Int, Failure>?
    }

    /// Why the journal could not be written.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let work = Monitor(Work())
    /// True before the start, too: a service that could not be started is not waited for.
    private let ended = Monitor(true)
    private let written = Mutex<(token: Int64, failure: StatusProblem?)>((0, nil))
    private let machine: Machine
    private static let retryPause = Duration.seconds(10)

    private let fatal: FatalFailure

    init(machine: Machine, fatal: FatalFailure) { (self.machine, self.fatal) = (machine, fatal) }

    /// The newest token in the journal, and why it does not get on, if it does not.
    var state: (token: Int64, failure: StatusProblem?) { written.withLock { $0 } }

    /// Starts the thread; it first catches up with what a crash left unwritten.
    func start(library: PhotoLibrary) throws {
        // Opened here so that what is wrong is said to the caller; used on the thread alone.
        nonisolated(unsafe) let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath)
        // As above.
        nonisolated(unsafe) let journal = try Journal(
            machine: machine, directory: library.directory.journal, catalogue: catalogue)
        ended.update { $0 = false }
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
            let isStopping =
                work.wait(for: pause) { work in
                    work.isStopping || work.newest > done || work.gaps != nil ? work.isStopping : nil
                } ?? false
            do {
                done = try journal.catchUp()
                written.withLock { $0 = (done, nil) }
                pause = nil
                try restore(journal)
            } catch {
                fatal.note(ifCatalogueFailed: error)
                say(error)
                work.update { work in
                    guard work.gaps.take() != nil else { return }
                    work.restored = .failure(Failure(description: "\(error)"))
                }
                done = work.update { $0.newest }
                pause = JournalService.retryPause
            }
            if isStopping { return }
        }
    }

    private func restore(_ journal: Journal) throws {
        guard let gaps = work.update({ $0.gaps }) else { return }
        let count = try journal.restore(gaps)
        work.update { ($0.gaps, $0.restored) = (nil, .success(count)) }
    }

    /// Has changes written once more that the journal has lost, and waits for it; one caller at a time.
    ///
    /// Blocks. Returns how many were written.
    func restore(_ gaps: [ClosedRange<Int64>]) throws(Failure) -> Int {
        work.update { ($0.gaps, $0.restored) = (gaps, nil) }
        return try work.wait { $0.isStopping ? .success(0) : $0.restored.take() }.get()
    }

    private func say(_ error: any Error) {
        let failure = StatusProblem(what: "the journal cannot be written: \(error)", fix: libraryAdvice(error))
        written.withLock { $0.failure = failure }
        machine.log(.error, "the journal cannot be written, trying again: \(error)")
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
