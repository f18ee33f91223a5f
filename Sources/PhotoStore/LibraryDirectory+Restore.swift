import FoundationEssentials
package import PhotoModel
package import Platform

/// An empty library that gets its journal from elsewhere; opened afterwards, it rebuilds its catalogue from it.
extension LibraryDirectory {
    private static let freshName = Array("restored.ndjson.new".utf8)

    private static let mark = Array(".restoring".utf8)

    /// Whether a restore was begun here and not ended.
    package func isBeingRestored(files: any FileVerbs) throws(FileError) -> Bool {
        try files.statusIfPresent(at: Self.mark, in: root) != nil
    }

    /// Until `endRestore` nothing else may open the library: it would be told that everything is missing.
    package func beginRestore(files: any FileVerbs) throws(FileError) {
        guard try !isBeingRestored(files: files) else { return }
        try files.sync(try files.create(Self.mark, in: root))
        try files.sync(root)
    }

    package func endRestore(files: any FileVerbs) throws(FileError) {
        try files.unlink(Self.mark, in: root)
        try files.sync(root)
    }

    /// Whether the catalogue was made already, by a restore that was not ended.
    package func hasCatalogue(files: any FileVerbs) throws(FileError) -> Bool {
        try files.statusIfPresent(at: Array("catalogue.sqlite".utf8), in: root) != nil
    }

    /// Whether nothing is here yet that a restore would mix with: no catalogue, no originals, no journal.
    package func isBlank(machine: Machine) throws -> Bool {
        let catalogue = try machine.files.statusIfPresent(at: Array("catalogue.sqlite".utf8), in: root)
        return try catalogue == nil && !hasContents(files: machine.files)
    }

    /// Writes lines of the journal, in the order of their tokens, and makes them durable all at once.
    ///
    /// `next` gives some lines at a time, whole ones with their newlines, and nil at the end. A crash leaves none of them.
    package func restoreJournal(machine: Machine, _ next: () throws -> [UInt8]?) throws {
        let files = machine.files
        // Left by a crash within these lines.
        try? files.unlink(Self.freshName, in: journal)
        let file = try files.create(Self.freshName, in: journal)
        var end: Int64 = 0
        var month: [UInt8]?
        while let lines = try next() {
            try writeBytes(file, lines, files: files, at: end)
            end += Int64(lines.count)
            month =
                month
                ?? lines.split(separator: UInt8(ascii: "\n")).first.flatMap(JournalReader.line).map {
                    Array(($0.date.rfc3339.prefix(7) + ".ndjson").utf8)
                }
        }
        guard let month else { return try files.unlink(Self.freshName, in: journal) }
        try files.sync(file)
        // From a restore that was not ended.
        if try files.statusIfPresent(at: month, in: journal) != nil { try files.unlink(month, in: journal) }
        try files.rename(Self.freshName, in: journal, to: month, in: journal)
        try files.sync(journal)
    }

    /// The catalogue, from the snapshot and the journal that were restored.
    ///
    /// With `isPartial` requests that do not fit are passed over; returns how many.
    package func makeRestoredCatalogue(
        isPartial: Bool, machine: Machine, vfs: String?, progress: RebuildProgress
    ) throws -> Int {
        let plan = try planRebuild(files: machine.files, vfs: vfs)
        guard plan.isComplete || isPartial else { throw whatIsLacking(plan) }
        return try rebuild(plan, isPartial: isPartial, machine: machine, vfs: vfs, progress: progress).skippedRequests
    }

    /// Lets the library be opened by what follows.
    package func release() { unlock() }
}

extension PhotoLibrary {
    /// Originals that have a copy in the cloud and no file here are in the cloud: what a restore begins with.
    ///
    /// Returns how many, and the hashes of those that have neither.
    package func settleRestored() throws -> (inCloud: Int, without: [ContentHash]) {
        var (count, last): (Int, ContentHash?) = (0, nil)
        var without: [ContentHash] = []
        while true {
            let page = try catalogue.contents(after: last, limit: 1000)
            guard let end = page.last else { return (count, without) }
            last = end.content.hash
            var requests: [ChangeRequest] = []
            for version in page where version.condition == .missing || version.residency == .inCloud {
                let hash = version.content.hash
                guard let copy = try catalogue.cloudCopy(of: hash) else {
                    without.append(hash)
                    continue
                }
                requests += [
                    .setResidency(ResidencyChange(hash: hash, residency: .inCloud, copy: copy)),
                    .setTransfer(TransferChange(hash: hash, transfer: nil, requestedBy: .policy)),
                    .setCondition(ConditionChange(hash: hash, condition: .sound)),
                ]
                count += 1
            }
            if !requests.isEmpty { try perform(requests, origin: "restore") }
        }
    }
}
