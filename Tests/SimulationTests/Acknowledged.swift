import PhotoModel
import PhotoStore

/// What the library told its clients, change by change.
struct Acknowledged {
    private(set) var token: Int64 = 0
    /// Every content of every asset.
    private(set) var contents: [LocalIdentifier: Set<ContentHash>] = [:]
    /// The asset that a content came in as first.
    private(set) var firstAsset: [ContentHash: LocalIdentifier] = [:]
    /// Members that a person took out and did not put back.
    private(set) var takenOut: Set<Membership> = []
    private(set) var putIn: Set<Membership> = []
    /// Assets that a person deleted and did not take back.
    private(set) var deleted: Set<LocalIdentifier> = []
    private(set) var purged: Set<LocalIdentifier> = []
    private(set) var purgedContents: Set<ContentHash> = []
    /// Members that an undo made neither: a folder may put them in again, and need not.
    private(set) var undecided: Set<Membership> = []
    /// Assets whose album an undo deleted: their files stay where they are, and no album waits for them.
    private(set) var albumless: Set<LocalIdentifier> = []
    private var members: [LocalIdentifier: Set<LocalIdentifier>] = [:]
    /// What clients called assets.
    private(set) var externals: [String: LocalIdentifier] = [:]
    /// Files that were erased because `safe --release` said that they may be, and whose photos must stay.
    var erased: [SourceKey: LocalIdentifier] = [:]
    /// Sources that move mode removed, and their contents.
    var removed: [PathBytes] = []
    var released: Set<ContentHash> = []

    struct Membership: Hashable {
        var album: LocalIdentifier
        var asset: LocalIdentifier
    }

    mutating func take(_ line: HistoryLine) throws {
        guard line.token > token else { return }
        token = line.token
        let isUndo = line.origin.hasPrefix("undo ")
        let requests = try changeRequests(fromHistory: line.changes)
        if !isUndo { try checkReleases(requests) }
        for request in requests {
            try take(request, isUndo: isUndo)
            takeMembership(request)
            takeExternal(request)
            if isUndo { forgetErasure(request) }
        }
    }

    private mutating func take(_ request: ChangeRequest, isUndo: Bool) throws {
        switch request {
        case .createAsset(let creation):
            guard contents[creation.localIdentifier] == nil else {
                throw Violation(rule: "I6", "\(creation.localIdentifier) was given out twice")
            }
            try add(creation.content.hash, to: creation.localIdentifier)
        case .addResource(let addition) where addition.resourceType.canBeSeveral:
            contents[addition.localIdentifier, default: []].insert(addition.content.hash)
        case .addVersion(let addition) where addition.resourceType.canBeSeveral:
            contents[addition.localIdentifier, default: []].insert(addition.content.hash)
        case .addResource(let addition): try add(addition.content.hash, to: addition.localIdentifier)
        case .addVersion(let addition): try add(addition.content.hash, to: addition.localIdentifier)
        case .trashAssets(let trashing):
            // Whatever it was deleted for before: a person deletes it now who undoes that it was taken back.
            if trashing.reason == .person || isUndo { deleted.formUnion(trashing.assets) }
            if !isUndo, trashing.reason.followsSource, let asset = trashing.assets.first(where: erased.values.contains)
            {
                throw Violation(rule: "R35", "\(asset) went with a file that was released for erasing")
            }
            erased = erased.filter { !trashing.assets.contains($0.value) }
        case .restoreAssets(let restoring): deleted.subtract(restoring.assets)
        case .purgeAsset(let purge):
            purged.insert(purge.localIdentifier)
            purgedContents.formUnion(purge.contents)
        default: break
        }
    }

    /// Who is in an album, and who was taken out of it, is a person's word, and an undo's.
    private mutating func takeMembership(_ request: ChangeRequest) {
        switch request {
        case .addAssets(let addition):
            let members = addition.assets.map { Membership(album: addition.album, asset: $0) }
            undecided.subtract(members)
            self.members[addition.album, default: []].formUnion(addition.assets)
            if addition.addedBy == .person {
                takenOut.subtract(members)
                putIn.formUnion(members)
            }
        case .removeAssets(let removal) where removal.removedBy == .person:
            let members = removal.assets.map { Membership(album: removal.album, asset: $0) }
            takenOut.formUnion(members)
            putIn.subtract(members)
        case .setMembership(let value): take(value)
        case .deleteAlbum(let deletion):
            takenOut = takenOut.filter { $0.album != deletion.localIdentifier }
            putIn = putIn.filter { $0.album != deletion.localIdentifier }
            undecided = undecided.filter { $0.album != deletion.localIdentifier }
            albumless.formUnion(members[deletion.localIdentifier] ?? [])
        default: break
        }
    }

    private mutating func take(_ value: AlbumMembership) {
        let member = Membership(album: value.album, asset: value.asset)
        takenOut.remove(member)
        putIn.remove(member)
        undecided.remove(member)
        if value.position != nil { members[value.album, default: []].insert(value.asset) }
        if value.isTakenOut {
            takenOut.insert(member)
        } else if value.position == nil {
            undecided.insert(member)
        } else if value.addedBy == .person {
            putIn.insert(member)
        }
    }

    private mutating func takeExternal(_ request: ChangeRequest) {
        switch request {
        case .bindExternal(let binding): externals[binding.externalIdentifier] = binding.localIdentifier
        case .releaseExternal(let release): externals[release.externalIdentifier] = nil
        default: break
        }
    }

    /// A release ends where its row does, and only if the file itself went on under another name, or with other bytes.
    private mutating func checkReleases(_ requests: [ChangeRequest]) throws {
        for case .forgetSource(let key) in requests {
            guard let asset = erased.removeValue(forKey: key) else { continue }
            let isGoneOn = requests.contains { request in
                guard case .recordSource(let source) = request else { return false }
                return source.localIdentifier == asset && (source.isReleased || source.reason == .edited)
            }
            guard isGoneOn else { throw Violation(rule: "R35", "the release of \(key.path) for erasing is forgotten") }
        }
    }

    /// An undo takes the release back with the row that had it.
    private mutating func forgetErasure(_ request: ChangeRequest) {
        switch request {
        case .recordSource(let source): erased[source.key] = nil
        case .forgetSource(let key): erased[key] = nil
        default: break
        }
    }

    private mutating func add(_ hash: ContentHash, to asset: LocalIdentifier) throws {
        contents[asset, default: []].insert(hash)
        if let first = firstAsset[hash], first != asset, !purged.contains(first) {
            throw Violation(rule: "I8", "\(hash) is \(first)'s and was made \(asset)'s, too")
        }
        firstAsset[hash] = asset
    }
}
