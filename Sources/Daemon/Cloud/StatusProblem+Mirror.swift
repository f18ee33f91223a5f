import Cloud
import Control
import Platform

extension StatusProblem {
    /// What keeps the history from the store until somebody acts; an outage passes by itself and is none.
    init(notMirrored error: MirrorError) {
        self.init(what: "the history is not kept in the cloud: \(error)", fix: error.fix, kind: "notMirrored")
    }

    /// Parts of the history that the store lost or spoilt, which the library could not write again.
    init?(damagedHistory: [ObjectKey: String]) {
        guard let (key, why) = damagedHistory.min(by: { $0.key < $1.key }) else { return nil }
        let more = damagedHistory.count > 1 ? ", and \(counted(damagedHistory.count - 1, "other"))" : ""
        self.init(
            what: "the history in the cloud is damaged (\(key)\(more)): \(why)",
            fix: "albumctl cloud verify", kind: "mirrorDamaged")
    }

    /// Nothing brings these back but the same bytes.
    init(lost count: Int) {
        self.init(
            what: "\(counted(count, "original", one: "is", many: "are")) lost: on neither the disk nor the cloud",
            fix: lostOriginalFix,
            kind: "lost")
    }
}

extension StatusProblem {
    /// Originals that a pin, a rule or a person wants on the disk, and that find no room there; nil where there is none.
    init?(withoutRoom count: Int) {
        guard count > 0 else { return nil }
        let originals = counted(count, "original", one: "is wanted", many: "are wanted")
        self.init(
            what: "\(originals) on the disk, which has no room: what should come stays in the cloud",
            fix: "\(freeSomeSpace), or albumctl cloud unpin: albumd goes on by itself", kind: "cloudObstacle")
    }
}

/// What may bring back the bytes of an original that is lost: a repair looks at its sources, too.
let lostOriginalFix =
    "albumctl repair: a source may have the bytes; else albumctl save the same file from a backup or a card"

extension StatusProblem {
    /// Originals that are in a cloud of which the configuration says nothing; nil where there is none.
    init?(withoutCloud count: Int) {
        guard count > 0 else { return nil }
        let originals = counted(count, "original", one: "is", many: "are")
        self.init(
            what: "\(originals) in the cloud alone, and the configuration has no cloud",
            fix: "put the [cloud] of before back into the configuration, then restart albumd")
    }
}

extension MirrorError {
    var fix: String {
        switch self {
        case .damaged: "albumctl cloud verify writes it again; the cloud took it, and does not have it"
        case .otherLibrary, .empty, .notEmpty, .noStore:
            "name the directory of this library's cloud below [cloud] in the configuration, or an empty one where it has "
                + "none, then restart albumd"
        case .vanished:
            "mount it, or name the right directory below [cloud] in the configuration, then restart albumd; where that "
                + "cloud is gone for good: albumctl cloud adopt --dry-run"
        case .incomplete, .unfit, .historyGone: "albumd restore --from-cloud --partial"
        case .ahead:
            "to have that library: stop albumd, put this one aside with mv, then albumd --config FILE restore --from-cloud; to keep "
                + "this one: albumctl cloud fetch --all, which takes home what only that cloud has, and not before that an empty "
                + "directory below [cloud]"
        }
    }
}

/// What to do where it is the history in the store that is wrong, or the store itself is another's; else nil.
func fixOfHistory(_ error: any Error) -> String? {
    if case TierError.notOurs(let error) = error { return error.fix }
    return (error as? MirrorError)?.fix
}
