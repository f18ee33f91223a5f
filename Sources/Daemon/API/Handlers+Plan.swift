import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// `plan`: what the rules would do to what lies in the folders now, changing nothing; NDJSON, a `row` a line.
extension LibraryService {
    func plan(_ request: FolderPathRequest) async throws -> Response {
        let path = try Name.bytes(request.path, request.pathBase64).map { PathBytes(resolvedPath($0.bytes)) }
        let folders = importing.status.folders.filter { path == nil || $0.rule.path == path?.bytes }
        if let path, folders.isEmpty {
            throw Problem.notFound("'\(printable(path.bytes))' is no folder", fix: "albumctl folder list")
        }
        let reader = PlanReader(service: self, folders: folders)
        let stream = AsyncStream<[UInt8]> { await reader.next() }
        return Response(status: 200, contentType: "application/x-ndjson", body: .stream(stream))
    }
}

private actor PlanReader {
    private let service: LibraryService
    private let folders: [FolderStatus]
    private var dryRun: DryRun?
    private var isAwayTold = false
    private var counts: [String: Int] = [:]
    private var isAtEnd = false

    init(service: LibraryService, folders: [FolderStatus]) {
        self.service = service
        self.folders = folders
    }

    func next() async -> [UInt8]? {
        guard !isAtEnd else { return nil }
        do {
            let dryRun = try begun()
            let away = rowsOfFoldersAway()
            guard away.isEmpty else { return away }
            while let items = try await service.pool.run({ try dryRun.advance() }) {
                if !items.isEmpty { return items.flatMap(line) }
            }
            isAtEnd = true
            return JSON.line(["end": counts])
        } catch {
            isAtEnd = true
            return JSON.line(["error": service.problem(error)])
        }
    }

    private func begun() throws -> DryRun {
        if let dryRun { return dryRun }
        let new = try DryRun(
            folders, board: service.importing.board, library: service.library, recogniser: service.recogniser,
            machine: service.machine)
        dryRun = new
        return new
    }

    /// Once, before the files: the folders of which nothing can be said now, and why.
    private func rowsOfFoldersAway() -> [UInt8] {
        guard !isAwayTold else { return [] }
        isAwayTold = true
        return folders.flatMap { folder -> [UInt8] in
            guard let pending = PendingRow(waiting: folder, sources: 0) else { return [] }
            var row = PlanRow(path: PathBytes(folder.rule.path), mode: folder.rule.mode.rawValue)
            (row.outcome, row.reason, row.detail) = (pending.outcome, pending.reason, pending.detail)
            counts[pending.outcome.rawValue, default: 0] += 1
            return JSON.line(["row": row])
        }
    }

    private func line(_ item: PlanItem) -> [UInt8] {
        var row = PlanRow(path: item.path, mode: item.mode.rawValue)
        row.isUnchanged = item.isUnchanged
        (row.outcome, row.reason, row.detail) = (item.outcome, item.reason, item.detail)
        row.localIdentifier = item.localIdentifier
        row.album = item.album.map { Name($0).text }
        row.deletion = item.deletion?.rawValue
        counts[item.isUnchanged ? "unchanged" : item.outcome?.rawValue ?? row.deletion ?? "unknown", default: 0] += 1
        return JSON.line(["row": row])
    }
}
