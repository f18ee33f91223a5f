import Cloud
import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport

/// A run: the engine on its machine, what others did, and what was acknowledged.
final class World {
    let plan: SimulationPlan
    let bench: EngineBench
    var acknowledged = Acknowledged()
    /// Files that a program has open for writing, with what is still to come.
    var writers: [PathBytes: (descriptor: Int32, rest: [UInt8])] = [:]
    /// Every content that a file ever had when its writer closed it.
    var closed: Set<ContentHash> = []
    /// Files that changed under another name: only a scan can tell.
    var unsignalled: Set<PathBytes> = []
    /// Folders whose volume is away.
    var unmounted: [PathBytes] = []
    /// What the run itself broke of the library.
    var damage = DamageDone()
    /// Why the last person who asked for something was refused it.
    var refusal: (any Error)?
    var journal: Journal?
    /// The tier of the engine that runs, and its store.
    var cloud: (tier: CloudTier, store: SimulatedStore)?
    private var journalReader: Catalogue?
    var trace = Trace()
    private var notedEntries = 0
    /// The newest token that was told before the engine died.
    private var promisedToken: Int64 = 0
    private var startCount: UInt64 = 0
    /// Up to here changes were made by an engine that died: others have acted since.
    private var tokenAtStart: Int64 = 0

    init(_ plan: SimulationPlan) throws {
        self.plan = plan
        bench = try EngineBench(seed: plan.seed)
        bench.isWatched = plan.isWatched
        if plan.reads { bench.facts = .pretended(bench.machine.files) }
        bench.watcher.behave(plan.manners)
        bench.simulation.files.configure { [plan] settings in
            let owner = settings.owner
            settings = plan.disk
            settings.owner = owner
        }
        try bench.makeDirectory("away")
        try bench.program.makeDirectory(bench.path("cloud").bytes)
        try bench.addFolder("in", album: "Inbox") {
            $0.albums = self.plan.isTree ? .tree : .single
            $0.onSourceDeleted = self.plan.mirrors ? .trash : .keep
            $0.onAssetDeleted = self.plan.removesDeleted ? .remove : .keep
        }
        try bench.addFolder("cards", album: "Cards") { $0.mode = self.plan.movesCards ? .move : .copy }
        start()
    }

    var folders: [PathBytes] { bench.rules.map { PathBytes($0.path) } }
    var isDown: Bool { bench.engine == nil }
    var filesOutside: [PathBytes] { bench.tree.files(below: bench.path("away")) }

    /// Files that nobody is writing.
    var quietFiles: [PathBytes] {
        folders.flatMap { bench.tree.files(below: $0) }.filter { path in
            writers[path] == nil && !bench.tree.links(of: path).contains { writers[$0] != nil }
        }
    }

    func outside(_ number: Int, like path: PathBytes) -> PathBytes {
        bench.path("away").appending(Array("\(number)-".utf8) + path.name.bytes)
    }

    func isDirectory(_ path: PathBytes) -> Bool { bench.tree.directories.contains(path) }

    func isLinked(_ path: PathBytes, _ other: PathBytes) -> Bool { bench.tree.files[path] == bench.tree.files[other] }

    func hasWriter(below directory: PathBytes) -> Bool { writers.keys.contains { $0.isBelow(directory) } }

    /// Starts the engine, again and again where a fault of the disk, or a crash in the recovery, stops it.
    func start() {
        for _ in 0..<10 {
            startCount += 1
            do {
                try bench.restart(seed: plan.seed &+ startCount)
                let library = try library()
                let reader = try Catalogue.openForReading(
                    at: library.directory.cataloguePath, vfs: bench.vfsName)
                journalReader = reader
                journal = try Journal(machine: bench.machine, directory: library.directory.journal, catalogue: reader)
                try openCloud()
                try settlePromise()
                tokenAtStart = try bench.catalogue().lastToken()
                unsignalled = []
                trace.note("started")
                // Before a source is removed the engine would wait for the check, on the only thread.
                if plan.movesCards || plan.removesDeleted { try inspect() }
                return
            } catch {
                trace.note("start failed: \(error)")
                end()
            }
        }
    }

    func library() throws -> PhotoLibrary {
        guard let library = bench.library else { throw TookTooLong() }
        return library
    }

    /// The engine is no more: what it had promised is remembered.
    func end(inOrder: Bool = false) {
        if let library = bench.library { promisedToken = max(promisedToken, library.feed.newest) }
        journal = nil
        cloud = nil
        journalReader?.close()
        journalReader = nil
        if bench.crashes.happened == .powerCut { loseWriters() }
        bench.end(inOrder: inOrder)
    }

    /// Other programs die with the machine: what they had written so far is what the file is.
    private func loseWriters() {
        for path in writers.keys { noteClosed(path) }
        writers = [:]
    }

    func noteClosed(_ path: PathBytes) {
        if let hash = bench.tree.bytes(at: path).flatMap(SampleMedia.hash) { closed.insert(hash) }
    }

    /// What the engine has logged since.
    func noteLog() {
        let entries = bench.simulation.logEntries
        for entry in entries[notedEntries...] {
            trace.note("  log: \(entry.message) \(entry.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " "))")
        }
        notedEntries = entries.count
    }

    /// Runs the engine; false where it died of it.
    @discardableResult
    func engineRuns(_ body: () throws -> Void) throws -> Bool {
        guard !isDown else { return false }
        do {
            try body()
            noteRemovals()
            try journal?.catchUp()
            try acknowledge()
            return true
        } catch let crash as SimulatedCrash {
            trace.note("died at \(crash.milestone?.rawValue ?? "?")")
        } catch let error where bench.crashes.happened != nil {
            trace.note("died with \(error)")
        } catch let error as FileError {
            // The journal could not be written: the daemon starts again.
            trace.note("stopped by \(error)")
        }
        noteRemovals()
        end()
        return false
    }

    /// Reads what was told since the last time.
    private func acknowledge() throws {
        let newest = try library().feed.newest
        for line in try bench.catalogue().history(after: acknowledged.token, limit: .max) where line.token <= newest {
            try acknowledged.take(line)
            if line.token > tokenAtStart { try checkDepartures(line) }
        }
    }

    /// What was told before the engine died is there afterwards (I21).
    private func settlePromise() throws {
        let token = try bench.catalogue().lastToken()
        guard token >= promisedToken else {
            throw Violation(rule: "I21", "token \(promisedToken) was told, \(token) is the newest after the restart")
        }
        for line in try bench.catalogue().history(after: acknowledged.token, limit: .max)
        where line.token <= promisedToken {
            try acknowledged.take(line)
        }
    }

    /// In move mode sources go, and those of deleted assets: the model learns of it, and who removed them must have
    /// their bytes.
    private func noteRemovals() {
        let removing = (plan.movesCards ? [folders[1]] : []) + (plan.removesDeleted ? [folders[0]] : [])
        for path in removing.filter({ !unmounted.contains($0) }).flatMap({ bench.tree.files(below: $0) })
        where !isThere(path) {
            otherNamesChange(of: path)
            acknowledged.removed.append(path)
            if let hash = bench.tree.bytes(at: path).flatMap(SampleMedia.hash) { acknowledged.released.insert(hash) }
            bench.noteRemoval(of: path)
        }
    }

    func isThere(_ path: PathBytes) -> Bool { (try? bench.program.read(path.bytes)) != nil }
}
