import Cloud
import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// The tier at work: goes round on a thread of its own, and keeps the history in the store.
final class CloudService: Sendable {
    struct State: Sendable {
        var isStopping = false
        /// Somebody wants a round now.
        var isWanted = false
        /// As the configuration says it now; engine and directory are those of the start.
        var configured: CloudSettings
        var lastRound: Date?
        var roundsBegun = 0
        /// Whether originals are being moved.
        var isGoingRound = false
        /// The newest round that moved nothing, or could not.
        var restingRound = 0
        var round = TierRound()
        var mirroredToken: Int64 = 0
        /// Whether the store was found to be this library's, with a history that is not ahead.
        var isStoreKnown = false
        /// Whether it was so before, since this start: then originals that have a copy should have it there.
        var wasStoreKnown = false
        /// Whether a person gave up the store of before, since this start: that one is not mended any more.
        var isAdopted = false
        /// Copies that a store which was behind is still to be asked for.
        var unasked: Set<ContentHash> = []
        /// A change that was another's when the store was read last.
        var suspect: Int64?
        /// When the newest snapshot of the catalogue that is in the store was made.
        var mirroredSnapshot: Date?
        /// Why the history is not kept in the store.
        var mirrorFailure: (any Error)?
        /// The same, where it does not pass by itself.
        var mirrorProblem: StatusProblem?
        /// What keeps things from the store since some rounds; nil where the last one met nothing.
        var obstacle: CloudObstacle?
        /// Whether the store's directory was not in its place when somebody looked last.
        var isOutOfPlace = false
        /// Parts of the history that the store lost or spoilt, and why they could not be written again.
        var damaged: [ObjectKey: String] = [:]
        /// The object of the history that was read last.
        var mirrorCursor: ObjectKey?
        /// Uptime from which the history is read again, when all of it was.
        var nextMirrorLook = Duration.zero
    }

    /// Whether the rules want anything of the store, or originals are there alone: then it matters that it works.
    func isNeeded(_ report: CloudReport) -> Bool {
        policy().movesOriginals || !report.transfers.isEmpty || report.residencies["inCloud"] != nil
    }

    /// Why nothing can be had of the store, as far as is known; nil where it can, or where there is a problem of its own.
    var silence: String? {
        state.update { state in
            if let outage = state.obstacle, outage.isOutage { return outage.why }
            guard !state.isStoreKnown, state.mirrorProblem == nil else { return nil }
            return state.mirrorFailure.map { "\($0)" }
        }
    }

    static let interval = Duration.seconds(30)

    let store: SimulatedStore
    let directory: [UInt8]
    /// Whether the simulated store takes the room that an eviction frees.
    let isOnLibraryDisk: Bool
    /// For the background: waits for the store for as long as it takes.
    let tier: CloudTier
    let state: Monitor<State>
    /// For what a client waits for; each may block for as long as a large original takes.
    let pool = BlockingPool(name: "albumd-cloud", threadCount: 4, begin: takeLongTurns)
    let unclaimed = Unclaimed()
    /// Whether the directory is in its place.
    let place: Glance<ObjectStoreError?>
    /// Threads that have not ended.
    private let running = Monitor(0)
    let readers: LibraryReaders
    let machine: Machine

    init(_ settings: CloudSettings, library: PhotoLibrary, readers: LibraryReaders, machine: Machine) throws {
        directory = settings.directory(besideLibrary: library.directory.path)
        (self.readers, self.machine) = (readers, machine)
        let state = Monitor(State(configured: settings))
        let isExpected = try library.onThread { try $0.hasCopies() }
        store = try Self.simulatedStore(
            settings, library: library.directory.path, machine: machine, isExpected: isExpected
        ) { _ = state.goesOn(for: $0) }
        place = Glance(on: machine) { [store] in store.absence }
        isOnLibraryDisk = Self.areTogether(directory, library.directory.path, machine.files)
        let path = library.directory.cataloguePath
        tier = CloudTier(
            library: library,
            store: RetryingStore(store, machine: machine, patience: .seconds(60)) { wait, _ in state.goesOn(for: wait)
            },
            facts: { now in
                // On a connection of its own: a million rows take a second, and nobody else waits for it.
                let catalogue = try Catalogue.openForReading(at: path)
                defer { catalogue.close() }
                return try catalogue.tierFacts(at: now)
            })
        self.state = state
    }

    /// Nil where the configuration wants none, or where the store's directory cannot be used: photos that are here are
    /// imported and given out all the same.
    static func open(
        _ settings: CloudSettings, library: PhotoLibrary, readers: LibraryReaders, machine: Machine
    ) throws -> (CloudService?, UnusableCloud?) {
        guard settings.engine != .none else { return (nil, nil) }
        do {
            return (try CloudService(settings, library: library, readers: readers, machine: machine), nil)
        } catch let error as FileError {
            let path = settings.directory(besideLibrary: library.directory.path)
            let isExpected = try library.onThread { try $0.hasCopies() }
            let problem = StatusProblem(cloudDirectory: path, error, isExpected: isExpected)
            machine.log(.error, problem.what)
            return (nil, UnusableCloud(directory: path, problem: problem))
        }
    }

    /// For a person, who is told soon that the store cannot be reached.
    var impatient: CloudTier {
        tier.through(
            RetryingStore(store, machine: machine, patience: .seconds(10)) { [state] wait, _ in
                state.goesOn(for: wait)
            })
    }

    /// The rules as they hold: a floor that no eviction can reach would send everything away.
    func policy() -> CloudPolicy {
        var policy = state.update { $0.configured.policy }
        if isOnLibraryDisk { policy.freeDiskFloor = nil }
        return policy
    }

    /// Takes a changed configuration over: its rules, and how the simulated store misbehaves where that was changed.
    func adopt(_ settings: CloudSettings) {
        let before = state.update { state in
            defer { state.configured = settings }
            return state.configured
        }
        guard before != settings else { return }
        if before.faults != settings.faults { store.faults = settings.faults }
        wake()
    }

    func start() {
        run("albumd-tier") { [self] in
            goRound()
            _ = state.wait(for: Self.interval) { $0.isStopping || $0.isWanted ? true : nil }
            state.update { $0.isWanted = false }
        }
        // A round lasts as long as its largest upload: the history waits for none.
        run("albumd-history") { [self] in
            if state.goesOn(for: Self.interval), state.update({ $0.isStoreKnown && $0.isGoingRound }) {
                keepHistory(through: tier.store)
            }
        }
    }

    private func run(_ name: String, _ body: @escaping @Sendable () -> Void) {
        running.update { $0 += 1 }
        NamedThread.start(name) { [self] in
            takeLongTurns()
            while goesOn() { body() }
            running.update { $0 -= 1 }
        }.detach()
    }

    /// Asks for a round now.
    func wake() { state.update { $0.isWanted = true } }

    func requestStop() { state.update { $0.isStopping = true } }

    /// Blocks until the thread and what clients asked for have ended.
    func stop() {
        requestStop()
        running.wait { $0 == 0 ? () : nil }
        pool.shutdown()
    }

    func goesOn() -> Bool { !state.update { $0.isStopping } }

    /// Waits for a round that begins after this and moves nothing: what the rules want has been done, or cannot be.
    ///
    /// Blocks.
    func settle() {
        let before = state.update { state in
            state.isWanted = true
            return state.roundsBegun
        }
        state.wait { $0.restingRound > before || $0.isStopping ? () : nil }
    }

    /// What somebody's request met of the store: status says it at once, and not with the next round.
    func note(_ error: TierError) {
        switch error {
        case .store(let failure) where CloudObstacle.isOutage(failure.kind) || failure.kind == .quotaExceeded:
            state.update { state in
                if failure.kind != .quotaExceeded { state.round.outage = "\(failure)" }
                state.round.obstacle = error
                state.meet(state.round)
            }
        case .notOurs(let failure): disbelieve(failure)
        default: return
        }
        wake()
    }

    private func goRound() {
        let number = state.update { state in
            state.roundsBegun += 1
            return state.roundsBegun
        }
        if !state.update({ $0.isStoreKnown }) { keepHistory(through: tier.store) }
        guard state.update({ $0.isStoreKnown }) else {
            // Nothing is moved to a store of which that is not known, and nothing of it is believed.
            return state.update { state in
                state.meet(nil)
                state.restingRound = number
            }
        }
        lookForUnclaimed()
        let isResting = goRoundKnownStore()
        state.update { state in
            state.meet(state.round)
            if isResting { state.restingRound = number }
        }
        lookAtPlace()
        if state.update({ $0.mirrorFailure == nil && $0.round.outage == nil }) { lookAtMirror() }
        if isResting { giveBackFreedMemory() }
    }

    /// Whether there was nothing to be moved, or nothing can be.
    private func goRoundKnownStore() -> Bool {
        do {
            if let absence = try impatient.absence() {
                state.update { $0.round = absence }
                if case .notOurs = absence.obstacle { _ = isKnownAgain(through: impatient.store) }
                return true
            }
            askForCopies()
            state.update { $0.isGoingRound = true }
            defer { state.update { $0.isGoingRound = false } }
            let round = try tier.round(policy(), goesOn: { self.goesOn() })
            state.update { ($0.round, $0.lastRound) = (round, machine.now()) }
            let isMoving = round.moved + round.deletedObjects > 0
            // There may be more than one round moves.
            if isMoving { wake() }
            if case .notOurs = round.obstacle { state.update { $0.isStoreKnown = false } }
            if round.reclaimed > 0 { unclaimed.forget() }
            keepHistory(through: tier.store, withSnapshot: true)
            return !isMoving
        } catch {
            state.update { $0.round.outage = "\(error)" }
            machine.log(.error, "the tier could not go round: \(error)")
            return true
        }
    }
}

extension CloudService.State {
    /// Remembers what a round met, nil where none was made, and what the history did.
    mutating func meet(_ round: TierRound?) {
        obstacle = CloudObstacle(round, historyFailure: mirrorFailure, before: obstacle)
    }
}

extension Monitor where State == CloudService.State {
    /// Blocks for so long; false, at once, where albumd stops.
    func goesOn(for time: Duration) -> Bool { wait(for: time) { $0.isStopping ? true : nil } == nil }
}
