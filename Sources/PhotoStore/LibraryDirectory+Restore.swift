import FoundationEssentials
package import PhotoModel
package import Platform

/// An empty library that gets its journal from elsewhere; opened afterwards, it rebuilds its catalogue from it.
extension LibraryDirectory {
    private static let freshName = Array("restored.ndjson.new".utf8)

    private static let cutName = Array("restored.ndjson.cut".utf8)

    private static let mark = Array(".restoring".utf8)

    /// Whether a restore was begun here and not ended.
    package func isBeingRestored(files: any FileVerbs) throws(FileError) -> Bool {
        try files.statusIfPresent(at: Self.mark, in: root) != nil
    }

    /// Until `endRestore` nothing else may open the library: it would be told that everything is missing.
    package func beginRestore(files: any FileVerbs) throws(FileError) {
        guard try !isBeingRestored(files: files) else { return }
        try originals.claim()
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

    /// How far a restore before this came with the journal; nil where it brought nothing.
    ///
    /// Whole lines that follow one another, and none that stands for a lost change: that may be there by now.
    package func begunJournal(files: any FileVerbs) throws -> BegunJournal? {
        let file: OpenFile
        do throws(FileError) {
            file = try files.openForReading(Self.freshName, beneath: journal)
        } catch  where error.isAbsence {
            return nil
        }
        return try BegunJournal(file, files: files)
    }

    /// Writes lines of the journal, in the order of their tokens, and makes them durable all at once.
    ///
    /// `next` gives some lines at a time, whole ones with their newlines, and nil at the end; they follow on what was
    /// `begun`. What ends it leaves what came so far, which is no journal for anybody but the next restore.
    package func restoreJournal(
        after begun: BegunJournal?, machine: Machine, _ next: () throws -> [UInt8]?
    ) throws {
        let files = machine.files
        let file: OpenFile
        if begun == nil {
            try? files.unlink(Self.freshName, in: journal)
            file = try files.create(Self.freshName, in: journal)
        } else {
            file = try files.openForUpdating(Self.freshName, in: journal)
        }
        var (end, first) = (begun?.byteCount ?? 0, begun?.firstDate)
        while let lines = try next() {
            try writeBytes(file, lines, files: files, at: end)
            end += Int64(lines.count)
            first =
                first ?? lines.split(separator: UInt8(ascii: "\n")).first.flatMap(JournalReader.line).map { $0.date }
        }
        guard let first else { return try files.unlink(Self.freshName, in: journal) }
        let month = Array((first.rfc3339.prefix(7) + ".ndjson").utf8)
        // Of lines that came half something may be left behind it.
        let name = try files.status(of: file).byteCount > end ? cut(file, at: end, files) : Self.freshName
        try files.sync(file)
        // From a restore that was not ended.
        if try files.statusIfPresent(at: month, in: journal) != nil { try files.unlink(month, in: journal) }
        try files.rename(name, in: journal, to: month, in: journal)
        if name != Self.freshName { try files.unlink(Self.freshName, in: journal) }
        try files.sync(journal)
    }

    /// The first bytes of a file in another one, synced; returns its name.
    private func cut(_ file: OpenFile, at end: Int64, _ files: any FileVerbs) throws(FileError) -> [UInt8] {
        try? files.unlink(Self.cutName, in: journal)
        let cut = try files.create(Self.cutName, in: journal)
        var place: Int64 = 0
        while place < end {
            let bytes = try readBytes(file, files: files, at: place, count: Int(min(1 << 20, end - place)))
            if bytes.isEmpty { break }
            try writeBytes(cut, bytes, files: files, at: place)
            place += Int64(bytes.count)
        }
        try files.sync(cut)
        return Self.cutName
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

    /// An asset that has a restored original, and the name it has there.
    package func nameOfOriginal(_ hash: ContentHash) throws -> (asset: LocalIdentifier, filename: PathBytes)? {
        try catalogue.nameOfOriginal(hash).map { ($0.asset, $0.filename) }
    }

    /// A page of what a restore gave back, by hash.
    package func restoredContents(after hash: ContentHash?, limit: Int) throws -> [Version] {
        try catalogue.contents(after: hash, limit: limit)
    }
}
