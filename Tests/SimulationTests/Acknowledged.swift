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
        for request in try changeRequests(fromHistory: line.changes) { try take(request) }
    }

    private mutating func take(_ request: ChangeRequest) throws {
        switch request {
        case .createAsset(let creation):
            guard contents[creation.localIdentifier] == nil else {
                throw Violation(rule: "I6", "\(creation.localIdentifier) was given out twice")
            }
            try add(creation.content.hash, to: creation.localIdentifier)
        case .addVersion(let addition): try add(addition.content.hash, to: addition.localIdentifier)
        case .addAssets(let addition) where addition.addedBy == .person:
            for asset in addition.assets {
                putIn.insert(Membership(album: addition.album, asset: asset))
                takenOut.remove(Membership(album: addition.album, asset: asset))
            }
        case .removeAssets(let removal) where removal.removedBy == .person:
            for asset in removal.assets {
                takenOut.insert(Membership(album: removal.album, asset: asset))
                putIn.remove(Membership(album: removal.album, asset: asset))
            }
        case .trashAssets(let trashing) where trashing.reason == .person: deleted.formUnion(trashing.assets)
        case .restoreAssets(let restoring): deleted.subtract(restoring.assets)
        case .purgeAsset(let purge):
            purged.insert(purge.localIdentifier)
            purgedContents.formUnion(purge.contents)
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
