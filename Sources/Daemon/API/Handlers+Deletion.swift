import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// Recently Deleted: into it, out of it, and for good.
extension LibraryService {
    /// How many assets one commit purges, so that others get their turn on the library's thread.
    private static let purgeSlice = 200

    func trash(_ paging: Paging) async throws -> PageOf<TrashRow> {
        let now = machine.now()
        return try await read { catalogue in
            let page = try catalogue.trashedAssets(after: paging.after, limit: paging.limit)
            return PageOf(rows: try self.rows(of: page.rows, at: now, in: catalogue), next: page.next)
        }
    }

    /// A person deletes assets; their sources go, too, where their folder's rule says so.
    func deleteAssets(_ request: AssetsRequest, by peer: Peer) async throws -> TrashResult {
        guard request.all != true else { throw Problem.badRequest("name what is to be deleted in subjects") }
        if request.isDryRun == true { return try await dryRun(request) }
        let removing = importing.status.folders.filter { $0.rule.onAssetDeleted == .remove }.compactMap(\.folder)
        let committed = try await library.performChanges(origin: origin(peer)) { change in
            let assets = try self.assets(of: request, in: change.catalogue).map(\.localIdentifier)
            try change.delete(assets, removingSourcesIn: Set(removing))
            return assets
        }
        importing.post(.assetsDeleted)
        return try await result(committed)
    }

    /// What is not in Recently Deleted stays as it is.
    func restoreAssets(_ request: AssetsRequest, by peer: Peer) async throws -> TrashResult {
        if request.isDryRun == true { return try await dryRun(request) }
        let committed = try await library.performChanges(origin: origin(peer)) { change in
            let assets = try self.assets(of: request, in: change.catalogue).map(\.localIdentifier)
            try change.restore(assets)
            return assets
        }
        importing.post(.assetsRestored(committed.value))
        return try await result(committed)
    }

    func purgeAssets(_ request: AssetsRequest, by peer: Peer) async throws -> TrashResult {
        let now = machine.now()
        let (plan, contents) = try await read { catalogue in
            let assets = try self.assets(of: request, in: catalogue)
            if let live = assets.first(where: { $0.state != .trashed }) { throw Self.notTrashed(live) }
            let bytes = try catalogue.byteCounts(heldByNoneBut: Set(assets.map(\.localIdentifier))) { content in
                (try? self.library.directory.originals.open(content)) != nil
            }
            let result = TrashResult(
                token: nil, rows: try self.rows(of: assets, at: now, in: catalogue), freedByteCount: bytes.onDisk,
                cloudByteCount: bytes.inCloud)
            return (result, assets.flatMap(\.contents))
        }
        guard request.isDryRun != true else { return plan }
        var result = plan
        var rest = result.rows.map(\.localIdentifier)[...]
        while !rest.isEmpty {
            let slice = Array(rest.prefix(Self.purgeSlice))
            rest = rest.dropFirst(slice.count)
            result.token =
                try await library.purge(slice, origin: origin(peer), reason: .person).token ?? result.token
        }
        for index in result.rows.indices { (result.rows[index].state, result.rows[index].daysLeft) = (.purged, nil) }
        if result.rows.isEmpty { try await library.retryPurges() }
        subtractStuck(try await read(library.unremoved), of: Set(contents.map(\.hash)), from: &result)
        return result
    }

    /// What is still there was not freed, now or earlier.
    private func subtractStuck(
        _ left: [UnremovedOriginal], of purged: Set<ContentHash>, from result: inout TrashResult
    ) {
        let stuck = left.reduce(0) { $0 + $1.byteCount }
        guard stuck > 0 else { return }
        let own = left.filter { purged.contains($0.hash) }.reduce(0) { $0 + $1.byteCount }
        result.freedByteCount = max(0, (result.freedByteCount ?? 0) - own)
        result.stuckByteCount = stuck
    }

    private static func notTrashed(_ asset: Asset) -> Problem {
        let identifier = asset.localIdentifier
        return .conflict(
            "notTrashed", "asset \(identifier) is not in Recently Deleted", fix: "albumctl delete \(identifier)")
    }

    private func dryRun(_ request: AssetsRequest) async throws -> TrashResult {
        let now = machine.now()
        return try await read { catalogue in
            let assets = try self.assets(of: request, in: catalogue)
            return TrashResult(token: nil, rows: try self.rows(of: assets, at: now, in: catalogue))
        }
    }

    private func result(_ committed: Committed<[LocalIdentifier]>) async throws -> TrashResult {
        let now = machine.now()
        return try await read { catalogue in
            let assets = try committed.value.compactMap { try catalogue.asset($0) }
            return TrashResult(token: committed.token, rows: try self.rows(of: assets, at: now, in: catalogue))
        }
    }

    private func rows(of assets: [Asset], at now: Date, in catalogue: Catalogue) throws -> [TrashRow] {
        let roots = try roots(in: catalogue)
        let clock = try catalogue.clock()
        return try assets.map { asset in
            let folder = try asset.trashing?.folder ?? catalogue.sources(of: asset.localIdentifier).first?.key.folder
            let days = asset.trashing.flatMap { clock?.daysLeft(of: $0, now: now) }
            return TrashRow(asset, folder: folder.flatMap { roots[$0] }, daysLeft: days)
        }
    }
}

/// Which assets a request means.
extension LibraryService {
    func assets(of request: AssetsRequest, in catalogue: Catalogue) throws -> [Asset] {
        if request.all == true { return try allTrashed(in: catalogue) }
        guard let subjects = request.subjects, !subjects.isEmpty else {
            throw Problem.badRequest("subjects or all is needed")
        }
        let roots = try roots(in: catalogue)
        var seen: Set<LocalIdentifier> = []
        return try subjects.map { try identifier(of: $0, roots: roots, in: catalogue) }
            .filter { seen.insert($0).inserted }.map { try existingAsset($0, in: catalogue) }
    }

    private func allTrashed(in catalogue: Catalogue) throws -> [Asset] {
        var assets: [Asset] = []
        var cursor: Int64? = 0
        while let after = cursor {
            let page = try catalogue.trashedAssets(after: after, limit: 500)
            assets += page.rows
            cursor = page.next
        }
        return assets
    }

    /// The asset that has the bytes of a file whose own photo was deleted for good; nil where that was not, or none has.
    func savedAgain(_ source: Source, in catalogue: Catalogue) throws -> LocalIdentifier? {
        guard let asset = source.localIdentifier, try catalogue.asset(asset)?.state == .purged,
            let hash = source.evidence?.hash
        else { return nil }
        return try catalogue.assetHaving(hash)
    }

    private func identifier(
        of subject: SubjectRequest, roots: [UUID: PathBytes], in catalogue: Catalogue
    ) throws -> LocalIdentifier {
        if let path = try Name.bytes(subject.path, subject.pathBase64) {
            let source = try key(of: path, roots: roots).flatMap { try catalogue.source($0) }
            guard let source, let identifier = source.localIdentifier else {
                throw Self.notMapped("'\(printable(path.bytes))'")
            }
            return try savedAgain(source, in: catalogue) ?? identifier
        }
        if let external = subject.externalIdentifier {
            guard let identifier = try catalogue.externalMapping(external) else {
                throw Self.notMapped("'\(printable(external))'")
            }
            return identifier
        }
        guard let identifier = subject.localIdentifier else {
            throw Problem.badRequest("path, localIdentifier or externalIdentifier is needed")
        }
        return identifier
    }

    private static func notMapped(_ what: String) -> Problem {
        Problem(
            "notMapped", title: "It is no asset's", status: 404, detail: "\(what) is mapped to no asset", code: 3201,
            fix: "albumctl why tells what became of a file", exitCode: 4)
    }
}
