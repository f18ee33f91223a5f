package import FoundationEssentials
package import PhotoModel
package import PhotoStore
import Platform

/// Moves originals between the disk and the store, one step and one commit at a time (RULES R39-R44).
///
/// Every verb blocks and may be called from several threads; two moves of one original wait for each other. A crash at any
/// point leaves a legal residency and a row of `transfer`, from which the next start goes on.
package struct CloudTier: Sendable {
    package let library: PhotoLibrary
    package let store: any ObjectStore
    let machine: Machine
    let moves: MoveLocks
    let suspicions: Suspicions
    let wishes: Wishes
    let facts: Facts

    /// Every original as the plan sees it.
    package typealias Facts = @Sendable (_ now: Date) throws -> [TierFacts]

    /// `facts` reads beside the library, which may be busy; without it, the library's own thread reads.
    package init(library: PhotoLibrary, store: any ObjectStore, facts: Facts? = nil) {
        (self.library, self.store) = (library, store)
        self.facts = facts ?? { now in try library.onThread { try $0.tierFacts(at: now) } }
        (machine, moves, wishes) = (library.machine, MoveLocks(), Wishes())
        let memory = SuspicionMemory(library.directory, files: machine.files)
        suspicions = Suspicions(memory, at: machine.uptime())
    }

    private init(_ other: CloudTier, store: any ObjectStore) {
        (library, self.store, facts) = (other.library, store, other.facts)
        (moves, suspicions, machine) = (other.moves, other.suspicions, other.machine)
        wishes = other.wishes
    }

    /// The same tier, over the store as another caller has patience for it.
    package func through(_ store: any ObjectStore) -> CloudTier {
        CloudTier(self, store: store)
    }

    /// Originals that the store denied, and that are to be asked for once more.
    package var doubtCount: Int { suspicions.count }

    /// How long until an original that was denied, or with nil the first of all, is asked for again, and is then believed.
    package func doubtWait(of hash: ContentHash? = nil) -> Duration? { suspicions.wait(of: hash, at: machine.uptime()) }

    package var doubtedOriginals: [ContentHash] { suspicions.all }

    /// What was denied was denied by a store that is given up.
    package func forgetDoubts() { suspicions.forgetAll() }

    var originals: Originals { library.directory.originals }

    /// Copies an original to the store and proves it; one that is there already is proven anew.
    package func upload(_ content: Content, requestedBy: TransferReason) throws {
        try moves.alone(content.hash) {
            _ = try uploadAlone(content, requestedBy: requestedBy)
        }
    }

    /// Uploads where that is needed, proves, and takes the original off the disk; done already is done.
    ///
    /// One that has to stay is refused before the store is asked for anything.
    package func evict(_ content: Content, requestedBy: TransferReason) throws {
        try moves.alone(content.hash) {
            guard try version(of: content).residency != .inCloud else { return }
            try requireMayLeave(content, requestedBy: requestedBy)
            let proof = try uploadAlone(content, requestedBy: requestedBy)
            try evictAlone(proof, requestedBy: requestedBy)
        }
    }

    /// Reads an original for as long as no move has it, and none begins: an eviction would find it in use.
    ///
    /// Nil at once where one has.
    package func unlessMoving<Value>(_ hash: ContentHash, _ body: () throws -> Value) rethrows -> Value? {
        try moves.ifFree(hash, body)
    }

    /// Keeps an original on the disk, once it is there, until as many have called `endWanting`: who waits for its bytes has
    /// to open them, too.
    package func beginWanting(_ hash: ContentHash) { wishes.begin(hash) }

    package func endWanting(_ hash: ContentHash) { wishes.end(hash) }

    func version(of content: Content) throws -> Version {
        guard let version = try library.onThread({ try $0.version(of: content.hash) }) else { throw TierError.unknown }
        return version
    }

    func note(_ transfer: Transfer?, of content: Content, requestedBy: TransferReason) throws {
        try perform([
            .setTransfer(TransferChange(hash: content.hash, transfer: transfer, requestedBy: requestedBy))
        ])
    }

    /// Throws `TierError.unknown` where the original was purged meanwhile.
    func perform(_ requests: [ChangeRequest]) throws {
        do {
            try library.onThread { try $0.perform(requests, origin: "cloud") }
        } catch LibraryError.noSuchContent {
            throw TierError.unknown
        }
    }

    /// Runs a verb of the store; what it throws is a `TierError`.
    func asking<Value>(_ body: () throws(ObjectStoreError) -> Value) throws(TierError) -> Value {
        do throws(ObjectStoreError) {
            return try body()
        } catch {
            throw TierError(error)
        }
    }
}
