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

    /// What a rebuild came to, or would come to.
    package struct RebuildOutcome {
        package var plan: RebuildPlan
        /// What it gave back; in a dry run what it would give back, or could with `isPartial` where it is refused.
        package var report: RebuildReport
        package var isDryRun: Bool
        /// Why it would not be done.
        package var refusal: LibraryError?
        package var recovery = RecoveryReport()
    }

    /// Changes as another place has them, which neither journal nor snapshots of a library have.
    package typealias ChangesElsewhere = (_ tokens: Set<Int64>, _ directory: LibraryDirectory) throws -> [FoundChange]

    /// Makes the catalogue anew, whatever it is like, and compares it with the originals.
    ///
    /// What a sound catalogue has beyond the journal is journaled first. `elsewhere` is asked for what is lost here.
    package static func rebuild(
        _ path: [UInt8], machine: Machine, options: RebuildOptions, vfs: String? = nil,
        elsewhere: ChangesElsewhere = { _, _ in [] }, progress: RebuildProgress
    ) throws -> RebuildOutcome {
        try requireLibrary(at: path, machine: machine)
        let directory = try LibraryDirectory.open(path, machine: machine)
        defer { directory.unlock() }
        if !options.isDryRun { saveHistory(of: directory, machine: machine, vfs: vfs, progress: progress) }
        var plan = try directory.planRebuild(files: machine.files, vfs: vfs)
        ask(elsewhere, for: &plan, of: directory, machine: machine)
        let refusal = options.isPartial ? nil : directory.refusal(of: plan)
        guard !options.isDryRun else {
            return try tried(plan, of: directory, refusal, isPartial: options.isPartial, machine: machine, vfs: vfs)
        }
        if let refusal { throw refusal }
        let report = try directory.rebuild(
            plan, isPartial: options.isPartial, machine: machine, vfs: vfs, progress: progress)
        let library = try open(directory, machine: machine, executor: .inline(), vfs: vfs, progress: progress)
        let recovery = try library.onThread { library in
            defer { library.close() }
            try library.journal(report.brought)
            library.recovery.unsound = try library.catalogue.contentCounts().unsound
            return library.recovery
        }
        return RebuildOutcome(plan: plan, report: report, isDryRun: false, recovery: recovery)
    }

    /// A dry run: what does not follow is found by making it.
    private static func tried(
        _ plan: RebuildPlan, of directory: LibraryDirectory, _ refusal: LibraryError?, isPartial: Bool,
        machine: Machine, vfs: String?
    ) throws -> RebuildOutcome {
        do {
            let report = try directory.tryRebuild(
                plan, isPartial: isPartial || refusal != nil, machine: machine, vfs: vfs)
            return RebuildOutcome(plan: plan, report: report, isDryRun: true, refusal: refusal)
        } catch let error as LibraryError where error.isOfUnfitHistory && !isPartial && refusal == nil {
            return try tried(plan, of: directory, error, isPartial: false, machine: machine, vfs: vfs)
        }
    }

    /// Where they cannot be asked for, that is said, and nothing comes from there.
    private static func ask(
        _ elsewhere: ChangesElsewhere, for plan: inout RebuildPlan, of directory: LibraryDirectory, machine: Machine
    ) {
        // More was no accident of a few lines: the whole history is to be restored.
        let wanted = Set((plan.missing + plan.lostTokens).lazy.flatMap { $0 }.prefix(100_000))
        guard !wanted.isEmpty else { return }
        do {
            plan.take(try elsewhere(wanted, directory))
            plan.wasCloudAsked = true
        } catch {
            machine.log(.warning, "the cloud cannot be asked for changes that are lost here: \(error)")
        }
    }

    /// What came from elsewhere is in the history now.
    private func journal(_ brought: [FoundChange]) throws {
        guard !brought.isEmpty else { return }
        let journal = try Journal(machine: machine, directory: directory.journal, catalogue: catalogue)
        _ = try journal.restore(brought.map { $0.line.token...$0.line.token })
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
