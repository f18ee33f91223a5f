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
    private let process = Mutex<SocketChild?>(nil)

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
    package func rest() { process.withLock { $0 = nil } }

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
        switch start() {
        case .failure(let failure): return .failure(failure)
        case .success(let fresh):
            let answer = answer(of: fresh, to: request, file)
            if case .success = answer { process = fresh }
            return answer
        }
    }

    private func start() -> Result<SocketChild, WorkerFailure> {
        do {
            let child = try SocketChild(program, environment: MediaWorker.environment)
            switch nextAnswer(of: child) {
            case .success(.isLockedIn): return .success(child)
            case .success(.cannotLockIn(let reason)):
                return .failure(.cannotStart("it cannot lock itself in: \(reason)"))
            case .success: return .failure(.cannotStart("it is of another version than this daemon"))
            case .failure(let failure): return .failure(.cannotStart(failure.reason))
            }
        } catch {
            return .failure(.cannotStart(error.isAbsence ? "it is not installed beside albumd" : "\(error)"))
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

    private func nextAnswer(of child: SocketChild) -> Result<WorkerAnswer, WorkerFailure> {
        let deadline = uptime() + patience
        do {
            guard let header = try child.receive(Frame.headerByteCount, until: deadline, uptime: uptime) else {
                return .failure(.ended(child.end()))
            }
            guard let count = Frame.contentByteCount(header: header, limit: Frame.answerLimit) else {
                return .failure(.ended("its answer is longer than agreed"))
            }
            guard let content = try child.receive(count, until: deadline, uptime: uptime) else {
                return .failure(.ended(child.end()))
            }
            return .success(try Frame.message(WorkerAnswer.self, in: content))
        } catch let error as FileError where error.code == ETIMEDOUT {
            return .failure(.ended("it had not answered after \(patience.components.seconds) s"))
        } catch {
            return .failure(.ended("its answer cannot be understood: \(error)"))
        }
    }
}

/// Whether a descriptor can do no harm in other hands (fcntl(2), F_GETFL).
private func isReadOnly(_ file: OpenFile) -> Bool { fcntl(file.descriptor, F_GETFL) & O_ACCMODE == O_RDONLY }

/// Why there is no answer.
private enum WorkerFailure: Error {
    case cannotStart(String)
    case ended(String)

    var reason: String {
        switch self {
        case .cannotStart(let reason), .ended(let reason): reason
        }
    }

    var reading: FactsReading {
        switch self {
        case .cannotStart(let reason): .unavailable(reason: "albumd-media: \(reason)")
        case .ended(let reason): .unreadable(reason: "the reader of media gave up on it: \(reason)")
        }
    }
}
