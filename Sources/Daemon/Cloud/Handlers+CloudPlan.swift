import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// What would move between the disk and the cloud, and why.
extension LibraryService {
    private static let mostMoves = 10_000

    /// What was begun, then what the rules want; at most `limit` moves of each kind are listed, all are counted.
    func cloudPlan(limit text: String?) async throws -> CloudPlanReport {
        guard let limit = text.map({ Int($0) }) ?? 1000, (0...Self.mostMoves).contains(limit) else {
            throw Problem.badRequest("'limit' is '\(text ?? "")', and must be a number from 0 to \(Self.mostMoves)")
        }
        let cloud = try requireCloud()
        let plan = try await cloud.pool.run {
            cloud.lookAtPlace()
            return try cloud.tier.plan(cloud.policy(), limit: limit)
        }
        return try await read { catalogue in
            let begun = try self.begun(in: catalogue)
            var report = CloudPlanReport(
                try CloudMoveRow.Move.allCases.map { kind in
                    var moves = PlannedMoves(of: kind, limit: limit)
                    for row in begun where row.move == kind { try moves.add(row, of: catalogue) }
                    try moves.add(plan, of: catalogue)
                    return moves
                })
            report.obstacle = cloud.standstill
            return report
        }
    }

    /// Transfers that were begun: these are ended first.
    private func begun(in catalogue: Catalogue) throws -> [CloudMoveRow] {
        try catalogue.transfers().compactMap { work in
            guard let transfer = work.transfer, let version = try catalogue.version(of: work.hash) else { return nil }
            return CloudMoveRow(
                CloudMoveRow.Move(transfer), reason: "underWay", sha256: work.hash,
                byteCount: version.content.byteCount)
        }
    }
}

/// Moves of one kind: the first of them as rows, and all of them counted.
private struct PlannedMoves {
    let kind: CloudMoveRow.Move
    let limit: Int
    private(set) var rows: [CloudMoveRow] = []
    private(set) var sum = CountAndBytes(count: 0, byteCount: 0)

    init(of kind: CloudMoveRow.Move, limit: Int) { (self.kind, self.limit) = (kind, limit) }

    mutating func add(_ row: CloudMoveRow, of catalogue: Catalogue) throws {
        try list(row, catalogue)
        sum.add(count: 1, byteCount: row.byteCount)
    }

    mutating func add(_ plan: CloudPlan, of catalogue: Catalogue) throws {
        switch kind {
        case .upload: try add(plan.uploads, catalogue)
        case .evict:
            try add(plan.evictions, catalogue)
            try add(plan.laterEvictions, catalogue, isAfterUpload: true)
        case .fetch: try add(plan.fetches, catalogue)
        }
    }

    private mutating func add(
        _ moves: CloudPlan.Moves, _ catalogue: Catalogue, isAfterUpload: Bool? = nil
    ) throws {
        for move in moves.first {
            var row = CloudMoveRow(kind, reason: move.reason.rawValue, sha256: move.hash, byteCount: move.byteCount)
            row.isAfterUpload = isAfterUpload
            try list(row, catalogue)
        }
        sum.add(count: moves.count, byteCount: moves.byteCount)
    }

    private mutating func list(_ row: CloudMoveRow, _ catalogue: Catalogue) throws {
        guard rows.count < limit else { return }
        var row = row
        let original = try catalogue.nameOfOriginal(row.sha256)
        row.localIdentifier = original?.asset
        row.version = original.flatMap { versionName($0.ordinal, of: $0.count) }
        let name = original.map { Name($0.filename) }
        (row.originalFilename, row.originalFilenameBase64) = (name?.text, name?.base64)
        rows.append(row)
    }
}

extension CloudPlanReport {
    fileprivate init(_ moves: [PlannedMoves]) {
        func sum(_ kind: CloudMoveRow.Move) -> CountAndBytes {
            moves.first { $0.kind == kind }?.sum ?? CountAndBytes(count: 0, byteCount: 0)
        }
        self.init(
            rows: moves.flatMap(\.rows), uploads: sum(.upload), evictions: sum(.evict), fetches: sum(.fetch))
    }
}

extension CloudMoveRow.Move {
    fileprivate init(_ transfer: Transfer) {
        switch transfer {
        case .uploading, .verifying: self = .upload
        case .evicting: self = .evict
        case .downloading: self = .fetch
        }
    }
}

extension CountAndBytes {
    fileprivate mutating func add(count: Int, byteCount: Int64) {
        self.count += count
        self.byteCount += byteCount
    }
}
