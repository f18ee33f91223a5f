import FoundationEssentials
import PhotoModel
package import Platform
import SQLite

/// The library: the one place where it is changed. Owns the writing connection, on a thread of its own.
///
/// Everything that mutates, the importer included, goes through `performChanges`; the feed is the only notification.
/// Publishing of originals and the commit of their rows happen here too, so that they are serialised (RULES R5).
package actor PhotoLibrary {
    package nonisolated let executor: ThreadExecutor
    package nonisolated let directory: LibraryDirectory
    package nonisolated let feed: ChangeFeed
    package nonisolated let machine: Machine
    let catalogue: Catalogue
    /// What the start found.
    package private(set) var recovery = RecoveryReport()
    private var isChanging = false
    private var failedSyncs = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(
        directory: LibraryDirectory, catalogue: Catalogue, machine: Machine, executor: ThreadExecutor, newest: Int64
    ) {
        self.directory = directory
        self.catalogue = catalogue
        self.machine = machine
        self.executor = executor
        feed = ChangeFeed()
        feed.publish(newest)
    }

    /// Opens and recovers the library at `path` (RULES R8).
    ///
    /// Blocks; call it from a thread that may.
    package static func open(
        _ path: [UInt8], machine: Machine, executor: ThreadExecutor, vfs: String? = nil
    ) throws -> PhotoLibrary {
        let directory = try LibraryDirectory.open(path, machine: machine)
        let catalogue = try Catalogue.openForWriting(at: directory.cataloguePath, vfs: vfs) { connection in
            try connection.backup(to: directory.backupPath(at: machine.now()))
        }
        let findings = try catalogue.quickCheck()
        guard findings.isEmpty else {
            throw LibraryError.catalogueDamaged(path: String(decoding: path, as: UTF8.self), findings: findings)
        }
        let library = PhotoLibrary(
            directory: directory, catalogue: catalogue, machine: machine, executor: executor,
            newest: try catalogue.lastToken())
        try library.onThread { $0.recovery = try $0.recover() }
        return library
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
    /// Returns after the commit is durable. A block that performs nothing commits nothing and has no token.
    package func performChanges<Value: Sendable>(
        origin: String, _ block: (inout Change) throws -> Value
    ) throws -> Committed<Value> {
        guard !isChanging else { throw LibraryError.nestedChange }
        isChanging = true
        defer { isChanging = false }
        let committed = try catalogue.commit(origin: origin, at: machine.now(), reach: machine.reach, block)
        try machine.reach(.afterCatalogueCommit)
        if let token = committed.token { feed.publish(token) }
        return committed
    }

    /// Makes staged bytes durable under their names, then makes the change that names them.
    package func publish<Value: Sendable>(
        _ batch: [StagedContent], origin: String, _ block: (inout Change) throws -> Value
    ) throws -> Committed<Value> {
        guard failedSyncs < 2 else { throw LibraryError.readOnly(why: "the disk failed to sync twice") }
        do {
            try directory.originals.publish(try withoutStored(batch))
        } catch let error as FileError where error.verb == "fsync" || error.verb == "syncfs" {
            failedSyncs += 1
            throw error
        }
        return try performChanges(origin: origin, block)
    }

    /// Whether imports have stopped because the disk failed (RULES R10).
    package var isReadOnly: Bool { failedSyncs >= 2 }

    /// What must be published of a batch: each content once, and not what is stored and sound already (R5).
    private func withoutStored(_ batch: [StagedContent]) throws -> [StagedContent] {
        var seen: Set<ContentHash> = []
        return try batch.filter { item in
            guard seen.insert(item.content.hash).inserted else { return false }
            guard let stored = try catalogue.version(of: item.content.hash) else { return true }
            return try !(stored.condition == .sound && directory.originals.isSound(stored.content))
        }
    }

    /// Writes the log back into the catalogue and closes it; the library is not to be used afterwards.
    package func close() {
        catalogue.close()
    }
}

extension Catalogue {
    fileprivate func commit<Value: Sendable>(
        origin: String, at date: Date, reach: (Milestone) throws -> Void, _ block: (inout Change) throws -> Value
    ) throws -> Committed<Value> {
        try connection.transaction(.immediate) {
            var change = Change(catalogue: self, date: date)
            let value = try block(&change)
            guard !change.requests.isEmpty else { return Committed(token: nil, value: value) }
            try change.writeStories()
            let token = try appendHistory(try historyText(change.requests), origin: origin, at: date)
            try reach(.beforeCatalogueCommit)
            return Committed(token: token, value: value)
        }
    }
}
