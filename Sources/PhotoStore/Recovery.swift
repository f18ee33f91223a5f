import FoundationEssentials
package import PhotoModel
import Platform

/// What the start found: for the log and for status.
package struct RecoveryReport: Sendable, Equatable {
    /// Names in staging that were swept: their sources are still there.
    package var swept = 0
    /// Originals that no row names: kept, and adopted when their source is seen again.
    package var orphanFiles: [Orphan] = []
    package var orphans: [ContentHash] { Set(orphanFiles.map(\.hash)).sorted() }
    /// Contents whose original was found missing now.
    package var newlyMissing = 0
    /// Set where the catalogue was gone or damaged, and was rebuilt.
    package var rebuilt: RebuildReport?
}

extension PhotoLibrary {
    /// Brings disk and catalogue together after any crash.
    ///
    /// Doing it again changes nothing (RULES R8, I12).
    @discardableResult
    package func recover() throws -> RecoveryReport {
        var report = RecoveryReport()
        report.swept = try sweepStaging()
        try machine.reach(.recoverySwept)
        report.rebuilt = recovery.rebuilt
        let listing = try directory.originals.listing()
        for (name, error) in listing.unlisted {
            machine.log(
                .error, "a directory of originals cannot be listed, and nothing is known of what is in it: \(error)",
                ["directory": printable(name)])
        }
        let known = try compare(stored: listing)
        report.orphanFiles = known.orphans
        report.newlyMissing = known.changes.count { $0.condition == .missing }
        try record(known.changes)
        return report
    }

    private func sweepStaging() throws -> Int {
        let originals = directory.originals
        let entries = try machine.files.list(originals.staging)
        for entry in entries where entry.kind != .directory {
            try machine.files.unlink(entry.name, in: originals.staging)
        }
        return entries.count
    }

    /// Compares the names on disk with the rows: an original is there if it has the very name that its row gives it.
    ///
    /// Nothing is missing where it cannot be seen: that is unreadable, which is written down as corrupt (RULES R13).
    private func compare(stored: StoredListing) throws -> (orphans: [Orphan], changes: [ConditionChange]) {
        var onDisk = Set(stored.names)
        var changes: [ConditionChange] = []
        var last: ContentHash?
        while true {
            let page = try catalogue.contents(after: last, limit: 1000)
            for version in page {
                let name = StoredName(of: version.content)
                let isThere = onDisk.remove(name) != nil
                if !isThere, version.condition == .sound, version.residency != .inCloud {
                    let condition: Condition = stored.mayHave(name) ? .corrupt : .missing
                    changes.append(ConditionChange(hash: version.content.hash, condition: condition))
                }
                if isThere, version.condition != .sound, try directory.originals.isSound(version.content) {
                    changes.append(ConditionChange(hash: version.content.hash, condition: .sound))
                }
            }
            guard let hash = page.last?.content.hash else { break }
            last = hash
        }
        return (onDisk.map { Orphan(name: $0) }.sorted { $0.path < $1.path }, changes)
    }

    private func record(_ changes: [ConditionChange]) throws {
        guard !changes.isEmpty else { return }
        _ = try performChanges(origin: "recovery") { change in
            for condition in changes { try change.perform(.setCondition(condition)) }
        }
    }
}
