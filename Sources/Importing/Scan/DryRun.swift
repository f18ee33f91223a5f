import FoundationEssentials
package import Media
import PhotoModel
package import PhotoStore
package import Platform
import Synchronization

/// What an import of some folders would do, file by file, changing nothing.
///
/// Files come in the order in which the import would take them: first what waits already, as it comes due, then what a
/// scan finds.
package final class DryRun: Sendable {
    private struct State {
        var waiting: ArraySlice<Candidate>
        var plans: ArraySlice<FolderPlan>
        /// Whose missing files are looked at when everything else is planned: a moved file is not missing.
        var leaving: ArraySlice<FolderPlan>
        var arriving: Set<LocalIdentifier> = []
    }

    private let plans: [FolderPlan]
    private let machine: Machine
    private let folderGuard: FolderGuard
    private let cataloguePath: String
    private let state: Mutex<State>
    private static let slice = 16

    package init(
        _ folders: [FolderStatus], board: SettleBoard, library: PhotoLibrary, recogniser: MediaRecogniser,
        machine: Machine
    ) throws {
        let online = try folders.filter { $0.standing == .online }.compactMap { folder in
            try folder.folder.map { ($0, try machine.files.openDirectory(folder.rule.path)) }
        }
        let contents = PlannedContents(
            roots: Dictionary(online, uniquingKeysWith: { first, _ in first }), files: machine.files)
        plans = try folders.map { folder in
            try FolderPlan(
                folder, contents: contents, board: board, library: library, recogniser: recogniser, machine: machine)
        }
        self.machine = machine
        cataloguePath = library.directory.cataloguePath
        folderGuard = FolderGuard(machine: machine, library: library.directory.identifier)
        let waiting = board.candidates().sorted { ($0.due, $0.order) < ($1.due, $1.order) }
        state = Mutex(State(waiting: waiting[...], plans: plans[...], leaving: plans[...]))
    }

    /// Some further files; nil at the end.
    ///
    /// Blocks while it reads and hashes.
    package func advance() throws -> [PlanItem]? {
        try state.withLock { state in
            let items = try advance(&state)
            state.arriving.formUnion(
                (items ?? []).filter { $0.outcome?.isMapped == true }.compactMap(\.localIdentifier))
            return items
        }
    }

    private func advance(_ state: inout State) throws -> [PlanItem]? {
        if !state.waiting.isEmpty {
            let some = state.waiting.prefix(DryRun.slice)
            state.waiting = state.waiting.dropFirst(DryRun.slice)
            return try some.compactMap(item)
        }
        guard let plan = state.plans.first else {
            return try state.leaving.popFirst().map { try departures(from: $0, arriving: state.arriving) }
        }
        if let items = try plan.advance(limit: DryRun.slice, machine: machine) { return items }
        state.plans = state.plans.dropFirst()
        return []
    }

    private func departures(from plan: FolderPlan, arriving: Set<LocalIdentifier>) throws -> [PlanItem] {
        let catalogue = try Catalogue.openForReading(at: cataloguePath)
        defer { catalogue.close() }
        return try plan.departures(arriving: arriving, folderGuard, catalogue)
    }

    private func item(_ candidate: Candidate) throws -> PlanItem? {
        let plan = plans.first { $0.folder.folder == candidate.key.folder }
        return try plan?.take(candidate.key.path, machine: machine)
    }
}

/// What the plans of one dry run share: the contents that their files would bring into the library, of which the first
/// file is new and the others join it, and the roots of the folders that are online.
final class PlannedContents: Sendable {
    private let paths = Mutex<[ContentHash: PathBytes]>([:])
    let roots: [UUID: OpenFile]
    private let files: any FileVerbs

    init(roots: [UUID: OpenFile], files: any FileVerbs) {
        self.roots = roots
        self.files = files
    }

    /// Whether a source's file is no longer at its path; of a folder that is not online nothing can be said.
    func hasLeft(_ source: Source) -> Bool {
        roots[source.key.folder].map { isVacant(source, beneath: $0, files: files) } ?? false
    }

    /// The file that brings these bytes; nil where that is `path` itself, which is the first.
    func first(with hash: ContentHash, or path: PathBytes) -> PathBytes? {
        paths.withLock { paths in
            if let first = paths[hash] { return first }
            paths[hash] = path
            return nil
        }
    }
}
