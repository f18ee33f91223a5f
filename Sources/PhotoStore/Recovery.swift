import FoundationEssentials
package import PhotoModel
import Platform
import SQLite

/// What the start found: for the log and for status.
package struct RecoveryReport: Sendable, Equatable {
    /// Names in staging that were swept: their sources are still there.
    package var swept = 0
    /// Originals that no row names: kept, and adopted when their source is seen again.
    package var orphanFiles: [Orphan] = []
    package var orphans: [ContentHash] { Set(orphanFiles.map(\.hash)).sorted() }
    /// Contents whose original was found missing now.
    package var newlyMissing = 0
    /// How many are missing, corrupt or unreadable in all; said of a rebuild alone.
    package var unsound = 0
    /// Set where the catalogue was gone or damaged, and was rebuilt.
    package var rebuilt: RebuildReport?
}

extension PhotoLibrary {
    /// Brings disk and catalogue together after any crash.
    ///
    /// Doing it again changes nothing (RULES R8, I12). Where the check of the catalogue is owed, what is stored is
    /// compared with it by `inspect`, afterwards.
    @discardableResult
    package func recover() throws -> RecoveryReport {
        var report = RecoveryReport()
        report.swept = try sweepStaging()
        // Of a verification that a crash ended; nobody takes it for anything.
        try? directory.removeMadeCatalogue(files: machine.files)
        try machine.reach(.recoverySwept)
        report.rebuilt = recovery.rebuilt
        if inspection.hasPassed { try compareStored(&report) }
        return report
    }

    /// Makes the check of the catalogue that is owed, then compares what is stored with it; throws what it found.
    ///
    /// Blocks; nothing is published while the library's thread compares.
    package nonisolated func inspect(vfs: String? = nil) throws {
        try inspection.run(at: directory.cataloguePath, vfs: vfs) {
            try onThread { library in
                try library.compareStored(&library.recovery)
                try library.catalogue.connection.releaseCache()
            }
        }
    }

    private func compareStored(_ report: inout RecoveryReport) throws {
        let listing = try directory.originals.listing()
        for (name, error) in listing.unlisted {
            machine.log(
                .error, "a directory of originals cannot be listed, and nothing is known of what is in it: \(error)",
                ["directory": printable(name)])
        }
        let known = try compare(stored: listing)
        let owed = Set(try catalogue.unlinkWork().map(\.hash))
        report.orphanFiles = known.orphans.filter { !owed.contains($0.hash) }
        if report.orphanFiles.isEmpty, listing.unlisted.isEmpty {
            try directory.forgetRebuild(files: machine.files)
        }
        report.newlyMissing = known.changes.count { $0.condition == .missing }
        try record(known.changes, found: known.found)
    }

    private func sweepStaging() throws -> Int {
        let originals = directory.originals
        let entries = try machine.files.list(originals.staging).filter { try !isWanted($0) }
        return try entries.filter { try unlinkLeftover($0, in: originals.staging, files: machine.files) }.count
    }

    /// Whether it is part of an original that is in the cloud alone: its fetch goes on from there.
    private func isWanted(_ entry: DirectoryEntry) throws -> Bool {
        guard entry.kind == .regular, let hash = Originals.partialHash(of: entry.name) else { return false }
        return try catalogue.version(of: hash)?.residency == .inCloud
    }

    /// Walks through the names on disk beside the rows, both in the order of their hashes: an original is there if it
    /// has the very name that its row gives it.
    ///
    /// Nothing is missing where it cannot be seen: that is unreadable, which is written down as corrupt (RULES R13).
    private func compare(
        stored: StoredListing
    ) throws -> (orphans: [Orphan], changes: [ConditionChange], found: [ContentHash]) {
        var (orphans, changes, found): ([Orphan], [ConditionChange], [ContentHash]) = ([], [], [])
        let names = stored.names
        var next = names.startIndex
        var last: ContentHash?
        while true {
            let page = try catalogue.expectedOriginals(after: last, limit: 1000)
            for row in page {
                while next < names.endIndex, names[next] < row.name {
                    orphans.append(Orphan(name: names[next]))
                    next += 1
                }
                let isThere = next < names.endIndex && names[next] == row.name
                if isThere { next += 1 }
                if !isThere, row.isSound, row.isLocal {
                    let condition: Condition = stored.mayHave(row.name) ? .corrupt : .missing
                    changes.append(ConditionChange(hash: row.name.hash, condition: condition))
                }
                if isThere, !row.isSound || !row.isLocal, try isSound(row.name.hash) { found.append(row.name.hash) }
            }
            guard let hash = page.last?.name.hash else { break }
            last = hash
        }
        return (orphans + names[next...].map(Orphan.init), changes, found)
    }

    private func isSound(_ hash: ContentHash) throws -> Bool {
        guard let version = try catalogue.version(of: hash) else { return false }
        return try directory.originals.isSound(version.content)
    }

    private func record(_ changes: [ConditionChange], found: [ContentHash]) throws {
        // Some at a time: where all is gone, a change of it all would be as large as the library has originals.
        for changes in changes.chunks(of: 1000) {
            _ = try performChanges(origin: "recovery") { change in
                for condition in changes { try change.perform(.setCondition(condition)) }
            }
        }
        for found in found.chunks(of: 1000) {
            _ = try performChanges(origin: "recovery") { change in
                for hash in found { try change.bringBack(hash) }
            }
        }
    }
}

extension Array {
    fileprivate func chunks(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
