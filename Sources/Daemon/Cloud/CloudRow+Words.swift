import Cloud
import Control
import PhotoModel
import PhotoStore

extension CloudRow {
    init(_ finding: MirrorFinding) {
        self.init(sha256: finding.sha256, byteCount: finding.byteCount)
        (object, detail) = (finding.key.text, finding.why)
        switch finding.outcome {
        case .proven: outcome = .proven
        case .writtenAgain: outcome = .uploadedAgain
        case .deleted: outcome = .deleted
        case .absent: outcome = .absent
        case .different: outcome = .different
        }
        if !finding.isSound { fix = "see that the cloud keeps what it is sent, then albumctl cloud verify" }
    }
}

extension CloudRow.Outcome {
    init(_ finding: CopyFinding) {
        switch finding {
        case .proven: self = .proven
        case .absent: self = .absent
        case .different: self = .different
        case .uploadedAgain: self = .uploadedAgain
        case .lost: self = .lost
        }
    }
}

extension CloudRow {
    /// What the store said once is a doubt, and no more; what is lost is nobody's but a backup's.
    mutating func explainDoubt(_ wait: Duration) {
        let again = "it is asked once more \(inMinutes(wait)), and only then believed"
        switch outcome {
        case .absent: detail = "in doubt: the cloud says that it has it not; \(again)"
        case .different: detail = "in doubt: the cloud has other bytes; \(again)"
        case .lost:
            (detail, fix) = (
                "neither the disk nor the cloud has it", lostOriginalFix
            )
        default: return
        }
    }

    /// What is fetched against a rule does not stay for long.
    mutating func explainReturn(_ rule: CloudPlan.Reason?) {
        guard let rule, outcome == .fetched || outcome == .wouldFetch else { return }
        reason = rule.rawValue
        detail = "the rule \(rule.rawValue) takes it back to the cloud soon"
        fix = "albumctl cloud pin \(localIdentifier.map { "\($0)" } ?? "ID")"
    }

    /// What came of it, why, and what to do.
    ///
    /// `wait` is how long until a copy that the store denied is asked for again.
    mutating func explain(
        _ error: TierError, heldBy holder: LocalIdentifier?, keptBy albums: [String], _ wait: Duration?
    ) {
        (outcome, detail) = (.failed, "\(error)")
        switch error {
        case .refused(let refusal):
            (outcome, reason, fix) = (.refused, refusal.rawValue, refusal.fix(of: holder, keptBy: albums))
        case .store(let error) where error.kind == .notFound:
            (reason, fix) = (error.kind.rawValue, localIdentifier.map { fixOfCopy(of: $0, wait: wait) })
        case .store(let error): (reason, fix) = (error.kind.rawValue, "albumctl cloud status, then try again")
        case .notOurs(let error): (reason, fix) = ("notOurs", error.fix)
        case .localBytes(let condition): (reason, fix) = (condition.rawValue, "albumctl repair")
        case .cloudBytes where wait != nil:
            (reason, fix) = ("cloudBytes", localIdentifier.map { fixOfCopy(of: $0, wait: wait) })
        case .cloudBytes: (reason, fix) = ("cloudBytes", "try again; albumctl cloud verify says what the cloud has")
        case .lost: (outcome, fix) = (.lost, lostOriginalFix)
        case .noRoom: (reason, fix) = ("noRoom", "free some space on the library's disk, then try again")
        case .unknown: reason = "unknown"
        case .cancelled: (reason, fix) = ("cancelled", "try again")
        }
    }
}
