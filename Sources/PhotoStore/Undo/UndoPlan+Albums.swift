import PhotoModel
import Platform

/// Albums and who is in them.
extension UndoPlan {
    private var albums: [LocalIdentifier] { scope.albums.keys.sorted() }

    /// Albums that were removed come back, titles go back.
    mutating func undoAlbums() {
        for album in albums {
            let (before, after, now) = (basis.before.albums[album], basis.after.albums[album], basis.now.albums[album])
            guard let before else { continue }
            guard let after else {
                if now == nil { recreate(album, before) }
                continue
            }
            guard before.title != after.title else { continue }
            guard now?.title == after.title else {
                remarks.append("album '\(printable(after.title.bytes))' has another title or is gone since")
                continue
            }
            requests.append(.renameAlbum(AlbumRenaming(localIdentifier: album, title: before.title)))
        }
    }

    private mutating func recreate(_ album: LocalIdentifier, _ before: PastAlbum) {
        requests.append(.createAlbum(AlbumCreation(localIdentifier: album, title: before.title)))
        for (asset, _) in before.members.sorted(by: { $0.value.position < $1.value.position }) {
            requests.append(.setMembership(before.membership(of: asset, in: album)))
        }
        for asset in before.takenOut.sorted() where before.members[asset] == nil {
            requests.append(.setMembership(before.membership(of: asset, in: album)))
        }
    }

    /// New assets stay in the albums that they came into: that is where they are when they are restored.
    mutating func undoMemberships() {
        for album in albums where !goes(album) {
            guard let after = basis.after.albums[album] else { continue }
            guard let now = basis.now.albums[album] else {
                remarks.append("album '\(printable(after.title.bytes))' is gone since")
                continue
            }
            let before = basis.before.albums[album] ?? PastAlbum(title: after.title)
            let assets = (scope.albums[album] ?? []).subtracting(scope.created)
            for asset in assets.sorted(by: { before.place(of: $0) < before.place(of: $1) }) {
                undoMembership(of: asset, in: album, before, after, now)
            }
        }
    }

    private mutating func undoMembership(
        of asset: LocalIdentifier, in album: LocalIdentifier, _ before: PastAlbum, _ after: PastAlbum, _ now: PastAlbum
    ) {
        guard !before.hasAlike(asset, after), basis.now.assets[asset] != .purged else { return }
        guard now.hasAlike(asset, after) else {
            remarks.append("asset \(asset) was put into or taken out of '\(printable(now.title.bytes))' since")
            return
        }
        var membership = before.membership(of: asset, in: album)
        // Who only changed hands keeps the place.
        if membership.position != nil, let place = now.members[asset]?.position { membership.position = place }
        requests.append(.setMembership(membership))
    }

    /// Albums that the change made go, if nothing else is in them.
    mutating func deleteAlbums() {
        for album in albums where basis.before.albums[album] == nil && basis.after.albums[album] != nil {
            guard let now = basis.now.albums[album] else { continue }
            if goes(album) {
                requests.append(.deleteAlbum(AlbumDeletion(localIdentifier: album)))
            } else {
                remarks.append("album '\(printable(now.title.bytes))' stays: other photos are in it")
            }
        }
    }

    /// Whether a folder that was bound to an album by the change goes on with it: what else it put there must not be in
    /// another album than what comes next.
    func isInUse(_ album: LocalIdentifier) -> Bool {
        guard let after = basis.after.albums[album], let now = basis.now.albums[album] else { return false }
        guard basis.before.albums[album] != nil else { return !goes(album) }
        return now.members.contains { $0.value.addedBy == .folder && after.members[$0.key] == nil }
    }

    /// Whether the change made it, and nothing that stays is in it.
    func goes(_ album: LocalIdentifier) -> Bool {
        guard basis.before.albums[album] == nil, basis.after.albums[album] != nil, let now = basis.now.albums[album]
        else { return false }
        let members = Set(now.members.keys)
        return members.isSubset(of: scope.albums[album] ?? []) && !members.contains(where: isKept)
    }
}

extension PastAlbum {
    fileprivate func membership(of asset: LocalIdentifier, in album: LocalIdentifier) -> AlbumMembership {
        AlbumMembership(
            album: album, asset: asset, position: members[asset]?.position, addedBy: members[asset]?.addedBy,
            isTakenOut: takenOut.contains(asset))
    }

    /// Whether an asset is in both by the same hand, or in neither for the same reason, wherever it stands.
    fileprivate func hasAlike(_ asset: LocalIdentifier, _ other: PastAlbum) -> Bool {
        members[asset]?.addedBy == other.members[asset]?.addedBy
            && takenOut.contains(asset) == other.takenOut.contains(asset)
    }

    /// Lower places first, so that they make room for those behind them.
    fileprivate func place(of asset: LocalIdentifier) -> Int64 { members[asset]?.position ?? 0 }
}
