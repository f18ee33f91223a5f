import Cloud
import Control
import Platform

/// A store that the configuration names, and that could not be opened at the start.
struct UnusableCloud: Sendable {
    let directory: [UInt8]
    let problem: StatusProblem
}

/// Why nothing moves between the disk and the store, and what to do about it.
extension CloudService {
    /// As far as is known without asking the store; nil where nothing is in the way.
    var standstill: StatusProblem? {
        if store.faults.isOffline {
            return StatusProblem(what: "the cloud is offline", fix: "albumctl cloud simulate --online")
        }
        return state.update { $0.standstill }
    }

    /// It answered somebody, or is simulated to: what a round said that met it away holds no longer.
    func noteAnswer() {
        state.update { state in
            if state.round.outage != nil, !state.isOutOfPlace { state.findAgain() }
        }
    }

    /// Whether the store's directory is in its place, for an answer that is true at once and not with the next round.
    ///
    /// What was said while it was away holds no longer once it is back; a round follows, which asks the store itself.
    func lookAtPlace() {
        let mute = ObjectStoreError(.unreachable, "the cloud's directory '\(printable(directory))' does not answer")
        let absence = place.now() ?? mute
        let isNews = state.update { state in
            defer { state.isOutOfPlace = absence != nil }
            if let absence { state.miss(absence) } else if state.isOutOfPlace { state.findAgain() }
            return state.isOutOfPlace != (absence != nil)
        }
        if isNews { wake() }
    }
}

extension CloudService.State {
    /// As a round would that met it.
    fileprivate mutating func miss(_ absence: ObjectStoreError) {
        (round.outage, round.obstacle) = ("\(absence)", .store(absence))
        // Only rounds count how long it lasts.
        if let met = obstacle, met.kind == absence.kind { obstacle = met.now(round) } else { meet(round) }
    }

    fileprivate mutating func findAgain() {
        (round.outage, round.obstacle, obstacle) = (nil, nil, nil)
        // What a store answered that is not the library's is none of it.
        if !(mirrorFailure is MirrorError) { mirrorFailure = nil }
    }

    /// What the last round met, or the history did.
    fileprivate var standstill: StatusProblem? {
        let fix = isOutOfPlace ? Self.placeFix : obstacle?.fix ?? CloudObstacle.fix(of: round.kind)
        if let outage = round.outage { return StatusProblem(what: outage, fix: fix) }
        if let mirrorFailure {
            return StatusProblem(what: "\(mirrorFailure)", fix: (mirrorFailure as? MirrorError)?.fix ?? fix)
        }
        return obstacle.map { StatusProblem(what: $0.why, fix: fix) }
    }

    private static let placeFix =
        "mount its disk, or put the directory back: albumd goes on by itself; where it is gone for good: see that an empty one is "
        + "there, owned as the library is, restart albumd, then albumctl cloud adopt"
}
