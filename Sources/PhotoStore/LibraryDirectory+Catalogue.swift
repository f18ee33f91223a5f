import FoundationEssentials
import PhotoModel
import Platform
import SQLite

/// A catalogue that may be written.
struct OpenedCatalogue {
    var catalogue: Catalogue
    /// An orderly stop vouched for it: it is to be checked while it is in use (`CatalogueInspection`).
    var isCheckOwed: Bool
    var rebuilt: RebuildReport?
}

/// Opening the catalogue of a library, in the order of RULES R8: nothing is changed before it is known to be sound.
extension LibraryDirectory {
    /// Opens it; one that is gone or damaged is rebuilt first, if everything can be given back (RULES R49).
    func openCatalogue(
        machine: Machine, vfs: String?, progress: RebuildProgress
    ) throws -> OpenedCatalogue {
        do {
            return try openSoundCatalogue(machine: machine, vfs: vfs, progress: progress)
        } catch let error as LibraryError where error.lossOfCatalogue != nil {
            let plan = try planRebuild(files: machine.files, vfs: vfs)
            guard !plan.isBlank else { throw error }
            guard plan.isComplete else { throw whatIsLacking(plan) }
            machine.log(.warning, "the catalogue is \(error.lossOfCatalogue ?? "lost"), and is rebuilt")
            let report = try rebuild(plan, isPartial: false, machine: machine, vfs: vfs, progress: progress)
            var opened = try openSoundCatalogue(machine: machine, vfs: vfs, progress: progress)
            opened.rebuilt = report
            return opened
        }
    }

    func openSoundCatalogue(
        machine: Machine, vfs: String?, progress: RebuildProgress
    ) throws -> OpenedCatalogue {
        do {
            let isVouchedFor = try takeOrderlyStop(files: machine.files) && !isCatalogueDoubtful(files: machine.files)
            let isWellEnded = try makeOrCheckCatalogueFile(machine)
            let isCopy = try isCopy(files: machine.files)
            let catalogue = try Catalogue.openForWriting(at: cataloguePath, vfs: vfs)
            // Until it is known to be sound, file and log stay as they were found.
            try catalogue.connection.keepLogOnClose(!isWellEnded)
            // What is to be migrated is checked first, whatever was said of it.
            let isOwed = try isVouchedFor && isWellEnded && catalogue.isNewest()
            try check(catalogue, isWellEnded: isWellEnded, isVouchedFor: isOwed, files: machine.files)
            try catalogue.connection.keepLogOnClose(false)
            try catalogue.bringUpToDate { try backUp($0, machine: machine) }
            try bringUpToDate(catalogue, machine, progress)
            if isCopy { try catalogue.forgetUnlinkWork() }
            try dispelDoubt(files: machine.files)
            return OpenedCatalogue(catalogue: catalogue, isCheckOwed: isOwed)
        } catch MigrationError.newerDatabase(let found, let supported) {
            throw LibraryError.newerFormat(found: found, supported: supported)
        } catch MigrationError.otherApplication(let found, _) {
            throw foreign("it belongs to another program: application id \(found)")
        } catch let error as DatabaseError where error.isCorrupt {
            throw damaged([error.message])
        }
    }

    /// Whether it is one of our snapshots that was put back, or a rebuild's: what was to be unlinked may have been taken in
    /// anew since then.
    ///
    /// File format write version: 1 is rollback journal, 2 is log, as every catalogue in use has it
    /// (https://sqlite.org/fileformat2.html).
    private func isCopy(files: any FileVerbs) throws -> Bool {
        let file = try files.openForReading(Array("catalogue.sqlite".utf8), beneath: root)
        return try readBytes(file, files: files, at: 18, count: 1).first == 1
    }

    /// SQLite would make it readable to all (RULES S1), and would follow a symlink.
    ///
    /// Returns whether no log is left of a daemon that did not end by itself.
    private func makeOrCheckCatalogueFile(_ machine: Machine) throws -> Bool {
        let (files, name) = (machine.files, Array("catalogue.sqlite".utf8))
        guard let status = try files.statusIfPresent(at: name, in: root) else {
            guard try !hasContents(files: files) else { throw missing }
            try setStaleLogAside(machine)
            try syncName(name, of: try files.create(name, in: root), in: root, files: files)
            return true
        }
        guard status.kind == .regular else { throw foreign("catalogue.sqlite is no file") }
        try LibraryDirectory.checkOwnership(status, path: PathBytes(path).appending(name).bytes)
        if status.byteCount > 0 { try setStaleLogAside(machine) }
        return try files.statusIfPresent(at: name + Array("-wal".utf8), in: root) == nil
    }

    /// A catalogue that is missing or empty beside originals is never replaced by an empty one (RULES R8).
    private func check(
        _ catalogue: Catalogue, isWellEnded: Bool, isVouchedFor: Bool, files: any FileVerbs
    ) throws {
        if try isCatalogueDoubtful(files: files) {
            let findings = try catalogue.integrityFindings()
            guard findings.isEmpty else { throw damaged(findings) }
        } else if !isVouchedFor {
            try require(soundnessOf: catalogue)
        }
        guard try !catalogue.isEmpty() else {
            if try hasContents(files: files) { throw missing }
            return
        }
        guard try catalogue.isOurs() else { return }
        let altered = try catalogue.alteredTables()
        guard altered.isEmpty else { throw damaged(["not as albumd makes it: \(altered.joined(separator: ", "))"]) }
        // The log of another catalogue may leave pages that are sound one by one.
        guard try isWellEnded || catalogue.hasWholeHistory() else {
            throw damaged(["its history has gaps, as where it was put back beside the log of another"])
        }
        try requireHistory(of: catalogue, named: "catalogue.sqlite", files: files)
    }

    func require(soundnessOf catalogue: Catalogue) throws {
        let findings = try catalogue.quickCheck()
        guard findings.isEmpty else { throw damaged(findings) }
    }

    /// Under its name only when it is whole, so that the newest file of snapshots/ is always good.
    private func backUp(_ connection: Connection, machine: Machine) throws {
        let name = Array("catalogue-before-migration-\(machine.now().stamp).sqlite".utf8)
        try copyCatalogue(connection, to: name, machine: machine)
    }

    /// Where an older catalogue was put back, the journal has what came after it (RULES R49).
    private func bringUpToDate(
        _ catalogue: Catalogue, _ machine: Machine, _ progress: RebuildProgress
    ) throws {
        let reader = JournalReader(files: machine.files, directory: journal)
        let newest = try reader.lastToken()
        guard try catalogue.lastToken() < newest else { return }
        var lines = try reader.lines(after: try catalogue.lastToken())
        let missing = LostLines(tokens: lines.missing(after: try catalogue.lastToken()), damaged: lines.damaged)
        guard missing.tokens.isEmpty else { throw LibraryError.changesLost(missing.text, wasCloudAsked: false) }
        if let conflict = lines.conflict { throw LibraryError.journalConflict(conflict) }
        let skipped = try catalogue.replay(&lines, allowingGaps: false, progress: progress)
        if skipped > 0 {
            machine.log(
                .warning, "what builds on lost changes of the journal was not applied", ["requests": String(skipped)])
        }
        guard try catalogue.lastToken() == newest else { throw LibraryError.journalIncomplete(upTo: newest) }
    }

    private var missing: LibraryError { .catalogueMissing(path: LibraryDirectory.display(path)) }

    private func damaged(_ findings: [String]) -> LibraryError {
        .catalogueDamaged(path: LibraryDirectory.display(path), findings: findings)
    }

    private func foreign(_ why: String) -> LibraryError {
        .catalogueForeign(path: LibraryDirectory.display(path), why: why)
    }
}
