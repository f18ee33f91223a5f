import FoundationEssentials
import Glibc
package import PhotoModel
package import Platform
import SQLite
import Synchronization

/// The library: the one place where it is changed. Owns the writing connection, on a thread of its own.
///
/// Everything that mutates, the importer included, goes through `performChanges`; the feed is the only notification.
/// Publishing of originals and the commit of their rows happen here too, so that they are serialised (RULES R5).
package actor PhotoLibrary {
    package nonisolated let executor: ThreadExecutor
    package nonisolated let directory: LibraryDirectory
    package nonisolated let feed: ChangeFeed
    package nonisolated let machine: Machine
    package nonisolated let inspection: CatalogueInspection
    let catalogue: Catalogue
    /// What the start found.
    package internal(set) var recovery = RecoveryReport()
    var ballast: Ballast
    private var isChanging = false
    private nonisolated let failedSyncs = Atomic(0)
    private nonisolated let emptied = Atomic(false)
    nonisolated let notUnlinked = Mutex<[UnremovedOriginal]>([])
    /// The running clock as it was last taken, and the uptime then.
    var lastClock: (clock: RunningClock, uptime: Duration)?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(
        directory: LibraryDirectory, opened: OpenedCatalogue, machine: Machine, executor: ThreadExecutor,
        newest: Int64, ballast: Ballast
    ) {
        self.directory = directory
        catalogue = opened.catalogue
        inspection = CatalogueInspection(isOwed: opened.isCheckOwed)
        recovery.rebuilt = opened.rebuilt
        self.machine = machine
        self.executor = executor
        self.ballast = ballast
        feed = ChangeFeed()
        feed.publish(newest)
    }

    /// Opens and recovers the library at `path` (RULES R8).
    ///
    /// Blocks; call it from a thread that may.
    package static func open(
        _ path: [UInt8], isRestoring: Bool = false, machine: Machine, executor: ThreadExecutor, vfs: String? = nil,
        progress: RebuildProgress = { _, _ in }
    ) throws -> PhotoLibrary {
        try open(
            try LibraryDirectory.open(path, isRestoring: isRestoring, machine: machine), machine: machine,
            executor: executor, vfs: vfs, progress: progress)
    }

    /// Damage that recovery meets is looked for at once, and the catalogue is rebuilt where it is found.
    static func open(
        _ directory: LibraryDirectory, machine: Machine, executor: ThreadExecutor, vfs: String?,
        progress: RebuildProgress
    ) throws -> PhotoLibrary {
        try LibraryDirectory.tellingOfRefusal(directory.path, files: machine.files) {
            do {
                return try recovered(directory, machine: machine, executor: executor, vfs: vfs, progress: progress)
            } catch let error as DatabaseError where error.isCorrupt {
                try directory.doubtCatalogue(because: error.description, files: machine.files)
                return try recovered(directory, machine: machine, executor: executor, vfs: vfs, progress: progress)
            }
        }
    }

    private static func recovered(
        _ directory: LibraryDirectory, machine: Machine, executor: ThreadExecutor, vfs: String?,
        progress: RebuildProgress
    ) throws -> PhotoLibrary {
        var ballast = Ballast(files: machine.files, root: directory.root)
        // The index beside the log cannot be made on a full disk, and SQLite calls that an I/O error.
        let opened = try ballast.givenUp(where: { $0.isFull || $0.isIOError }) {
            try directory.openCatalogue(machine: machine, vfs: vfs, progress: progress)
        }
        let library = PhotoLibrary(
            directory: directory, opened: opened, machine: machine, executor: executor,
            newest: try opened.catalogue.lastToken(), ballast: ballast)
        try library.onThread { library in
            do {
                try library.begin()
            } catch {
                library.catalogue.close()
                throw error
            }
        }
        return library
    }

    private func begin() throws {
        // Where the last stop was in order, everything is durable.
        if inspection.hasPassed { try directory.originals.syncStored() }
        recovery = try recover()
        emptied.store(try catalogue.hasLocalOriginals() && directory.originals.isBlank(), ordering: .relaxed)
        try finishPurges()
        try keepTime()
        ballast.fill()
    }

    /// Where an error is damage that was met in the catalogue, the next start looks for it.
    package nonisolated func doubtCatalogue(because error: any Error) {
        guard let error = error as? DatabaseError, error.isCorrupt else { return }
        do {
            try directory.doubtCatalogue(because: error.description, files: machine.files)
        } catch let failure {
            machine.log(.error, "that the catalogue is damaged could not be noted: \(failure)")
        }
    }

    /// Runs a block on the library's thread and waits for it.
    ///
    /// For threads that may block; tasks use `await`.
    package nonisolated func onThread<Value: Sendable>(
        _ body: @Sendable (isolated PhotoLibrary) throws -> Value
    ) rethrows -> Value {
        try executor.sync { try assumeIsolated { try body($0) } }
    }

    /// Makes one change: one transaction, one token, one line in the history.
    ///
    /// Thrown errors undo all of it.
    ///
    /// Returns after the commit is durable. A block that performs nothing commits nothing and has no token. Where the
    /// disk is full the block runs a second time, after the ballast was given up (RULES R11).
    package func performChanges<Value: Sendable>(
        origin: String, _ block: (inout Change) throws -> Value
    ) throws -> Committed<Value> {
        guard !isChanging else { throw LibraryError.nestedChange }
        isChanging = true
        defer { isChanging = false }
        let committed = try ballast.givenUp(where: \.isFull) {
            try catalogue.commit(origin: origin, at: machine.now(), on: machine, block)
        }
        try machine.reach(.afterCatalogueCommit)
        if let token = committed.token { feed.publish(token) }
        ballast.fill()
        return committed
    }

    /// Makes staged bytes durable under their names, then makes the change that names them: all of them, or none.
    package func publish<Value: Sendable>(
        _ batch: [StagedContent], origin: String, _ block: (inout Change) throws -> Value
    ) throws -> Committed<Value> {
        let committed = try publishEach(batch, origin: origin) { change, refused -> Result<Value, FileError> in
            if let error = refused.values.first { return .failure(error) }
            return .success(try block(&change))
        }
        return Committed(token: committed.token, value: try committed.value.get())
    }

    /// The same where each stands for itself: the block names no bytes that were refused, which are not stored.
    package func publishEach<Value: Sendable>(
        _ batch: [StagedContent], origin: String,
        _ block: (inout Change, _ refused: [ContentHash: FileError]) throws -> Value
    ) throws -> Committed<Value> {
        guard !isReadOnly else { throw LibraryError.readOnly(why: "the disk failed to sync") }
        guard !isEmptied else { throw LibraryError.originalsEmptied(path: LibraryDirectory.display(directory.path)) }
        let needed = try neededOriginals(of: batch)
        let passing = needed.filter { $0.known == nil && isNew($0.staged.content) }.map(\.staged.content)
        let refused: [ContentHash: FileError]
        do {
            refused = try directory.originals.publish(needed.map(\.staged))
        } catch let failure as SyncFailure {
            // A full disk is no broken one (RULES R11), unless what it did not take had to stay.
            let weight = failure.isFinal ? 2 : failure.cause.isNoSpace ? 0 : 1
            failedSyncs.add(weight, ordering: .relaxed)
            throw failure.cause
        }
        tellRestored(needed, refused)
        let committed = try performChanges(origin: origin) { change in
            for (staged, known) in needed {
                guard let known else { continue }
                let hash = staged.content.hash
                guard refused[known.content.hash] != nil else {
                    try change.bringBack(hash)
                    continue
                }
                // What was called sound here, could not be used and cannot be replaced either is not called so any more.
                guard known.condition == .sound, known.residency != .inCloud else { continue }
                try change.perform(.setCondition(ConditionChange(hash: hash, condition: .corrupt)))
            }
            return try block(&change, refused)
        }
        letGo(ofUnnamed: passing)
        return committed
    }

    /// An original that was called sound and was not: what mended it was chance, and somebody should look at the disk.
    private func tellRestored(
        _ needed: [(staged: StagedContent, known: Version?)], _ refused: [ContentHash: FileError]
    ) {
        for case (_, let known?) in needed where known.condition == .sound && known.residency != .inCloud {
            guard refused[known.content.hash] == nil else { continue }
            machine.log(
                .warning, "an original was damaged or missing, and is stored anew; what was left of it is in set-aside",
                ["sha256": known.content.hash.hexadecimal])
        }
    }

    /// Why the catalogue did not take a change that it may take later: its disk is full, or read-only (RULES R11, R12).
    ///
    /// Nothing of the change was kept. Nil for what is no such refusal.
    package static func refusal(_ error: any Error) -> FileError? {
        switch error as? DatabaseError {
        case .some(let error) where error.isFull: FileError(code: ENOSPC, verb: "write the catalogue")
        case .some(let error) where error.isReadOnly: FileError(code: EROFS, verb: "write the catalogue")
        default: nil
        }
    }

    /// Whether imports have stopped because the disk failed (RULES R10).
    ///
    /// Does not wait for the library's thread, which may be syncing.
    package nonisolated var isReadOnly: Bool { failedSyncs.load(ordering: .relaxed) >= 2 }

    /// Whether the directory of originals was found without any, at the start, where there should be some.
    ///
    /// It may be another one than before. What is stored in it would be gone with it when the right one is put back, so
    /// nothing is, and no source is removed, until a person says that it is lost (`acceptEmptied`).
    package nonisolated var isEmptied: Bool { emptied.load(ordering: .relaxed) }

    /// A person repairs: what was there is lost, and this directory is the one from now on.
    ///
    /// Blocks.
    package nonisolated func acceptEmptied() throws(FileError) {
        try directory.originals.claim()
        emptied.store(false, ordering: .relaxed)
    }

    /// What must be published of a batch: each content once, and not what is stored and sound already (R5).
    ///
    /// Bytes that the catalogue knows keep the name that it knows them by.
    private func neededOriginals(of batch: [StagedContent]) throws -> [(staged: StagedContent, known: Version?)] {
        var seen: Set<ContentHash> = []
        return try batch.compactMap { item in
            guard seen.insert(item.content.hash).inserted else { return nil }
            guard let stored = try catalogue.version(of: item.content.hash) else { return (item, nil) }
            if stored.condition == .sound, try directory.originals.isSound(stored.content) { return nil }
            return (StagedContent(content: stored.content, staged: item.staged), stored)
        }
    }

    /// Writes the log back into the catalogue, closes it and lets go of the library, which is not to be used afterwards.
    package func close() {
        catalogue.close()
        directory.unlock()
    }

    /// The same at the end of a daemon that met no failure, when no other connection is open: the next start makes its
    /// check while the catalogue is in use, whether the one of this start was ended or not.
    ///
    /// The time that it ran counts for Recently Deleted, however short it was.
    package func closeInOrder() {
        do {
            try advanceClock()
        } catch {
            machine.log(.notice, "how long albumd ran could not be noted: \(error)")
            doubtCatalogue(because: error)
        }
        catalogue.close()
        do throws(FileError) {
            try directory.noteOrderlyStop(files: machine.files)
        } catch {
            machine.log(.notice, "the next start checks the catalogue first: \(error)")
        }
        directory.unlock()
    }
}

extension Catalogue {
    fileprivate func commit<Value: Sendable>(
        origin: String, at date: Date, on machine: Machine, _ block: (inout Change) throws -> Value
    ) throws -> Committed<Value> {
        // Exactly the instant that the rows and the journal have.
        let date = Date(microseconds: date.microseconds)
        return try connection.transaction(.immediate) {
            var change = Change(catalogue: self, date: date, giveWay: machine.giveWay)
            let value = try block(&change)
            guard !change.requests.isEmpty else { return Committed(token: nil, value: value) }
            try change.writeStories()
            let token = try appendHistory(try historyText(change.requests), origin: origin, at: date)
            try machine.reach(.beforeCatalogueCommit)
            return Committed(token: token, value: value)
        }
    }
}
