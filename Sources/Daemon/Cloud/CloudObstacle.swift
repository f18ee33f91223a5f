import Cloud
import Control
import Platform

/// What keeps originals, or the history, from the store, round after round.
struct CloudObstacle: Sendable, Equatable {
    /// So many rounds may be an outage, which passes by itself.
    static let patientRounds = 3

    let why: String
    /// What the store said; nil where it said nothing of the kind.
    let kind: ObjectStoreError.Kind?
    /// How many rounds in a row it has been so.
    private(set) var rounds: Int

    /// What a round met; nil where it met nothing.
    init?(_ round: TierRound?, historyFailure: (any Error)?, before: CloudObstacle?) {
        rounds = (before?.rounds ?? 0) + 1
        if let round, let obstacle = round.obstacle {
            (why, kind) = ("\(obstacle)", round.kind)
            return
        }
        // Of what is wrong with the history itself there is a problem of its own.
        guard let historyFailure, !(historyFailure is MirrorError) else { return nil }
        (why, kind) = ("the history: \(historyFailure)", (historyFailure as? ObjectStoreError)?.kind)
    }

    /// In the words of now; no round has passed.
    func now(_ round: TierRound) -> CloudObstacle? {
        var now = CloudObstacle(round, historyFailure: nil, before: nil)
        now?.rounds = rounds
        return now
    }

    /// Whether nothing can be had from it, as far as the last round knows.
    var isOutage: Bool { kind.map(Self.isOutage) ?? false }

    static func isOutage(_ kind: ObjectStoreError.Kind) -> Bool {
        switch kind {
        case .unreachable, .timedOut, .unavailable, .forbidden: true
        default: false
        }
    }

    /// Whether somebody has to act.
    var isLasting: Bool {
        switch kind {
        case .forbidden, .refused, .quotaExceeded: true
        default: rounds > Self.patientRounds
        }
    }
}

extension StatusProblem {
    /// Nil while it may pass by itself.
    init?(obstacle: CloudObstacle?) {
        guard let obstacle, obstacle.isLasting else { return nil }
        self.init(
            what: "the cloud does not take what it should: \(obstacle.why)", fix: obstacle.fix, kind: "cloudObstacle")
    }
}

extension CloudObstacle {
    var fix: String { Self.fix(of: kind) }

    static func fix(of kind: ObjectStoreError.Kind?) -> String {
        switch kind {
        case .quotaExceeded: "give the cloud more room: albumd goes on by itself"
        case .forbidden: "let albumd read, write and list there: albumd goes on by itself"
        case .refused: "see the [cloud] of the configuration, then restart albumd"
        default: "see that the cloud can be reached and works: albumd goes on by itself"
        }
    }
}

extension TierRound {
    /// What the store said against it; nil where it said nothing of the kind.
    var kind: ObjectStoreError.Kind? {
        if case .store(let error) = obstacle { error.kind } else { nil }
    }
}
