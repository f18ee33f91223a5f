import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

extension LibraryService {
    /// What nothing here has any more, put back from its copy in the cloud; the row as it was where there is none.
    ///
    /// Blocks for as long as the download takes.
    func mendFromCloud(_ lost: RepairRow, _ content: Content, isDryRun: Bool) throws -> RepairRow {
        guard let cloud else { return lost }
        var row = lost
        do {
            let tier = cloud.impatient
            guard try isDryRun ? tier.hasCopy(of: content) : tier.mend(content, progress: { _ in cloud.goesOn() })
            else { return lost }
            (row.outcome, row.detail, row.fix) = (
                isDryRun ? .wouldRepair : .repaired, "from the cloud", nil
            )
        } catch let error as TierError {
            (row.outcome, row.detail) = (.failed, "nothing here has its bytes, and of the cloud: \(error)")
            row.fix = error.fixOfRepair
        }
        return row
    }
}

extension TierError {
    /// What lets the next repair do it.
    var fixOfRepair: String {
        switch self {
        case .notOurs(let error): error.fix
        case .noRoom: "free some space on the library's disk, then albumctl repair"
        case .lost, .unknown: lostOriginalFix
        case .localBytes, .refused, .cancelled: "albumctl repair"
        case .store(let error) where error.kind != .notFound: "albumctl cloud status, then albumctl repair"
        case .store, .cloudBytes: "albumctl cloud verify says what the cloud has; else " + lostOriginalFix
        }
    }
}
