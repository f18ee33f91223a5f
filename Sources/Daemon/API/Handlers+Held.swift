import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// Deletions of so many files at once that a person must say that they are meant (RULES R34).
extension LibraryService {
    func confirmDeletion(_ request: ConfirmRequest) async throws -> ConfirmResult {
        let held: HeldDeletion
        do throws(EngineError) { held = try importing.status.heldDeletion(request.token) } catch { throw error.problem }
        let row = try await read { self.row(of: held, roots: try self.roots(in: $0), limit: .max) }
        if request.isDryRun == true { return ConfirmResult(trashedCount: 0, held: row) }
        let result = await withCheckedContinuation { continuation in
            importing.post(.confirmDeletion(token: request.token) { continuation.resume(returning: $0) })
        }
        switch result {
        case .success(let count): return ConfirmResult(trashedCount: count, held: row)
        case .failure(let error): throw error.problem
        }
    }

    /// With the first `limit` paths.
    private func row(of held: HeldDeletion, roots: [UUID: PathBytes], limit: Int) -> HeldRow {
        let keys = held.evidence.keys.sorted().prefix(limit)
        return HeldRow(
            token: held.token, folder: printable((roots[held.folder] ?? PathBytes([])).bytes), since: held.since,
            count: held.evidence.count, paths: keys.map { printable(absolute($0, roots: roots).bytes) })
    }

    /// What status says of deletion.
    func deletionStatus(_ held: [HeldDeletion], in catalogue: Catalogue) throws -> DeletionStatus {
        let roots = try roots(in: catalogue)
        let (expiry, clock) = (try catalogue.nextExpiry(), try catalogue.clock())
        return DeletionStatus(
            trashedCount: try catalogue.trashedCount(), purgedCount: try catalogue.purgedCount(),
            expiryDate: expiry.flatMap { clock?.expiry(of: $0.first, now: machine.now()) }, expiryCount: expiry?.count,
            isClockFrozen: clock?.isFrozen ?? false,
            needsConfirmation: held.map { row(of: $0, roots: roots, limit: 3) })
    }
}

extension HeldRow {
    /// What waits, and the command that lets it happen.
    var problem: StatusProblem {
        let rest = count > paths.count ? " and \(count - paths.count) more" : ""
        let names = paths.map { "'\($0.dropFirst(folder.count + 1))'" }.joined(separator: ", ") + rest
        return StatusProblem(
            what: "\(counted(count, "file")) of '\(folder)' were deleted within an hour, and no photo yet: \(names)",
            fix: "albumctl confirm \(token)   (if that is meant; else put the files back)", kind: "needsConfirmation")
    }
}
