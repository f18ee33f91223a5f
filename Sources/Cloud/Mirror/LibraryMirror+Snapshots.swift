package import PhotoStore
package import Platform

/// The daily snapshots of the catalogue in the store: a restore begins from one, and needs no history from before it.
extension LibraryMirror {
    private static let kept = 3

    /// Brings a snapshot to the store where it is not there yet; older ones go when it is proven to be there.
    ///
    /// The history up to it has to be there before. Throws `MirrorError.damaged` where the store has other bytes.
    package func keep(_ snapshot: DailySnapshot, files: any FileVerbs) throws {
        let ours = MirrorSnapshot(token: snapshot.token, sha256: snapshot.sha256)
        let stored = try MirrorSnapshot.all(in: store).map(\.snapshot)
        if try !hasProven(ours.key, ours.sha256, in: store) {
            try put(snapshot, files: files)
        }
        for old in stored.filter({ $0.key != ours.key }).dropFirst(Self.kept - 1) { try store.delete(old.key) }
    }

    /// Writes a snapshot, over what is there under its name, and proves it.
    func put(_ snapshot: DailySnapshot, files: any FileVerbs) throws {
        let key = MirrorSnapshot(token: snapshot.token, sha256: snapshot.sha256).key
        let body = ObjectBody(snapshot.file, files: files, byteCount: snapshot.byteCount, sha256: snapshot.sha256)
        try putProven(key, body, in: store)
    }
}
