import FoundationEssentials
import PhotoModel
import Platform
import SQLite

/// Opening the catalogue of a library, in the order of RULES R8: nothing is changed before it is known to be sound.
extension LibraryDirectory {
    func openCatalogue(machine: Machine, vfs: String?) throws -> Catalogue {
        do {
            try makeOrCheckCatalogueFile(files: machine.files)
            let catalogue = try Catalogue.openForWriting(at: cataloguePath, vfs: vfs)
            try check(catalogue, files: machine.files)
            try catalogue.bringUpToDate { try backUp($0, machine: machine) }
            try bringUpToDate(catalogue, files: machine.files)
            return catalogue
        } catch MigrationError.newerDatabase(let found, let supported) {
            throw LibraryError.newerFormat(found: found, supported: supported)
        } catch MigrationError.otherApplication(let found, _) {
            throw damaged(["it belongs to another program: application id \(found)"])
        } catch let error as DatabaseError where error.isCorrupt {
            throw damaged([error.message])
        }
    }

    /// SQLite would make it readable to all (RULES S1), and would follow a symlink.
    private func makeOrCheckCatalogueFile(files: any FileVerbs) throws {
        let name = Array("catalogue.sqlite".utf8)
        guard let status = try files.statusIfPresent(at: name, in: root) else {
            guard try !hasContents(files: files) else { throw missing }
            return try syncName(name, of: try files.create(name, in: root), in: root, files: files)
        }
        guard status.kind == .regular else { throw damaged(["catalogue.sqlite is no file"]) }
        try LibraryDirectory.checkOwnership(status, path: PathBytes(path).appending(name).bytes)
    }

    /// A catalogue that is missing or empty beside originals is never replaced by an empty one (RULES R8).
    private func check(_ catalogue: Catalogue, files: any FileVerbs) throws {
        let findings = try catalogue.quickCheck()
        guard findings.isEmpty else { throw damaged(findings) }
        if try catalogue.isEmpty(), try hasContents(files: files) { throw missing }
    }

    /// Under its name only when it is whole, so that the newest file of snapshots/ is always good.
    private func backUp(_ connection: Connection, machine: Machine) throws {
        let stamp = machine.now().rfc3339.filter { $0.isNumber || $0 == "T" }
        let name = "catalogue-before-migration-\(stamp).sqlite"
        let fresh = name + ".new"
        try connection.backup(to: "\(LibraryDirectory.display(path))/snapshots/\(fresh)")
        try machine.files.rename(Array(fresh.utf8), in: snapshots, to: Array(name.utf8), in: snapshots)
        try machine.files.sync(snapshots)
    }

    /// Where an older catalogue was put back, the journal has what came after it (RULES R49).
    private func bringUpToDate(_ catalogue: Catalogue, files: any FileVerbs) throws {
        let reader = JournalReader(files: files, directory: journal)
        let newest = try reader.lastToken()
        guard try catalogue.lastToken() < newest else { return }
        for line in try reader.lines(after: try catalogue.lastToken()) {
            try catalogue.replay(line)
        }
        guard try catalogue.lastToken() == newest else { throw LibraryError.journalIncomplete(upTo: newest) }
    }

    private var missing: LibraryError { .catalogueMissing(path: LibraryDirectory.display(path)) }

    private func damaged(_ findings: [String]) -> LibraryError {
        .catalogueDamaged(path: LibraryDirectory.display(path), findings: findings)
    }
}
