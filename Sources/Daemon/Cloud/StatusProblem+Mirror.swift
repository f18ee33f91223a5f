import Cloud
import Control
import Platform

extension StatusProblem {
    /// What keeps the history from the store until somebody acts; an outage passes by itself and is none.
    init(notMirrored error: MirrorError) {
        self.init(what: "the history is not kept in the cloud: \(error)", fix: error.fix, kind: "notMirrored")
    }

    /// Nothing brings these back but the same bytes.
    init(lost count: Int) {
        self.init(
            what: "\(counted(count, "original", one: "is", many: "are")) lost: on neither the disk nor the cloud",
            fix: "albumctl asset list --residency inCloud, then albumctl save the same files from a backup or a card",
            kind: "lost")
    }
}

extension MirrorError {
    fileprivate var fix: String {
        switch self {
        case .otherLibrary, .empty, .notEmpty, .damaged:
            "name an empty directory below [cloud] in the configuration, then restart albumd"
        case .vanished: "mount it, or name the right directory below [cloud] in the configuration, then restart albumd"
        case .ahead:
            "albumd restore --from-cloud makes that library in an empty directory; or name an empty one below [cloud]"
        }
    }
}
