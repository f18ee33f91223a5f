import FoundationEssentials
package import Media
package import PhotoModel
package import PhotoStore
package import Platform
import Synchronization

/// What an import would do to one file that lies in a folder now.
package struct PlanItem: Sendable {
    /// Absolute.
    package var path: PathBytes
    package var mode: FolderRule.Mode
    package var isUnchanged = false
    package var outcome: Outcome?
    package var reason: Reason?
    package var localIdentifier: LocalIdentifier?
    package var album: PathBytes?
    package var detail: String?
}

/// A dry run over one folder: walks, compares, reads and hashes, by the importer's own rules, and changes nothing.
package final class FolderPlan: Sendable {
    private struct State: ~Copyable {
        var walk: ScanWalk?
        var catalogue: Catalogue
    }

    private let folder: FolderStatus
    private let root: OpenFile?
    private let recogniser: MediaRecogniser
    private let state: Mutex<State>

    /// A folder that is not online plans nothing.
    package init(_ folder: FolderStatus, library: PhotoLibrary, recogniser: MediaRecogniser, machine: Machine) throws {
        self.folder = folder
        self.recogniser = recogniser
        root = folder.standing == .online ? try machine.files.openDirectory(folder.rule.path) : nil
        let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath)
        let walk = try root.map { root throws(FileError) in
            try ScanWalk(root: root, ignore: IgnoreRules(folder.rule.ignore), files: machine.files)
        }
        state = Mutex(State(walk: walk, catalogue: catalogue))
    }

    deinit { state.withLock { $0.catalogue.close() } }

    /// Some further files; nil at the end.
    ///
    /// Blocks while it reads and hashes.
    package func advance(library: PhotoLibrary, machine: Machine) throws -> [PlanItem]? {
        try state.withLock { state in
            guard var walk = state.walk, !walk.isFinished else { return nil }
            let found = walk.advance(limit: 16)
            state.walk = walk
            return try found.map { try item($0, state.catalogue, machine) }
        }
    }

    private func item(_ found: ScanItem, _ catalogue: Catalogue, _ machine: Machine) throws -> PlanItem {
        switch found {
        case .skipped(let path, let reason):
            var item = blank(path)
            (item.outcome, item.reason) = (.skipped, reason)
            return item
        case .unreadable(let path, let error):
            var item = blank(path)
            (item.outcome, item.reason) = (.blocked, error.isPermission ? .permission : .ioError)
            item.detail = error.description
            return item
        case .file(let path, let status):
            do {
                return try judge(path, status, catalogue, machine)
            } catch let error as FileError {
                return try self.item(.unreadable(path, error), catalogue, machine)
            }
        }
    }

    private func blank(_ path: PathBytes) -> PlanItem {
        PlanItem(path: PathBytes(folder.rule.path).appending(path.bytes), mode: folder.rule.mode)
    }

    private func judge(
        _ path: PathBytes, _ status: FileStatus, _ catalogue: Catalogue, _ machine: Machine
    ) throws -> PlanItem {
        var item = blank(path)
        guard let uuid = folder.folder, let root else { return item }
        let known = try catalogue.source(SourceKey(folder: uuid, path: path))
        var evidence = SourceEvidence(status)
        if let known, known.evidence?.isUnchanged(from: evidence) == true,
            known.outcome.isMapped || known.outcome == .skipped
        {
            item.isUnchanged = true
            (item.outcome, item.reason, item.localIdentifier) = (known.outcome, known.reason, known.localIdentifier)
            return item
        }
        guard status.byteCount > 0 else {
            (item.outcome, item.reason) = (.pending, .empty)
            return item
        }
        let file = try machine.files.openForReading(path.bytes, beneath: root)
        evidence.handle = machine.files.handle(of: file)
        let ends = try FileEnds(byteCount: status.byteCount) { offset, count throws(FileError) in
            try readBytes(file, files: machine.files, at: offset, count: count)
        }
        let kind: MediaKind
        switch recogniser.recognise(ends, name: path.name.bytes) {
        case .notMedia(let finding):
            (item.outcome, item.reason, item.detail) = (.skipped, .notMedia, finding)
            return item
        case .media(let found), .unknownMedia(let found): kind = found
        }
        evidence.hash = ContentHash(bytes: try ContentHasher.hash(file: file, files: machine.files))
        try decide(&item, path, kind, evidence, known, catalogue, AlbumRule(folder: uuid, rule: folder.rule))
        return item
    }

    private func decide(
        _ item: inout PlanItem, _ path: PathBytes, _ kind: MediaKind, _ evidence: SourceEvidence, _ known: Source?,
        _ catalogue: Catalogue, _ rule: AlbumRule
    ) throws {
        let directory = rule.directory(of: path)
        item.album = rule.title(for: directory)
        if case .hold(let reason, let detail) = try rule.target(for: directory, in: catalogue) {
            (item.outcome, item.reason, item.detail) = (.blocked, reason, detail)
            return
        }
        guard let hash = evidence.hash else { return }
        let facts = try catalogue.importFacts(
            of: SourceKey(folder: rule.folder, path: path), evidence, hash, kind.mediaType == .video ? .video : .photo,
            isVacant: { _ in false })
        switch decideImport(facts) {
        case .create(let replaced):
            (item.outcome, item.reason) = (.imported, replaced == nil ? .newContent : .sourceReplaced)
        case .edit(let asset, _): (item.outcome, item.reason, item.localIdentifier) = (.updated, .edited, asset)
        case .keep(let asset):
            (item.outcome, item.reason, item.localIdentifier) = (known?.outcome, known?.reason, asset)
        case .move(let asset, _), .join(let asset):
            (item.outcome, item.reason, item.localIdentifier) = (.duplicate, .sameContent, asset)
        }
    }
}
