import FoundationEssentials
import PhotoModel

/// Undoing one change by another.
extension PhotoLibrary {
    /// What an undo did, or would do.
    package struct Undone: Sendable {
        /// Nil where nothing was changed.
        package var token: Int64?
        package var plan: UndoPlan
    }

    /// Makes the change that reverses another; `basis` has the history up to some token, and what came since is added.
    package func undo(
        _ basis: UndoBasis, files: FilesBack = FilesBack(), origin: String, isDryRun: Bool
    ) throws -> Undone {
        let committed = try performChanges(origin: "undo \(basis.token), \(origin)") { change in
            var basis = basis
            for line in try change.catalogue.history(after: basis.newest, limit: .max) { try basis.take(line) }
            let running = try change.catalogue.clock()?.runningSeconds ?? 0
            var plan = try UndoPlan(basis, runningSeconds: running, files: files)
                .keepingWhatIsThere(in: change.catalogue)
            guard !isDryRun else { return plan }
            let count = change.requests.count
            for request in plan.requests { try change.perform(request) }
            plan.requests = Array(change.requests[count...])
            return plan
        }
        return Undone(token: committed.token, plan: committed.value)
    }
}

extension Catalogue {
    /// The change with this token, to fold the history before and after it into.
    package func undoBasis(_ token: Int64) throws -> UndoBasis? {
        guard let line = try history(after: token - 1, limit: 1).first, line.token == token else { return nil }
        return try UndoBasis(undoing: line)
    }
}

extension UndoPlan {
    /// An earlier version comes back only where its bytes are there and sound, a row only where its photo is there.
    fileprivate func keepingWhatIsThere(in catalogue: Catalogue) throws -> UndoPlan {
        var plan = self
        plan.requests = []
        for request in requests {
            switch request {
            case .addVersion(let addition) where try catalogue.version(of: addition.content.hash)?.condition != .sound:
                plan.remarks.append(
                    "asset \(addition.localIdentifier) keeps its edit: the bytes before it are missing or corrupt")
            // With its row the file would be taken for one whose photo was deleted, and never be imported again.
            case .recordSource(let source) where try catalogue.isPurged(source.localIdentifier): break
            default: plan.requests.append(request)
            }
        }
        return plan
    }
}

extension Catalogue {
    fileprivate func isPurged(_ asset: LocalIdentifier?) throws -> Bool {
        try asset.flatMap { try self.asset($0) }?.state == .purged
    }
}
