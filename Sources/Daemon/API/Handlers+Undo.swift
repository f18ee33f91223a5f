import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// One change reversed by another.
extension LibraryService {
    func undo(_ request: UndoRequest, by peer: Peer) async throws -> UndoResult {
        let isDryRun = request.isDryRun ?? false
        let basis = try await basis(of: request.token)
        let origin = origin(peer)
        let undone = try await library.undo(basis, origin: origin, isDryRun: isDryRun)
        let removed = request.putsBack == true ? undone.plan.removedSources : []
        let outcomes =
            isDryRun || removed.isEmpty ? removed.map { PutBack(key: $0.key) } : await importing.putBack(removed)
        let roots = try await read { try self.roots(in: $0) }
        return UndoResult(
            token: undone.token, changes: undone.plan.requests, remarks: undone.plan.remarks,
            putBack: outcomes.map { PutBackRow(absolute($0.key, roots: roots), problem: $0.failure) })
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
