package import Importing
package import PhotoModel
package import PhotoStore
import Platform
import Synchronization
import TestSupport

/// The engine wants to be stepped again and again at one instant: in the daemon a thread would spin.
package struct Spinning: Error {}

/// Something did not happen in the time that it may take.
package struct TookTooLong: Error {
    package init() {}
}

extension EngineBench {
    /// Steps the engine through a stretch of time.
    package func run(for time: Duration) throws {
        let end = machine.uptime() + time
        try run(until: end) { false }
    }

    /// Steps until `isDone`; throws where that takes longer than `time`.
    package func run(atMost time: Duration, until isDone: () throws -> Bool) throws {
        try run(until: machine.uptime() + time, isDone)
        guard try isDone() else { throw TookTooLong() }
    }

    private func run(until end: Duration, _ isDone: () throws -> Bool) throws {
        var stepsNow = 0
        while try !isDone() {
            let now = machine.uptime()
            try stepOnce()
            guard try !isDone() else { return }
            let next = min(due ?? end, watcher.nextDue ?? end, end)
            guard mail.isEmpty, next > now else {
                stepsNow += 1
                guard stepsNow < 1000 else { throw Spinning() }
                if next == end, mail.isEmpty { return }
                continue
            }
            stepsNow = 0
            simulation.advance(by: next - now)
            if next == end { return try stepOnce() }
        }
    }

    private func stepOnce() throws {
        guard let engine else { return }
        let signals = watcher.take()
        let events = mail + (signals.isEmpty ? [] : [.watch(signals)])
        mail = []
        due = try engine.step(events)
        // An error that was passed over on the way does not bring the dead back.
        if let kind = crashes.happened { throw SimulatedCrash(kind: kind, milestone: nil) }
    }

    /// The barrier.
    @discardableResult
    package func flush(atMost time: Duration = .seconds(600)) throws -> FlushReport {
        let answer = Mutex<FlushReport?>(nil)
        post(
            .flush(name: Array("flush".utf8), deadline: machine.uptime() + time) { report in
                answer.withLock { $0 = report }
            })
        try run(atMost: time) { answer.withLock { $0 != nil } }
        guard let report = answer.withLock({ $0 }) else { throw TookTooLong() }
        return report
    }

    /// Asks for removed sources to be put back.
    package func putBack(_ sources: [Source], isDryRun: Bool = false) throws -> [PutBack] {
        let answer = Mutex<[PutBack]?>(nil)
        post(.putBack(sources, isDryRun: isDryRun) { outcomes in answer.withLock { $0 = outcomes } })
        try run(atMost: .seconds(60)) { answer.withLock { $0 != nil } }
        guard let outcomes = answer.withLock({ $0 }) else { throw TookTooLong() }
        return outcomes
    }

    /// A full scan of every folder, and then the barrier.
    package func scan() throws {
        let isDone = Mutex(false)
        post(.scan(nil) { _ in isDone.withLock { $0 = true } })
        try run(atMost: .seconds(3600)) { isDone.withLock { $0 } }
        try flush()
    }
}

/// What the library says.
extension EngineBench {
    package func catalogue() throws -> Catalogue {
        guard let reader else { throw TookTooLong() }
        return reader
    }

    /// The folder's identifier.
    package func key(_ name: String) throws -> SourceKey? { try key(path(name)) }

    package func key(_ path: PathBytes) throws -> SourceKey? {
        guard let rule = rules.first(where: { path.isBelow(PathBytes($0.path)) }),
            let folder = try catalogue().folder(at: PathBytes(rule.path))
        else { return nil }
        return SourceKey(folder: folder.folder, path: path.relative(to: PathBytes(rule.path)))
    }

    package func source(_ name: String) throws -> Source? { try key(name).flatMap { try catalogue().source($0) } }

    package func asset(of name: String) throws -> Asset? {
        try source(name)?.localIdentifier.flatMap { try catalogue().asset($0) }
    }

    /// The titles of the albums that an asset is in.
    package func albums(of name: String) throws -> [String] {
        guard let asset = try source(name)?.localIdentifier else { return [] }
        let catalogue = try catalogue()
        return try catalogue.albums(containing: asset).compactMap { try catalogue.album($0)?.title.utf8 }.sorted()
    }
}
