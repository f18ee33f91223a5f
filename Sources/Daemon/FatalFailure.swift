import PhotoStore
import Platform
import SQLite
import Synchronization

/// The failure that ends the daemon: whoever meets it notes it here (RULES R10).
final class FatalFailure: Sendable {
    private struct State {
        var error: (any Error)?
        var end: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// The first that was noted.
    var error: (any Error)? { state.withLock { $0.error } }

    /// Keeps the first, and has the daemon end.
    func note(_ error: any Error) {
        let end = state.withLock { state in
            if state.error == nil { state.error = error }
            return state.end
        }
        end()
    }

    /// The same for what the check of the catalogue met, as it is met at a start.
    func note(ofCatalogue error: any Error) {
        note(ifCatalogueFailed: error)
        note(error)
    }

    /// The same for an error of any kind: kept only where the library is not to be used any further.
    func note(ifCatalogueFailed error: any Error) {
        switch error {
        case let error as DatabaseError where error.needsNewStart: note(error)
        case LibraryError.directoryRemoved: note(error)
        case LibraryError.catalogueDamaged(_, let findings):
            note(DatabaseError.corrupt(printable(findings.first ?? "")))
        default: break
        }
    }

    /// Says how the daemon is made to end; at once, where a failure was noted already.
    func whenNoted(_ end: @escaping @Sendable () -> Void) {
        let isNoted = state.withLock { state in
            state.end = end
            return state.error != nil
        }
        if isNoted { end() }
    }
}
