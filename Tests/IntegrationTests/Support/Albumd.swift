import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

/// The real daemon on a scratch library, with the verbs that tests need: start, drop, flush, ask, stop.
final class Albumd {
    var installation: Installation
    private(set) var process: ChildProcess?
    private var notices: NotifySocket?
    private var starts = 0
    let client: HTTPClient
    let other = PosixProgram()

    /// Past this no test waits: what takes longer has failed.
    static let patience = Duration.seconds(120)

    init(_ installation: Installation) {
        self.installation = installation
        client = HTTPClient(socketPath: installation.socket, timeout: Albumd.patience)
    }

    var scratch: ScratchFolder { installation.scratch }

    /// Starts the process and returns when it says READY, or has ended.
    @discardableResult
    func start(environment: [String: String] = [:]) throws -> ChildProcess.End? {
        let process = try launch(environment: environment)
        while let message = notices?.receive(within: Albumd.patience) {
            if message.contains("READY=1") { return nil }
            if message.hasPrefix("ENDED") { return process.wait(for: .seconds(10)) }
        }
        throw Failure("albumd was not ready in \(Albumd.patience):\n\(log)")
    }

    /// Starts the process and does not wait for anything.
    func launch(environment: [String: String] = [:]) throws -> ChildProcess {
        // A name of its own: the last word of the process before must not be heard as this one's.
        repeat { starts += 1 } while access(scratch.path("run/notify\(starts)"), F_OK) == 0
        let path = scratch.path("run/notify\(starts)")
        let notices = try NotifySocket(at: path)
        var all = installation.environment.merging(environment) { _, new in new }
        all["NOTIFY_SOCKET"] = path
        let process = try ChildProcess(
            installation.command(), environment: all, output: installation.log, deadline: .seconds(180),
            ended: { [weak notices] _ in notices?.tell("ENDED") })
        (self.process, self.notices) = (process, notices)
        return process
    }

    /// The next thing that it tells the service manager.
    func nextNotice() -> String? { notices?.receive(within: Albumd.patience) }

    /// Waits until it tells the service manager something with these words.
    func awaitNotice(_ words: String) throws {
        while let message = nextNotice() {
            if message.contains(words) { return }
            if message.hasPrefix("ENDED") { break }
        }
        throw Failure("albumd did not say \(words):\n\(log)")
    }

    /// Asks it to stop, and gives how it ended.
    @discardableResult
    func stop() throws -> ChildProcess.End {
        process?.send(SIGTERM)
        return try awaitEnd()
    }

    /// As a power button would: nothing is closed.
    func kill() throws {
        process?.kill(SIGKILL)
        try #require(awaitEnd() == .signal(SIGKILL))
    }

    /// Ends one that may be ending by itself.
    @discardableResult
    func killUnlessEnded() throws -> ChildProcess.End {
        process?.kill(SIGKILL)
        return try awaitEnd()
    }

    func awaitEnd(within time: Duration = Albumd.patience) throws -> ChildProcess.End {
        guard let end = process?.wait(for: time) else { throw Failure("albumd did not end in \(time):\n\(log)") }
        return end
    }

    /// What it has logged in all its lives.
    var log: String { (try? other.read(installation.log)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    func path(_ name: String, in folder: String = "inbox") -> String { scratch.path("\(folder)/\(name)") }
}

/// What a test cannot go on without.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Starts albumd on a fresh library, runs `body`, and ends it; its log is printed where the body throws.
func withAlbumd(
    _ setup: Setup = Setup(), isStarted: Bool = true, test: String = #function, _ body: (Albumd) throws -> Void
) throws {
    try withScratchFolder(test) { scratch in
        let albumd = Albumd(try Installation(in: scratch, setup))
        defer {
            albumd.process?.kill(SIGKILL)
            _ = albumd.process?.wait(for: .seconds(30))
        }
        do {
            if isStarted, let end = try albumd.start() { throw Failure("albumd ended at its start: \(end)") }
            try body(albumd)
        } catch {
            print("the log of the albumd of \(test):\n\(albumd.log.suffix(8000))")
            throw error
        }
    }
}
