import Cloud
import Control
import PhotoStore
import Platform

/// The history in the store is read again: when a person verifies, and an object or two at a time by itself.
extension CloudService {
    /// So many objects at most each time the tier goes round.
    private static let objectsPerRound = 8
    /// For a five-thousandth of the time: nobody waits for it, and an idle machine should be left alone.
    private static let restPerLook = 5000
    /// And, once all were read, not before that again: a small history would be read without end.
    private static let mirrorInterval = Duration.seconds(86_400)

    /// Reads all of it, and writes again what is not as it should be; tells each object, until `tell` says no.
    func checkMirror(through store: any ObjectStore, _ tell: (MirrorFinding) -> Bool) throws {
        let token = state.update { $0.mirroredToken }
        do {
            try check(through: store).all(upTo: token) { finding in
                note(finding)
                return tell(finding) && goesOn()
            }
        } catch let error as MirrorError {
            disbelieve(error)
            throw error
        }
    }

    /// It is another's now: nothing is moved there, and nothing of it is believed, before it is known again.
    func disbelieve(_ error: MirrorError) {
        guard error.isOthers else { return }
        let isNews = state.update { state in
            defer { (state.isStoreKnown, state.mirrorProblem) = (false, StatusProblem(notMirrored: error)) }
            if case .ahead(let token) = error { state.suspect = token }
            return state.isStoreKnown
        }
        if isNews { machine.log(.error, "the history in the store is not the library's: \(error)") }
    }

    /// What is known to be damaged, then what comes next; an outage ends it, and the next round goes on.
    func lookAtMirror() {
        do {
            let check = check(through: impatient.store)
            for key in state.update({ $0.damaged.keys.sorted() }) {
                if let finding = try check.look(at: key) { note(finding) } else { forget(key) }
            }
            guard state.update({ $0.nextMirrorLook }) <= machine.uptime() else { return }
            try lookOn(check)
        } catch let error as MirrorError {
            disbelieve(error)
        } catch {
            // The next round asks again, and says what keeps it from anything.
        }
    }

    /// Looks at the objects after the last one, until the time for that is over.
    private func lookOn(_ check: MirrorCheck) throws {
        let begun = machine.uptime()
        for _ in 0..<Self.objectsPerRound where goesOn() {
            let next = try check.next(after: state.update { $0.mirrorCursor })
            if let finding = next?.finding { note(finding) }
            state.update { $0.mirrorCursor = next?.key }
            let took = machine.uptime() - begun
            let rest = next == nil ? Self.mirrorInterval : took * Self.restPerLook
            state.update { $0.nextMirrorLook = begun + took + rest }
            if next == nil || rest > Self.interval { return }
        }
    }

    private func check(through store: any ObjectStore) -> MirrorCheck {
        MirrorCheck(mirror(through: store), history, files: machine.files) { [self] in try newestSnapshot() }
    }

    /// Remembers what could not be mended, which status says until it is.
    private func note(_ finding: MirrorFinding) {
        let isNews = state.update { state in
            defer { state.damaged[finding.key] = finding.isSound ? nil : finding.why ?? "" }
            return finding.outcome != .proven && state.damaged[finding.key] == nil
        }
        guard isNews else { return }
        machine.log(
            .warning, "the cloud lost or spoilt a part of the history",
            ["object": finding.key.text, "outcome": "\(finding.outcome)"])
    }

    private func forget(_ key: ObjectKey) { state.update { $0.damaged[key] = nil } }
}
