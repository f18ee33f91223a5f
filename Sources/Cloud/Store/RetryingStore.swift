import FoundationEssentials
package import Platform

/// Any store, asked again until it answers: for what a store may get over, for as long as the caller has patience.
///
/// For ever where patience is nil: running out of retries never decides anything (RULES R43). An answer is an answer:
/// `notFound` is not asked again, and neither is what we may not do.
package struct RetryingStore: ObjectStore {
    private let store: any ObjectStore
    private let machine: Machine
    private let patience: Duration?
    private let pause: @Sendable (Duration, ObjectStoreError) -> Bool
    private let trouble = Trouble()

    /// `patience` bounds the waiting from the first failure on, over all verbs until one is answered.
    ///
    /// A store that is away is not waited for once for each of a thousand originals. What others are answered meanwhile
    /// lengthens no call.
    ///
    /// `pause` waits so long, for the reason that the store gave, and says whether to go on: false cancels.
    package init(
        _ store: any ObjectStore, machine: Machine, patience: Duration?,
        pause: @escaping @Sendable (Duration, ObjectStoreError) -> Bool
    ) {
        (self.store, self.machine, self.patience, self.pause) = (store, machine, patience, pause)
    }

    package func put(_ key: ObjectKey, _ body: ObjectBody) throws(ObjectStoreError) -> ObjectFacts {
        try retrying { () throws(ObjectStoreError) in try store.put(key, body) }
    }

    package func head(_ key: ObjectKey) throws(ObjectStoreError) -> ObjectFacts {
        try retrying { () throws(ObjectStoreError) in try store.head(key) }
    }

    /// Goes on where it broke off: what was handed over is not fetched again.
    package func get(
        _ key: ObjectKey, from offset: Int64, _ take: (UnsafeRawBufferPointer) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        var (place, before) = (offset, offset)
        let moves = {
            defer { before = place }
            return place > before
        }
        try retrying(moves: moves) { () throws(ObjectStoreError) in
            try store.get(key, from: place) { (bytes) throws(ObjectStoreError) in
                try take(bytes)
                place += Int64(bytes.count)
            }
        }
    }

    package func delete(_ key: ObjectKey) throws(ObjectStoreError) {
        try retrying { () throws(ObjectStoreError) in try store.delete(key) }
    }

    package func list(
        _ prefix: String, after: ObjectKey?, limit: Int
    ) throws(ObjectStoreError) -> [ObjectFacts] {
        try retrying { () throws(ObjectStoreError) in try store.list(prefix, after: after, limit: limit) }
    }

    /// `moves` says whether anything came since it was last asked: then the store is not away.
    private func retrying<Value>(
        moves: () -> Bool = { false }, _ body: () throws(ObjectStoreError) -> Value
    ) throws(ObjectStoreError) -> Value {
        let longest = patience.map { min(max($0 / 10, .milliseconds(200)), BackOff.longest) } ?? BackOff.longest
        var backOff = BackOff(longest: longest)
        var begun: Duration?
        while true {
            do throws(ObjectStoreError) {
                let value = try body()
                trouble.ends()
                return value
            } catch  where error.isRetryable {
                if moves() {
                    trouble.ends()
                    (backOff, begun) = (BackOff(longest: longest), nil)
                }
                let wait = backOff.next(after: error, random: machine.spread())
                let now = machine.uptime()
                let first = begun ?? now
                begun = first
                let soFar = max(trouble.lasts(error.kind, at: now), now - first)
                // Room comes by somebody's hand.
                if let patience, error.kind == .quotaExceeded || soFar + wait > patience { throw error }
                guard pause(wait, error) else { throw ObjectStoreError(.cancelled, "given up while waiting: \(error)") }
            } catch {
                // An answer, if no welcome one.
                if error.kind != .cancelled { trouble.ends() }
                throw error
            }
        }
    }
}

extension Machine {
    /// From the machine's identifiers, so that a simulation repeats itself.
    fileprivate func spread() -> UInt64 {
        let bytes = makeUUID().uuid
        return UInt64(bytes.14) << 8 | UInt64(bytes.15)
    }
}
