import Control
import FoundationEssentials
import Importing
import Media
import PhotoModel
import PhotoStore
import Platform

/// Sources and mappings: what is mapped to what, what waits, and why.
extension LibraryService {
    /// The roots of the folders that the library knows, by identifier.
    func roots(in catalogue: Catalogue) throws -> [UUID: PathBytes] {
        Dictionary(try catalogue.folders().map { ($0.folder, $0.path) }, uniquingKeysWith: { first, _ in first })
    }

    /// The key of an absolute path: the folder that it lies in, and the rest.
    func key(of path: PathBytes, roots: [UUID: PathBytes]) -> SourceKey? {
        let within = roots.filter { path.bytes.starts(with: $0.value.bytes + [UInt8(ascii: "/")]) }
        guard let (folder, root) = within.max(by: { $0.value.bytes.count < $1.value.bytes.count }) else { return nil }
        return SourceKey(folder: folder, path: PathBytes(Array(path.bytes[(root.bytes.count + 1)...])))
    }

    func absolute(_ key: SourceKey, roots: [UUID: PathBytes]) -> PathBytes {
        (roots[key.folder] ?? PathBytes([])).appending(key.path.bytes)
    }

    func mapping(_ subject: SubjectRequest) async throws -> MappingResult {
        let path = try Name.bytes(subject.path, subject.pathBase64)
        let rows = try await read { catalogue in
            let roots = try self.roots(in: catalogue)
            if let path { return try self.rows(path: path, roots: roots, in: catalogue) }
            if let identifier = subject.localIdentifier {
                return try self.rows(asset: identifier, roots: roots, in: catalogue)
            }
            guard let external = subject.externalIdentifier else {
                throw Problem.badRequest("path, localIdentifier or externalIdentifier is needed")
            }
            return try self.rows(external: external, in: catalogue)
        }
        return MappingResult(state: rows.first?.state ?? .absent, rows: rows)
    }

    private func rows(path: PathBytes, roots: [UUID: PathBytes], in catalogue: Catalogue) throws -> [MappingRow] {
        guard let key = key(of: path, roots: roots), let source = try catalogue.source(key),
            source.localIdentifier != nil
        else { return [] }
        return [try row(of: source, roots: roots, in: catalogue)]
    }

    func rows(
        asset identifier: LocalIdentifier, roots: [UUID: PathBytes], in catalogue: Catalogue
    ) throws -> [MappingRow] {
        let sources = try catalogue.sources(of: identifier).map { try row(of: $0, roots: roots, in: catalogue) }
        let state = try state(of: identifier, in: catalogue)
        return sources
            + (try catalogue.externalIdentifiers(of: identifier)).map { external in
                var row = MappingRow(localIdentifier: identifier, state: state)
                row.externalIdentifier = external
                return row
            }
    }

    private func rows(external: String, in catalogue: Catalogue) throws -> [MappingRow] {
        guard let identifier = try catalogue.externalMapping(external) else { return [] }
        var row = MappingRow(localIdentifier: identifier, state: try state(of: identifier, in: catalogue))
        row.externalIdentifier = external
        return [row]
    }

    private func row(of source: Source, roots: [UUID: PathBytes], in catalogue: Catalogue) throws -> MappingRow {
        let state = try source.localIdentifier.map { try self.state(of: $0, in: catalogue) } ?? .absent
        var row = MappingRow(localIdentifier: source.localIdentifier, state: state)
        let name = Name(absolute(source.key, roots: roots))
        (row.path, row.pathBase64) = (name.text, name.base64)
        row.folder = source.key.folder.uuidString
        (row.outcome, row.reason) = (source.outcome, source.reason)
        (row.sha256, row.byteCount) = (source.evidence?.hash, source.evidence?.byteCount)
        row.departedDate = source.departure?.date
        return row
    }

    private func state(of identifier: LocalIdentifier, in catalogue: Catalogue) throws -> MappingState {
        switch try catalogue.asset(identifier)?.state {
        case .live: .live
        case .trashed: .trashed
        case .purged, nil: .dangling
        }
    }

    /// Rows of the catalogue that wait, after the folders that cannot be reached and the candidates that are not
    /// decided yet (with the first page).
    func pending(_ paging: Paging) async throws -> PageOf<PendingRow> {
        let candidates = paging.after == 0 ? importing.board.candidates() : []
        let folders = paging.after == 0 ? importing.status.folders : []
        let awaited = paging.after == 0 ? importing.status.awaited : []
        let (now, uptime) = (machine.now(), machine.uptime())
        return try await read { catalogue in
            let roots = try self.roots(in: catalogue)
            let away = try folders.compactMap { try self.row(waiting: $0, in: catalogue) }
            let live = candidates.map { self.row(of: $0, roots: roots, now: now, uptime: uptime) }
            let halves = try awaited.compactMap { try self.row(of: $0, roots: roots, uptime: uptime, in: catalogue) }
            let keys = Set(candidates.map(\.key))
            let page = try catalogue.waitingSources(after: paging.after, limit: paging.limit)
            let rows = page.rows.filter { !keys.contains($0.source.key) }.map { source, date in
                PendingRow(
                    path: self.absolute(source.key, roots: roots), outcome: source.outcome, reason: source.reason,
                    detail: source.detail, since: date, retryDate: nil)
            }
            return PageOf(rows: away + live + halves + rows, next: page.next)
        }
    }

    private func row(waiting folder: FolderStatus, in catalogue: Catalogue) throws -> PendingRow? {
        let known = try catalogue.folder(at: PathBytes(folder.rule.path))
        let counts = try known.map { try catalogue.sourceCounts(in: $0.folder) } ?? []
        return PendingRow(waiting: folder, sources: counts.reduce(0) { $0 + $1.count })
    }

    /// A file that is imported, and what is still to come beside it.
    private func row(
        of file: AwaitedFile, roots: [UUID: PathBytes], uptime: Duration, in catalogue: Catalogue
    ) throws -> PendingRow? {
        guard file.until > uptime, let source = try catalogue.source(file.key) else { return nil }
        var row = PendingRow(
            path: absolute(file.key, roots: roots), outcome: source.outcome, reason: .companionAwaited,
            detail: "it is imported, and awaits \(file.companion.words)", since: nil, retryDate: nil)
        row.localIdentifier = source.localIdentifier
        return row
    }

    func row(of candidate: Candidate, roots: [UUID: PathBytes], now: Date, uptime: Duration) -> PendingRow {
        let due = candidate.isTaken ? nil : now.addingTimeInterval((candidate.due - uptime) / .seconds(1))
        return PendingRow(
            path: absolute(candidate.key, roots: roots), outcome: .pending, reason: candidate.reason,
            detail: candidate.explanation, since: now.addingTimeInterval((candidate.firstSeen - uptime) / .seconds(1)),
            retryDate: due)
    }

    func retry(_ subject: SubjectRequest) async throws -> CountResult {
        var keys: [SourceKey?] = [nil]
        if subject.all != true {
            keys = try await self.keys(of: subject)
            guard !keys.isEmpty else {
                throw Problem.notFound("no folder has that file, and none had it", fix: "albumctl pending")
            }
        }
        var count = 0
        for key in keys {
            count += await withCheckedContinuation { continuation in
                importing.post(.retry(key) { continuation.resume(returning: $0) })
            }
        }
        return CountResult(count: count)
    }

    private func keys(of subject: SubjectRequest) async throws -> [SourceKey?] {
        let path = try Name.bytes(subject.path, subject.pathBase64)
        return try await read { catalogue in
            let roots = try self.roots(in: catalogue)
            if let path {
                let key = self.key(of: path, roots: roots)
                return try key.map { try self.isKnown($0, at: path, in: catalogue) ? [$0] : [] } ?? []
            }
            guard let identifier = subject.localIdentifier else {
                throw Problem.badRequest("path, localIdentifier or all is needed")
            }
            guard try catalogue.asset(identifier) != nil else { throw LibraryError.noSuchAsset(identifier) }
            let keys = try catalogue.sources(of: identifier).map(\.key)
            guard !keys.isEmpty else { throw Problem.notFound("\(identifier) has no file", fix: "albumctl pending") }
            return keys
        }
    }

    /// Whether there is anything to look at: a file, a row, or a candidate.
    private func isKnown(_ key: SourceKey, at path: PathBytes, in catalogue: Catalogue) throws -> Bool {
        if importing.board[key] != nil { return true }
        return try catalogue.source(key) != nil || isThere(path)
    }
}
