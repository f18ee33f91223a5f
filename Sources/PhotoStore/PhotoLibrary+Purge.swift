import FoundationEssentials
package import PhotoModel
import Platform
import SQLite
import Synchronization

/// Deleting for good (RULES R35, R37, R38).
///
/// One commit says what is gone, then the bytes are unlinked; a crash in between leaves work that is finished at the
/// next start.
extension PhotoLibrary {
    /// Purges assets that are in Recently Deleted; others are left alone.
    ///
    /// Returns those purged.
    @discardableResult
    package func purge(
        _ identifiers: [LocalIdentifier], origin: String, reason: PurgeReason
    ) throws -> Committed<[LocalIdentifier]> {
        let committed = try performChanges(origin: origin) { change in
            var purged: [LocalIdentifier] = []
            for identifier in identifiers {
                guard let asset = try change.catalogue.asset(identifier) else {
                    throw LibraryError.noSuchAsset(identifier)
                }
                guard asset.state == .trashed else { continue }
                try change.purge(asset, reason: reason)
                purged.append(identifier)
            }
            return purged
        }
        for identifier in committed.value {
            machine.log(
                .notice, "the asset is deleted for good", ["asset": "\(identifier)", "reason": reason.rawValue])
        }
        try machine.reach(.purgeCommitted)
        try finishPurges()
        return committed
    }

    /// Goes on with the running clock, and purges what has been in Recently Deleted for its time.
    ///
    /// Returns how many; a hundred at a time.
    @discardableResult
    package func keepTime() throws -> Int {
        let clock = try advanceClock()
        try finishPurges()
        guard inspection.hasPassed, !clock.isFrozen else { return 0 }
        let expired = try catalogue.expiredAssets(
            trashedBefore: machine.now().addingTimeInterval(-RunningClock.retention),
            runningBefore: clock.runningSeconds - RunningClock.runningRetention, limit: 100)
        guard !expired.isEmpty else { return 0 }
        return try purge(expired.map(\.localIdentifier), origin: "retention", reason: .expired).value.count
    }

    /// Unlinks what committed purges have left; what cannot be unlinked now is tried again within the hour.
    ///
    /// Nothing before the catalogue is checked, which `keepTime` is called after.
    /// Publishing runs on the same thread, and every unlink asks again whether a row names the bytes (RULES R5).
    func finishPurges() throws {
        guard inspection.hasPassed else { return }
        var left: [UnremovedOriginal] = []
        for work in try catalogue.unlinkWork() {
            if try !catalogue.isReferred(work.hash), let error = remove(work.hash, work.fileExtension) {
                left.append(
                    unremoved(StoredName(hash: work.hash, fileExtension: Array(work.fileExtension.utf8)), error))
            } else {
                try catalogue.finishUnlink(work.hash)
            }
        }
        notUnlinked.withLock { $0 = left }
    }

    /// Tries once more to unlink what purges have left.
    package func retryPurges() throws { try finishPurges() }

    /// Whether bytes that come are not here: then they go again where nothing names them, as a sidecar's before its photo
    /// comes, and those of a photo that was deleted for good.
    func isNew(_ content: Content) -> Bool {
        do throws(FileError) {
            _ = try directory.originals.open(content)
            return false
        } catch {
            return error.isAbsence
        }
    }

    /// Takes away what was stored just now and was not here before, where the change has not named it.
    ///
    /// The disk is as it was, so that it needs no word of the catalogue; what a crash leaves of it is an orphan.
    func letGo(ofUnnamed contents: [Content]) {
        for content in contents where (try? catalogue.isReferred(content.hash)) == false {
            // What cannot be removed is an orphan, as after a crash.
            _ = remove(content.hash, content.fileExtension)
        }
    }

    /// Twice: where only the sync failed, the name is gone, and what a power cut brings back is an orphan at worst.
    ///
    /// Returns why it is still there.
    private func remove(_ hash: ContentHash, _ fileExtension: String) -> FileError? {
        var failure: FileError?
        for _ in 0..<2 {
            do throws(FileError) {
                try directory.originals.remove(hash, fileExtension: fileExtension)
                return nil
            } catch {
                failure = error
                machine.log(.error, "a purged original could not be unlinked: \(error)")
            }
        }
        return failure
    }

    @discardableResult
    func advanceClock() throws -> RunningClock {
        let (now, uptime) = (machine.now(), machine.uptime())
        let (before, clock): (RunningClock, RunningClock)
        if let (last, then) = lastClock {
            (before, clock) = (last, last.advanced(by: (uptime - then).components.seconds, now: now))
        } else {
            before = try catalogue.clock() ?? RunningClock(runningSeconds: 0, wall: now, frozenUntil: 0)
            clock = before.started(now: now, least: try catalogue.newestTrashRunningSeconds())
        }
        if clock.frozenUntil > before.frozenUntil {
            let why =
                clock.hasJumped ? "the clock jumped" : "the clock is more than a day ahead of when albumd last ran"
            let time = clock.hasJumped ? "a day" : "an hour"
            machine.log(.warning, "\(why): nothing expires in Recently Deleted for \(time) of running")
        }
        do {
            try ballast.givenUp(where: \.isFull) { try catalogue.setClock(clock) }
        } catch {
            guard let refusal = error as? DatabaseError, refusal.isFull else { throw error }
            // It goes on in memory: after a restart less time has passed, and what is to expire expires later.
        }
        lastClock = (clock, uptime)
        return clock
    }
}
