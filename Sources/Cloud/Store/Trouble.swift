import Synchronization

/// Since when a store fails, and in which way: it is waited for once, not once for each verb.
final class Trouble: Sendable {
    private let since = Mutex<[ObjectStoreError.Kind: Duration]>([:])

    /// How long a store that failed so now has failed so.
    func lasts(_ kind: ObjectStoreError.Kind, at uptime: Duration) -> Duration {
        since.withLock { since in
            let begun = since[kind] ?? uptime
            since[kind] = begun
            return uptime - begun
        }
    }

    /// The store answered: what it failed of is over.
    func ends() { since.withLock { $0 = [:] } }
}
