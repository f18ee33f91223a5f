import Glibc
import MediaFacts
package import Platform
import Synchronization

/// The door to `albumd-media`, the locked-in process that reads what strangers wrote (RULES S3).
///
/// It is started with the first file, kept for the next, ended by `rest()`, and started anew after a crash. One file at
/// a time is read: a second caller waits. Calls block, for as long as 30 s: they are for a thread of the caller's own.
package final class MediaWorker: Sendable {
    /// Where its libraries have one arena for memory each and one thread, they keep within its limits (S3).
    private static let environment = ["MALLOC_ARENA_MAX=1", "VIPS_CONCURRENCY=1", "SWIFT_BACKTRACE=enable=no"]

    private let program: [UInt8]
    private let patience: Duration
    private let uptime: @Sendable () -> Duration
    /// Held for as long as a file is read.
    private let process = Mutex<SocketChild?>(nil)
    /// What may be ended by another thread meanwhile.
    private let current = Mutex<Current>(Current())

    /// `program` is its path; `patience` is how long a file may take before the process is ended.
    package init(
        program: [UInt8] = besideThisProgram("albumd-media"), patience: Duration = .seconds(30),
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.program = program
        self.patience = patience
        self.uptime = uptime
    }

    /// Reads what a photo or a video says of itself.
    ///
    /// The file must be open for reading only. Its place is moved; its bytes cannot be.
    package func readFacts(of file: OpenFile, _ kind: MediaKind) -> FactsReading {
        read(file, format: kind.rawValue)
    }

    /// Reads an XMP sidecar.
    package func readSidecar(_ file: OpenFile) -> FactsReading { read(file, format: "xmp") }

    /// Ends the process until there is something to read again.
    package func rest() {
        process.withLock { process in
            process = nil
            current.withLock { $0.child = nil }
        }
    }

    /// Ends what is being read at once, and reads nothing any more: for the end of the daemon, from any thread.
    package func stop() {
        current.withLock { current in
            current.isStopped = true
            current.child?.kill()
        }
    }

    /// What the lock refuses, by its own trial: each call with its errno; nil where the worker cannot be asked.
    package func tryTheLock() -> [String: Int32]? {
        process.withLock { process in
            guard case .refusals(let refusals) = try? ask(.tryTheLock, nil, &process).get() else { return nil }
            return refusals
        }
    }

    private func read(_ file: OpenFile, format: String) -> FactsReading {
        guard isReadOnly(file) else {
            return .unreadable(reason: "it is open for writing, and so is not handed to the reader of media")
        }
        return process.withLock { process in
            switch ask(.readFacts(format: format), file, &process) {
            case .success(.facts(let facts)): return .facts(facts)
            case .success(.unreadable(let reason)): return .unreadable(reason: reason)
            case .success: return .unreadable(reason: "the reader of media answered something else")
            case .failure(let failure): return failure.reading
            }
        }
    }

    /// Asks the process that there is, or a new one.
    ///
    /// Only a new one is blamed on the file: what ends one that has read others may have been those.
    private func ask(
        _ request: WorkerRequest, _ file: OpenFile?, _ process: inout SocketChild?
    ) -> Result<WorkerAnswer, WorkerFailure> {
        if let used = process {
            if let answer = try? answer(of: used, to: request, file).get() { return .success(answer) }
            process = nil
        }
        let (fresh, result) = startAndAsk(request, file)
        process = fresh
        // One that has ended is let go of, so that nothing is left of it.
        if fresh == nil { current.withLock { $0.child = nil } }
        return result
    }

    /// The process is nil where it has not answered.
    private func startAndAsk(
        _ request: WorkerRequest, _ file: OpenFile?
    ) -> (SocketChild?, Result<WorkerAnswer, WorkerFailure>) {
        switch start() {
        case .failure(let failure): return (nil, .failure(failure))
        case .success(let fresh):
            let answer = answer(of: fresh, to: request, file)
            guard case .success = answer else { return (nil, answer) }
            return (fresh, answer)
        }
    }

    /// Makes a process the one that `stop` ends; false where that has been called.
    private func admit(_ child: SocketChild) -> Bool {
        current.withLock { current in
            current.child = child
            return !current.isStopped
        }
    }

    private func start() -> Result<SocketChild, WorkerFailure> {
        do {
            guard !isStopped else { return .failure(.stopped) }
            let child = try SocketChild(program, environment: MediaWorker.environment)
            guard admit(child) else { return .failure(.stopped) }
            switch nextAnswer(of: child) {
            case .success(.isLockedIn): return .success(child)
            case .success(.cannotLockIn(let reason)): return .failure(.cannotStart(.refusedLock(reason, program)))
            case .success: return .failure(.cannotStart(.otherVersion))
            case .failure(.ended(let ending)): return .failure(.cannotStart(.endedAtStart(ending, program)))
            case .failure(.mute(let reason)): return .failure(.cannotStart(.mute(reason, program)))
            case .failure(let failure): return .failure(failure)
            }
        } catch {
            return .failure(.cannotStart(.cannotStart(error, program)))
        }
    }

    private func answer(
        of child: SocketChild, to request: WorkerRequest, _ file: OpenFile?
    ) -> Result<WorkerAnswer, WorkerFailure> {
        do {
            try child.send(Frame.bytes(of: request), with: file)
        } catch {
            // It is gone; how is said below, by the answer that does not come.
        }
        return nextAnswer(of: child)
    }

    private var isStopped: Bool { current.withLock { $0.isStopped } }

    private func nextAnswer(of child: SocketChild) -> Result<WorkerAnswer, WorkerFailure> {
        let deadline = uptime() + patience
        do {
            guard let header = try child.receive(Frame.headerByteCount, until: deadline, uptime: uptime) else {
                return .failure(isStopped ? .stopped : .ended(child.end()))
            }
            guard let count = Frame.contentByteCount(header: header, limit: Frame.answerLimit) else {
                return .failure(.mute("its answer is longer than agreed"))
            }
            guard let content = try child.receive(count, until: deadline, uptime: uptime) else {
                return .failure(isStopped ? .stopped : .ended(child.end()))
            }
            return .success(try Frame.message(WorkerAnswer.self, in: content))
        } catch let error as FileError where error.code == ETIMEDOUT {
            return .failure(.mute("it had not answered after \(patience.components.seconds) s"))
        } catch {
            return .failure(.mute("its answer cannot be understood: \(error)"))
        }
    }
}

/// Whether a descriptor can do no harm in other hands (fcntl(2), F_GETFL).
private func isReadOnly(_ file: OpenFile) -> Bool { fcntl(file.descriptor, F_GETFL) & O_ACCMODE == O_RDONLY }

/// The process that there is, and whether there may be another.
private struct Current {
    var child: SocketChild?
    var isStopped = false
}

/// Why there is no answer.
private enum WorkerFailure: Error {
    case cannotStart(WorkerObstacle)
    case ended(SocketChild.Ending)
    /// It lives, and says nothing that can be understood.
    case mute(String)
    case stopped

    var reading: FactsReading {
        switch self {
        case .stopped: .unavailable(.stopped)
        case .cannotStart(let obstacle): .unavailable(obstacle)
        case .ended(let ending): .unreadable(reason: "the reader of media gave up on it: \(ending)")
        case .mute(let reason): .unreadable(reason: "the reader of media gave up on it: \(reason)")
        }
    }
}
