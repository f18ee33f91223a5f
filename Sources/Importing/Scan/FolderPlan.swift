import FoundationEssentials
import Media
package import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// What an import would do to one file that lies in a folder now.
package struct PlanItem: Sendable {
    /// What would become of an asset whose file is gone.
    package enum Deletion: String, Sendable {
        case trash
        /// It would wait for a person.
        case hold
    }

    /// Absolute.
    package var path: PathBytes
    package var mode: FolderRule.Mode
    package var isUnchanged = false
    package var deletion: Deletion?
    package var outcome: Outcome?
    package var reason: Reason?
    package var localIdentifier: LocalIdentifier?
    package var album: PathBytes?
    package var detail: String?
}

/// A dry run over one folder: walks, compares, reads and hashes, by the importer's own rules, and changes nothing.
final class FolderPlan: Sendable {
    private struct State: ~Copyable {
        var walk: ScanWalk?
        var catalogue: Catalogue
        /// What was planned before its turn came in the walk.
        var taken: Set<PathBytes> = []
    }

    let folder: FolderStatus
    private let root: OpenFile?
    private let recogniser: MediaRecogniser
    private let contents: PlannedContents
    private let board: SettleBoard
    private let originals: Originals
    private let state: Mutex<State>

    /// A folder that is not online plans nothing.
    ///
    /// `contents` is shared by the folders of one dry run; `board` says what waits already.
    init(
        _ folder: FolderStatus, contents: PlannedContents, board: SettleBoard, library: PhotoLibrary,
        recogniser: MediaRecogniser, machine: Machine
    ) throws {
        self.folder = folder
        self.recogniser = recogniser
        self.contents = contents
        self.board = board
        originals = library.directory.originals
        root = folder.folder.flatMap { contents.roots[$0] }
        let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath)
        let walk = try root.map { root throws(FileError) in
            try ScanWalk(root: root, ignore: IgnoreRules(folder.rule.ignore), files: machine.files)
        }
        state = Mutex(State(walk: walk, catalogue: catalogue))
    }

    deinit { state.withLock { $0.catalogue.close() } }

    /// One file before its turn; nil where it is not there.
    func take(_ path: PathBytes, machine: Machine) throws -> PlanItem? {
        guard let root else { return nil }
        return try state.withLock { state in
            guard let status = try? machine.files.status(at: path.bytes, in: root), status.kind == .regular else {
                // The walk tells what else is there.
                return nil
            }
            state.taken.insert(path)
            return try item(.file(path, status), state.catalogue, machine)
        }
    }

    /// Some further files; nil at the end.
    func advance(limit: Int, machine: Machine) throws -> [PlanItem]? {
        try state.withLock { state in
            guard var walk = state.walk, !walk.isFinished else { return nil }
            let found = walk.advance(limit: limit)
            state.walk = walk
            return try found.filter { !state.taken.contains($0.path) }.map { try item($0, state.catalogue, machine) }
        }
    }

    private func item(_ found: ScanItem, _ catalogue: Catalogue, _ machine: Machine) throws -> PlanItem {
        switch found {
        case .skipped(let path, let reason):
            var item = blank(path)
            (item.outcome, item.reason) = (.skipped, reason)
            return compared(item, with: try known(path, catalogue))
        case .aside(let path):
            var item = blank(path)
            (item.outcome, item.reason) = (.pending, .incomplete)
            item.detail = "a removal left it; it gets its name back first"
            return item
        case .unreadable(let path, let error):
            var item = blank(path)
            (item.outcome, item.reason) = (.blocked, error.isPermission ? .permission : .ioError)
            item.detail = error.description
            return compared(item, with: try known(path, catalogue))
        case .file(let path, let status):
            do {
                let known = try known(path, catalogue)
                return compared(try judge(path, status, known, catalogue, machine), with: known)
            } catch let error as FileError {
                return try self.item(.unreadable(path, error), catalogue, machine)
            }
        }
    }

    private func known(_ path: PathBytes, _ catalogue: Catalogue) throws -> Source? {
        try folder.folder.flatMap { try catalogue.source(SourceKey(folder: $0, path: path)) }
    }

    /// What was skipped before and would be skipped for the same reason is unchanged: nothing is to be done there.
    ///
    /// What is still blocked is told each time: somebody has to act first.
    private func compared(_ item: PlanItem, with known: Source?) -> PlanItem {
        guard let known, known.outcome == .skipped, (known.outcome, known.reason) == (item.outcome, item.reason) else {
            return item
        }
        var item = item
        item.isUnchanged = true
        return item
    }

    private func blank(_ path: PathBytes) -> PlanItem {
        PlanItem(path: PathBytes(folder.rule.path).appending(path.bytes), mode: folder.rule.mode)
    }

    private func judge(
        _ path: PathBytes, _ status: FileStatus, _ known: Source?, _ catalogue: Catalogue, _ machine: Machine
    ) throws -> PlanItem {
        var item = blank(path)
        guard let uuid = folder.folder, let root else { return item }
        var evidence = SourceEvidence(status)
        if let known, known.evidence?.isUnchanged(from: evidence) == true,
            known.outcome.isMapped || known.outcome == .skipped && known.isJudgedByCurrentRules
        {
            item.isUnchanged = true
            (item.outcome, item.reason, item.localIdentifier) = (known.outcome, known.reason, known.localIdentifier)
            return item
        }
        guard status.byteCount <= Stager.byteLimit else {
            (item.outcome, item.reason) = (.skipped, .tooLarge)
            return item
        }
        guard status.byteCount > 0 else {
            (item.outcome, item.reason) = (.pending, .empty)
            item.isUnchanged = board[SourceKey(folder: uuid, path: path)]?.reason == .empty
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
            let key = SourceKey(folder: uuid, path: path)
            try find(&item, photoOf: file, key, byteCount: status.byteCount, catalogue, machine)
            return item
        case .media(let found), .unknownMedia(let found): kind = found
        }
        // What has other bytes, or may have, is copied before anything else is found out about it.
        let isKnown = known?.evidence?.differsInChangeTimeAlone(from: evidence) == true
        guard try isKnown || originals.hasRoom(for: status.byteCount) else {
            (item.outcome, item.reason) = (.pending, .noSpace)
            return item
        }
        evidence.hash = ContentHash(bytes: try ContentHasher.hash(file: file, files: machine.files))
        try decide(&item, path, kind, evidence, known, catalogue, AlbumRule(folder: uuid, rule: folder.rule))
        return item
    }

    /// A sidecar joins its photo; which of those that are still to come that is shows when they come.
    private func find(
        _ item: inout PlanItem, photoOf file: OpenFile, _ key: SourceKey, byteCount: Int64, _ catalogue: Catalogue,
        _ machine: Machine
    ) throws {
        let name = key.path.name.bytes
        guard byteCount <= Int64(SidecarKind.byteLimit), SidecarKind(named: name) != nil else { return }
        let bytes = try readBytes(file, files: machine.files, at: 0, count: Int(byteCount))
        guard let kind = SidecarKind(reading: bytes, named: name) else { return }
        let photo = try catalogue.sources(near: key).first { source in
            source.key != key && source.localIdentifier != nil && SidecarKind(named: source.key.path.name.bytes) == nil
        }
        item.localIdentifier = photo?.localIdentifier
        (item.outcome, item.reason) = photo == nil ? (.pending, .companionAwaited) : (.imported, .paired)
        item.detail =
            "it is \(kind.words)" + (photo == nil ? ", and awaits \(AwaitedCompanion.described(kind).words)" : "")
        item.isUnchanged = photo == nil && board[key]?.reason == .companionAwaited
    }

    private func decide(
        _ item: inout PlanItem, _ path: PathBytes, _ kind: MediaKind, _ evidence: SourceEvidence, _ known: Source?,
        _ catalogue: Catalogue, _ rule: AlbumRule
    ) throws {
        let directory = rule.directory(of: path)
        item.album = try rule.currentTitle(for: directory, in: catalogue)
        if case .hold(let reason, let detail) = try rule.target(for: directory, in: catalogue) {
            (item.outcome, item.reason, item.detail) = (.blocked, reason, detail)
            return
        }
        guard let hash = evidence.hash else { return }
        let facts = try catalogue.importFacts(
            of: SourceKey(folder: rule.folder, path: path), evidence, hash, kind.mediaType == .video ? .video : .photo,
            isVacant: contents.hasLeft)
        if facts.owner == nil, let first = contents.first(with: hash, or: item.path) {
            (item.outcome, item.reason) = (.duplicate, .sameContent)
            item.detail = "the same bytes as '\(printable(first.bytes))'"
            return
        }
        switch decideImport(facts) {
        case .create(let replaced):
            (item.outcome, item.reason) = (.imported, replaced == nil ? .newContent : .sourceReplaced)
        case .edit(let asset, _): (item.outcome, item.reason, item.localIdentifier) = (.updated, .edited, asset)
        case .keep(let asset):
            (item.outcome, item.reason, item.localIdentifier) = (known?.outcome, known?.reason, asset)
            item.isUnchanged = known?.outcome.isMapped == true && known?.evidence?.hash == evidence.hash
        case .move(let asset, _): (item.outcome, item.reason, item.localIdentifier) = (.imported, .moved, asset)
        case .restore(let asset, _): (item.outcome, item.reason, item.localIdentifier) = (.restored, .returned, asset)
        case .stayDeleted(let asset, _): (item.outcome, item.reason, item.localIdentifier) = (.skipped, .deleted, asset)
        case .stayPutBack(let asset, _): (item.outcome, item.reason, item.localIdentifier) = (.skipped, .putBack, asset)
        case .join(let asset):
            (item.outcome, item.reason, item.localIdentifier) = (.duplicate, .sameContent, asset)
        }
    }
}

extension Source {
    /// False where rules that recognised less said that it is no media.
    fileprivate var isJudgedByCurrentRules: Bool { rulesVersion.map { $0 == MediaRecogniser.rulesVersion } ?? true }
}
