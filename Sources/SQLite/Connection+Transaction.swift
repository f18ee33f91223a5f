extension Connection {
    /// When a transaction takes its lock (https://sqlite.org/lang_transaction.html).
    package enum TransactionKind: String, Sendable {
        /// Takes the write lock at once: for everything that writes.
        case immediate = "BEGIN IMMEDIATE"
        /// Takes a lock at the first read: for several reads of one state.
        case deferred = "BEGIN DEFERRED"
    }

    /// Runs `body` as one transaction: all of it is durable when this returns, none of it when it throws.
    ///
    /// Transactions do not nest; one inside another is a misuse error, and the outer one is rolled back by it.
    package func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T {
        guard !isInTransaction else {
            throw DatabaseError.misuse("a transaction is already open", sql: kind.rawValue)
        }
        try run(kind.rawValue)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs `body` within the open transaction: what it did is undone when it throws (https://sqlite.org/lang_savepoint.html).
    package func savepoint(_ body: () throws -> Void) throws {
        try run("SAVEPOINT step")
        do {
            try body()
            try run("RELEASE step")
        } catch {
            try run("ROLLBACK TO step")
            try run("RELEASE step")
            throw error
        }
    }

    /// Ends the transaction if SQLite has not ended it itself, as it does on some errors.
    private func rollBack() {
        guard isInTransaction else { return }
        // The error under way says more. If this fails too the transaction stays open, and the next one is refused.
        try? run("ROLLBACK")
    }
}
