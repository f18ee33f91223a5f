import PhotoModel
package import PhotoStore
package import Platform

/// Reads what the store has of the library itself, and writes again from the library what is not as it should be: what rots
/// there would be found by a restore alone, when it is too late.
///
/// The bytes are read, and not only asked for: a store may go on telling the hash that it was told. The store must be known
/// to be the library's (`LibraryMirror.newestToken`).
package struct MirrorCheck {
    let mirror: LibraryMirror
    let history: LibraryMirror.History
    /// The library's newest snapshot; asked for only where the store's is damaged.
    let snapshot: () throws -> DailySnapshot?
    let files: any FileVerbs

    package init(
        _ mirror: LibraryMirror, _ history: @escaping LibraryMirror.History, files: any FileVerbs,
        snapshot: @escaping () throws -> DailySnapshot?
    ) {
        (self.mirror, self.history, self.files, self.snapshot) = (mirror, history, files, snapshot)
    }

    /// Everything, in order, with what is wanting up to `token`; ends where `tell` says no.
    ///
    /// Throws `MirrorError` where the store is another's.
    package func all(upTo token: Int64, _ tell: (MirrorFinding) throws -> Bool) throws {
        guard let identity = LibraryMirror.identity else { return }
        try mirror.requireStore(history)
        var newest: Int64 = 0
        for segment in try MirrorSegment.all(in: mirror.store) {
            guard try fill(after: newest, before: segment.tokens.lowerBound, tell) else { return }
            guard try tell(look(at: segment)) else { return }
            newest = max(newest, segment.tokens.upperBound)
        }
        guard try fill(after: newest, before: token + 1, tell) else { return }
        for (snapshot, _) in try MirrorSnapshot.all(in: mirror.store) {
            if let found = try look(at: snapshot), try !tell(found) { return }
        }
        // Last: the segments tell whose it is where it rotted.
        if let found = try look(at: identity) { _ = try tell(found) }
    }

    /// The object after that one, by their keys, and what it is; nil past the last one.
    package func next(after key: ObjectKey?) throws -> (key: ObjectKey, finding: MirrorFinding?)? {
        guard let key = try mirror.store.list("library/", after: key, limit: 1).first?.key else { return nil }
        return (key, try look(at: key))
    }

    /// Nil where the key is none of the library's history.
    package func look(at key: ObjectKey) throws -> MirrorFinding? {
        if key == LibraryMirror.identity { return try lookAtIdentity(key) }
        if let segment = MirrorSegment(key) { return try look(at: segment) }
        guard key.text.hasPrefix(MirrorSnapshot.prefix) else { return nil }
        return try MirrorSnapshot(key).flatMap { try look(at: $0) }
    }

    private func lookAtIdentity(_ key: ObjectKey) throws -> MirrorFinding {
        let body = mirror.identityBody
        let found = try textIfPresent(key)
        var finding = MirrorFinding(key, body.sha256, body.byteCount, found == nil ? .absent : .different)
        guard found != mirror.identityText else {
            finding.outcome = .proven
            return finding
        }
        try mirror.requireRot(found, history)
        return mend(finding) { try mirror.putIdentity(key) }
    }

    private func look(at segment: MirrorSegment) throws -> MirrorFinding {
        let lines = try mirror.lines(of: segment, history)
        let theirs = try textIfPresent(segment.key)
        if let theirs, lines.count == segment.count, mirror.isSealedText(theirs, of: lines) {
            // As nearly all of them are: nothing has to be read for what it says.
            let body = ObjectBody(Array(theirs.utf8))
            return MirrorFinding(segment.key, body.sha256, body.byteCount, .proven)
        }
        let isProven = theirs.map { mirror.isText($0, of: lines) } == true
        let body = ObjectBody(Array((isProven ? theirs ?? "" : mirror.text(of: lines)).utf8))
        if theirs == nil { try mirror.requireStore(history) }
        var finding = MirrorFinding(segment.key, body.sha256, body.byteCount, theirs == nil ? .absent : .different)
        if let theirs { try mirror.requireOurs(segment, theirs, history) }
        guard lines.count == segment.count, theirs.map({ mirror.hasWhatIsLost($0, of: lines) }) != true else {
            // What a library has lost itself is left alone there.
            if theirs.map(segment.isWhole) == true { finding.outcome = .proven }
            finding.why = finding.isSound ? nil : "the library has not all of these changes itself"
            return finding
        }
        guard !isProven else {
            finding.outcome = .proven
            return finding
        }
        return mend(finding) { try mirror.put(segment.key, lines) }
    }

    /// Nil where it has gone since it was listed: an older one, that made room.
    private func look(at snapshot: MirrorSnapshot) throws -> MirrorFinding? {
        // Twice: it may be deleted.
        guard let first = try read(snapshot), let found = try first.isRight ? first : read(snapshot) else { return nil }
        var finding = MirrorFinding(
            snapshot.key, snapshot.sha256, found.byteCount, found.isRight ? .proven : .different)
        guard !found.isRight else { return finding }
        if let ours = try self.snapshot(), ours.sha256 == snapshot.sha256 {
            return mend(finding) { try mirror.put(ours, files: files) }
        }
        finding.outcome = .deleted
        try mirror.store.delete(snapshot.key)
        return finding
    }

    /// How many bytes it has, and whether they are those of its name; nil where it is not there.
    private func read(
        _ snapshot: MirrorSnapshot
    ) throws(ObjectStoreError) -> (isRight: Bool, byteCount: Int64)? {
        var (hasher, byteCount) = (ContentHasher(), Int64(0))
        do throws(ObjectStoreError) {
            try mirror.store.get(snapshot.key, from: 0) { bytes in
                hasher.update(bytes)
                byteCount += Int64(bytes.count)
            }
        } catch  where error.kind == .notFound {
            return nil
        }
        return (ContentHash(bytes: hasher.finish()) == snapshot.sha256, byteCount)
    }

    /// Brings what no segment between two tokens has; false where `tell` says no.
    private func fill(
        after newest: Int64, before end: Int64, _ tell: (MirrorFinding) throws -> Bool
    ) throws -> Bool {
        var newest = newest
        while newest + 1 < end {
            let last = min(newest + Int64(LibraryMirror.linesPerSegment), end - 1)
            guard let segment = MirrorSegment(MirrorSegment.key(newest + 1...last)), try tell(look(at: segment)) else {
                return false
            }
            newest = last
        }
        return true
    }

    private func textIfPresent(_ key: ObjectKey) throws -> String? {
        try Cloud.textIfPresent(key, in: mirror.store)
    }

    private func mend(_ finding: MirrorFinding, _ write: () throws -> Void) -> MirrorFinding {
        var finding = finding
        do {
            try write()
            finding.outcome = .writtenAgain
        } catch {
            finding.why = "\(error)"
        }
        return finding
    }
}

extension MirrorSegment {
    /// Whether these are lines of the journal with its tokens, each once.
    fileprivate func isWhole(_ text: String) -> Bool {
        let found = text.split(separator: "\n").map { JournalReader.line(Array($0.utf8)[...])?.token }
        return found == tokens.map { Optional($0) }
    }
}
