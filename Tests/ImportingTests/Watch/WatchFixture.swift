import Importing
import Platform
import TestSupport

/// A watcher on a scratch tree: folder 1 is `w`, folder 2 is `v`, both watched when the body begins.
struct WatchFixture: Sendable {
    let scratch: Scratch
    let watcher: FolderWatcher
    let log: SignalLog

    /// Runs `body`, then stops the watcher and removes the tree.
    ///
    /// One at a time: libinotifytools is one for a process.
    static func with(
        times: WatchTimes = WatchTimes(), calls: WatchCalls = .linux, log: SignalLog = SignalLog(),
        _ test: String = #function, _ body: @Sendable (WatchFixture) async throws -> Void
    ) async throws {
        await WatcherTurn.shared.take()
        let result: Result<Void, any Error>
        do {
            result = try await withScratchFolder(test) { folder in
                let fixture = try WatchFixture(Scratch(folder), times, calls, log)
                let result = await fixture.run(body)
                await fixture.watcher.stop()
                return result
            }
        } catch {
            result = .failure(error)
        }
        await WatcherTurn.shared.give()
        try result.get()
    }

    private init(_ scratch: Scratch, _ times: WatchTimes, _ calls: WatchCalls, _ log: SignalLog) throws {
        for name in ["w", "v", "out", "cookies"] { try scratch.makeDirectory(name) }
        self.scratch = scratch
        self.log = log
        watcher = try FolderWatcher(
            machine: .forWatching, cookieDirectory: scratch.path("cookies"), times: times, calls: calls,
            sink: { log.add($0) })
    }

    private func run(_ body: @Sendable (WatchFixture) async throws -> Void) async -> Result<Void, any Error> {
        do {
            try await add(1, "w")
            try await add(2, "v")
            _ = log.take()
            try await body(self)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Watches a folder and waits until it is watched.
    func add(_ folder: Int64, _ name: String) async throws {
        let seen = log.count
        watcher.addFolder(folder, root: scratch.path(name), ignoring: { $0 == Array("ignored".utf8) })
        try await log.wait(after: seen) { if case .watching(folder, _) = $0 { true } else { false } }
    }

    /// Waits until everything done so far is told, and gives what was told since the last time.
    func flush() async throws -> [WatchSignal] {
        let name = Array("flush-\(log.nextNumber())".utf8)
        watcher.dropCookie(name)
        try await log.wait(after: 0) { $0 == .cookieSeen(name: name) }
        return log.take()
    }

    /// The paths of folder 1 that were told as candidates.
    func touchedPaths() async throws -> Set<String> {
        var paths: Set<String> = []
        for case .touched(1, let path, _) in try await flush() { paths.insert(String(decoding: path, as: UTF8.self)) }
        return paths
    }
}

extension Machine {
    /// The simulated machine with real files and real time, which is what the kernel's events are about.
    static var forWatching: Machine {
        var machine = SimulatedMachine().machine
        machine.files = LinuxFiles()
        machine.uptime = { bootTime() }
        return machine
    }
}

/// Who may have the process's one watcher now.
actor WatcherTurn {
    static let shared = WatcherTurn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().resume()
    }
}
