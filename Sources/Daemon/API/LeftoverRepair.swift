import Control
import PhotoModel
import PhotoStore
import Platform

/// Originals that were deleted for good and could not be removed (RULES R38): `repair` tries again, and says what became
/// of each.
extension LibraryService {
    func removeLeftovers(isDryRun: Bool) async throws -> [RepairRow] {
        let before = try await read(library.unremoved)
        guard !isDryRun else { return before.map { leftover($0, .wouldDiscard, $0.error) } }
        try await library.retryPurges()
        let left = try await read(library.unremoved)
        let hashes = Set(left.map(\.hash))
        return before.filter { !hashes.contains($0.hash) }.map { leftover($0, .discarded, nil) }
            + left.map { leftover($0, .failed, $0.error) }
    }

    private func leftover(_ original: UnremovedOriginal, _ outcome: RepairRow.Outcome, _ error: FileError?) -> RepairRow
    {
        var row = RepairRow(outcome, path: original.path, sha256: original.hash)
        row.detail = "it was deleted for good\(error.map { ", and could not be removed: \($0)" } ?? "")"
        if outcome == .failed { row.fix = removalAdvice(original, in: library.directory.path) }
        return row
    }
}
