import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// One change reversed by another.
extension LibraryService {
    /// A file whose photo goes to Recently Deleted is put back first: where that fails the photo stays.
    ///
    /// One whose photo comes back follows it: the file of a deleted photo may have to go.
    func undo(_ request: UndoRequest, by peer: Peer) async throws -> UndoResult {
        let basis = try await basis(of: request.token)
        let origin = origin(peer)
        var files = FilesBack(isAsked: request.putsBack ?? false)
        let plan = try await library.undo(basis, files: files, origin: origin, isDryRun: true).plan
        guard request.isDryRun != true else {
            let outcomes = try await putBack(plan.removedSources, files, isDryRun: true)
            files.failed = Set(outcomes.filter { $0.failure != nil }.map(\.key))
            let plan = try await library.undo(basis, files: files, origin: origin, isDryRun: true).plan
            return try await result(plan, outcomes)
        }
        let first = plan.removedSources.filter(plan.trashes)
        var outcomes = try await putBack(first, files)
        files.failed = Set(outcomes.filter { $0.failure != nil }.map(\.key))
        let undone = try await library.undo(basis, files: files, origin: origin, isDryRun: false)
        // An album that is there again is what some files are held for.
        if undone.token != nil { importing.post(.retry(nil) { _ in }) }
        importing.post(.assetsRestored(undone.plan.restored))
        let tried = Set(first.map(\.key))
        outcomes += try await putBack(undone.plan.removedSources.filter { !tried.contains($0.key) }, files)
        return try await result(undone.plan, outcomes, token: undone.token)
    }

    private func result(_ plan: UndoPlan, _ outcomes: [PutBack], token: Int64? = nil) async throws -> UndoResult {
        let roots = try await read { try self.roots(in: $0) }
        return UndoResult(
            token: token, changes: plan.requests, remarks: plan.remarks,
            putBack: outcomes.map { PutBackRow(absolute($0.key, roots: roots), problem: $0.failure) })
    }

    /// What is found out about an original on the way is written down, so that status and repair know it, too.
    private func putBack(_ sources: [Source], _ files: FilesBack, isDryRun: Bool = false) async throws -> [PutBack] {
        guard files.isAsked, !sources.isEmpty else { return [] }
        let hashes = Set(sources.compactMap { $0.evidence?.hash }).sorted()
        let versions = try await read { catalogue in try hashes.compactMap { try catalogue.version(of: $0) } }
        let stored = try await readOriginals(versions.filter { $0.residency != .inCloud })
        let far = Set(versions.filter { $0.residency == .inCloud }.map(\.content.hash))
        let failures = sources.compactMap { source -> PutBack? in
            let hash = source.evidence?.hash
            let isFar = hash.map(far.contains) ?? false
            let why =
                isFar ? "its original is in the cloud: albumctl cloud fetch" : failure(hash.flatMap { stored[$0] })
            return why.map { PutBack(key: source.key, failure: $0) }
        }
        let hopeless = Set(failures.map(\.key))
        let hopeful = sources.filter { !hopeless.contains($0.key) }
        let outcomes = await importing.putBack(hopeful, isDryRun: isDryRun)
        return (failures + outcomes).sorted { $0.key < $1.key }
    }

    private func failure(_ stored: StoredBytes?) -> String? {
        switch stored?.finding {
        case .sound: nil
        case .misstated: "the catalogue has another size of its original: albumctl verify --deep"
        case .corrupt: "its original has other bytes: albumctl repair"
        case .missing: "its original is not there: albumctl repair"
        case .unreadable(let error): "its original cannot be read: \(error)"
        case .stopped, nil: "its bytes are not in the library any more"
        }
    }

    /// Reads the history page by page, so that no reader keeps the log from being written back.
    private func basis(of token: Int64) async throws -> UndoBasis {
        try await pool.run { [readers] in
            guard var basis = try readers.readNow({ try $0.undoBasis(token) }) else {
                throw Problem.notFound("there is no change \(token)", fix: "albumctl history")
            }
            while true {
                let newest = basis.newest
                let lines = try readers.readNow { try $0.history(after: newest, limit: 500) }
                for line in lines { try basis.take(line) }
                if lines.isEmpty { return basis }
            }
        }
    }
}
