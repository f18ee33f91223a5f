import FoundationEssentials
import PhotoModel
package import Platform
import SQLite

/// What `albumd --rebuild-library` does, with no daemon running: the lock says so.
extension PhotoLibrary {
    /// What a person may say to it.
    package struct RebuildOptions: Sendable, Equatable {
        /// Only say what would be done.
        package var isDryRun = false
        /// Go on where journal and snapshots cannot give everything back.
        package var isPartial = false

        package init() {}
    }

    /// Makes the catalogue anew, whatever it is like, and compares it with the originals.
    ///
    /// What a sound catalogue has beyond the journal is journaled first. The report is nil in a dry run.
    package static func rebuild(
        _ path: [UInt8], machine: Machine, options: RebuildOptions, vfs: String? = nil, progress: RebuildProgress
    ) throws -> (plan: RebuildPlan, report: RebuildReport?, recovery: RecoveryReport) {
        try requireLibrary(at: path, machine: machine)
        let directory = try LibraryDirectory.open(path, machine: machine)
        defer { directory.unlock() }
        if !options.isDryRun { saveHistory(of: directory, machine: machine, vfs: vfs, progress: progress) }
        let plan = try directory.planRebuild(files: machine.files, vfs: vfs)
        guard !options.isDryRun else { return (plan, nil, RecoveryReport()) }
        guard plan.isComplete || options.isPartial else {
            if plan.isBlank { throw LibraryError.catalogueMissing(path: LibraryDirectory.display(path)) }
            throw directory.whatIsLacking(plan)
        }
        let report = try directory.rebuild(
            plan, isPartial: options.isPartial, machine: machine, vfs: vfs, progress: progress)
        let library = try open(directory, machine: machine, executor: .inline(), vfs: vfs, progress: progress)
        let recovery = try library.onThread { library in
            defer { library.close() }
            library.recovery.unsound = try library.catalogue.contentCounts().unsound
            return library.recovery
        }
        return (plan, report, recovery)
    }

    /// `LibraryDirectory.open` would make one.
    private static func requireLibrary(at path: [UInt8], machine: Machine) throws(LibraryError) {
        guard LibraryDirectory.isAbsent(path, files: machine.files) else { return }
        throw LibraryError.noLibrary(path: LibraryDirectory.display(path))
    }

    /// A catalogue that can still be opened gives the journal what that does not have yet.
    private static func saveHistory(
        of directory: LibraryDirectory, machine: Machine, vfs: String?, progress: RebuildProgress
    ) {
        do {
            let opened = try directory.openSoundCatalogue(machine: machine, vfs: vfs, progress: progress)
            let catalogue = opened.catalogue
            defer { catalogue.close() }
            if opened.isCheckOwed { try directory.require(soundnessOf: catalogue) }
            try Journal(machine: machine, directory: directory.journal, catalogue: catalogue).catchUp()
        } catch {
            machine.log(.notice, "the catalogue is not read any more: \(error)")
        }
    }
}
