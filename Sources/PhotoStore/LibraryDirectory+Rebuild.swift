import FoundationEssentials
import PhotoModel
import Platform
import SQLite

/// A lost catalogue made anew from the newest good snapshot and the journal (RULES R49).
///
/// The new one is built under another name, and gets its own last: a crash leaves no catalogue, or one of the two.
extension LibraryDirectory {
    private static let catalogueName = Array("catalogue.sqlite".utf8)

    /// Does it, with the catalogue closed; with `isPartial`, what does not fit is passed over.
    ///
    /// Originals and rows are compared afterwards, as at every start (`PhotoLibrary.recover`).
    func rebuild(
        _ plan: RebuildPlan, isPartial: Bool, machine: Machine, vfs: String?, progress: RebuildProgress
    ) throws -> RebuildReport {
        let files = machine.files
        let made = try make(plan, isPartial: isPartial, machine: machine, vfs: vfs, progress: progress)
        try files.sync(root)
        // Once the new catalogue has its name nothing else says it.
        try noteRebuild(files: files)
        try machine.reach(.catalogueRebuilt)
        let kept = try setCatalogueAside(machine)
        try machine.reach(.catalogueSetAside)
        try files.rename(LibraryDirectory.rebuiltName, in: root, to: LibraryDirectory.catalogueName, in: root)
        try files.sync(root)
        try machine.reach(.catalogueReplaced)
        note(lost: made.unsettledChanges, forgettingRows: made.plan.snapshot == nil, files: files)
        return made.report(at: machine.now(), setAside: kept)
    }

    /// What it would come to: the catalogue is made beside the one that is there, and removed again.
    func tryRebuild(_ plan: RebuildPlan, isPartial: Bool, machine: Machine, vfs: String?) throws -> RebuildReport {
        // Where it cannot be removed, the next rebuild does.
        defer { try? removeDatabase(LibraryDirectory.rebuiltName, in: root, files: machine.files) }
        return try make(plan, isPartial: isPartial, machine: machine, vfs: vfs, progress: { _, _ in })
            .report(at: machine.now(), setAside: nil)
    }

    /// What the history makes has no wrong rows; what is lost of it status says.
    private func note(lost: Int, forgettingRows isMadeAnew: Bool, files: any FileVerbs) {
        var memory = AuditMemory.read(from: self, files: files)
        let before = memory
        var found = memory.history ?? HistoryFindings()
        if isMadeAnew { found.rows = nil }
        found.lost = lost == 0 ? nil : lost
        memory.history = found == HistoryFindings() ? nil : found
        guard memory != before else { return }
        // Else status says it after the next verification.
        try? memory.write(to: self, files: files)
    }

    /// Renames what stands in the catalogue's place, its log and the index of that, too: a log beside another
    /// catalogue would be mixed into it.
    ///
    /// Returns the new name; nil where there was no catalogue.
    private func setCatalogueAside(_ machine: Machine) throws -> String? {
        let kept = "catalogue.corrupt.\(machine.now().stamp)"
        let moved = try ["", "-wal", "-shm"].filter { try setAside($0, as: kept, files: machine.files) }
        if !moved.isEmpty { try machine.files.sync(root) }
        return moved.contains("") ? kept : nil
    }

    private func setAside(_ suffix: String, as kept: String, files: any FileVerbs) throws(FileError) -> Bool {
        let name = LibraryDirectory.catalogueName + Array(suffix.utf8)
        guard try files.statusIfPresent(at: name, in: root) != nil else { return false }
        try files.rename(name, in: root, to: Array((kept + suffix).utf8), in: root)
        return true
    }

    /// Sets a log aside that is not the catalogue's own: that of a live catalogue says so in its header, and our
    /// snapshots and backups say that they have none.
    func setStaleLogAside(_ machine: Machine) throws {
        let files = machine.files
        let log = LibraryDirectory.catalogueName + Array("-wal".utf8)
        guard try files.statusIfPresent(at: log, in: root) != nil else { return }
        if try files.statusIfPresent(at: LibraryDirectory.catalogueName, in: root) != nil {
            let file = try files.openForReading(LibraryDirectory.catalogueName, beneath: root)
            // File format write version: 1 is rollback journal, 2 is log (https://sqlite.org/fileformat2.html).
            guard try readBytes(file, files: files, at: 18, count: 1).first != 2 else { return }
        }
        let kept = "catalogue.stale.\(machine.now().stamp)"
        for suffix in ["-wal", "-shm"] { _ = try setAside(suffix, as: kept, files: files) }
        try files.sync(root)
        machine.log(.warning, "a log that is not the catalogue's was set aside", ["name": "\(kept)-wal"])
    }
}
