import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// The history in the store, which tells whose store it is.
extension CloudService {
    /// Everything that is committed by now comes to the store, too, after what was uploaded.
    ///
    /// Two at once bring the same twice at worst.
    func keepHistory(through store: any ObjectStore, withSnapshot: Bool = false) {
        do {
            let mirror = mirror(through: store)
            let (known, isKnown, suspect) = state.update { ($0.mirroredToken, $0.isStoreKnown, $0.suspect) }
            // Where what was brought last is not there, it is not as it was: an older copy of itself, maybe.
            let isAsItWas = try isKnown && mirror.hasSegment(upTo: known, history)
            let from =
                try isAsItWas
                ? known : mirror.newestToken(isExpected: hasOriginalsThere(), suspect: suspect, history)
            if !isAsItWas { try noteCopies(after: from) }
            state.update { ($0.mirroredToken, $0.isStoreKnown, $0.wasStoreKnown) = (from, true, true) }
            _ = try mirror.catchUp(from: from, history) { token in
                state.update { $0.mirroredToken = max($0.mirroredToken, token) }
            }
            if withSnapshot { try keepSnapshot(mirror) }
            state.update { ($0.mirrorFailure, $0.mirrorProblem) = (nil, nil) }
        } catch {
            if let error = error as? MirrorError { disbelieve(error) }
            let isNews = state.update { state in
                state.mirrorProblem = (error as? MirrorError).map { StatusProblem(notMirrored: $0) }
                defer { state.mirrorFailure = error }
                return state.mirrorFailure.map { "\($0)" } != "\(error)"
            }
            if isNews { machine.log(.warning, "the history is not kept in the store: \(error)") }
        }
    }

    /// What was committed since the last round, at the end of an orderly stop; a store that does not take it has it after
    /// the next start.
    func bringLastHistory() {
        if state.update({ $0.isStoreKnown }) { keepHistory(through: tier.store) }
    }

    func mirror(through store: any ObjectStore) -> LibraryMirror {
        LibraryMirror(store: store, library: tier.library.directory.identifier)
    }

    var history: LibraryMirror.History {
        { [readers] after, limit in try readers.readNow { try $0.history(after: after, limit: limit) } }
    }

    /// Whether an empty store is not the library's: of one that is new to this start, where originals are there alone.
    private func hasOriginalsThere() throws -> Bool {
        let expected: [Residency] = state.update { $0.wasStoreKnown } ? [.inCloud, .both] : [.inCloud]
        return try readers.readNow { catalogue in
            let counts = try catalogue.residencyCounts()
            return expected.contains { counts[$0]?.count ?? 0 > 0 }
        }
    }

    /// Throws where the store, asked now, is not this library's, or not as far as this library is: it proves nothing.
    func requireBelief(in store: any ObjectStore) throws(TierError) {
        try requireStore(through: store)
        do {
            try mirror(through: store).requireNoLater(than: state.update { $0.mirroredToken }, history)
        } catch let error as MirrorError {
            disbelieve(error)
            throw .notOurs(error)
        } catch {
            // Each original is asked for, and says so itself.
        }
    }

    /// It was found to be another's: whether it is this library's after all, whose identity rotted.
    func isKnownAgain(through store: any ObjectStore) -> Bool {
        state.update { $0.isStoreKnown = false }
        keepHistory(through: store)
        return state.update { $0.isStoreKnown }
    }

    /// Throws where the store is not known to be this library's: nothing may be evicted to it.
    func requireStore(through store: any ObjectStore) throws(TierError) {
        if !state.update({ $0.isStoreKnown }) { keepHistory(through: store) }
        let (isKnown, problem, failure) = state.update { ($0.isStoreKnown, $0.mirrorProblem, $0.mirrorFailure) }
        guard !isKnown else { return }
        if let error = failure as? MirrorError, error.isOthers { throw .notOurs(error) }
        throw .store(
            ObjectStoreError(
                problem == nil ? .unreachable : .refused,
                problem?.what ?? failure.map { "\($0)" } ?? "it does not answer")
        )
    }

    /// The newest daily snapshot comes to the store once: a restore needs no history from before it.
    private func keepSnapshot(_ mirror: LibraryMirror) throws {
        guard let newest = try tier.library.directory.newestSnapshot(files: machine.files),
            state.update({ $0.mirroredSnapshot }) != newest, let snapshot = try newestSnapshot()
        else { return }
        try mirror.keep(snapshot, files: machine.files)
        state.update { $0.mirroredSnapshot = newest }
    }

    /// Reads it for its hash.
    func newestSnapshot() throws -> DailySnapshot? {
        let directory = tier.library.directory
        return try directory.newestSnapshot(files: machine.files).flatMap {
            try directory.dailySnapshot(of: $0, machine: machine)
        }
    }
}
