import PhotoModel

/// One album at some point of the history, kept by the rules by which the catalogue applies requests.
struct PastAlbum: Sendable {
    struct Member: Sendable, Equatable {
        var position: Int64
        var addedBy: AddedBy
    }

    var title: PathBytes
    private(set) var members: [LocalIdentifier: Member] = [:]
    private(set) var takenOut: Set<LocalIdentifier> = []
    private var last: Int64 = 0

    init(title: PathBytes) { self.title = title }

    mutating func add(_ asset: LocalIdentifier, by hand: AddedBy) {
        if hand == .folder, takenOut.contains(asset) || members[asset] != nil { return }
        takenOut.remove(asset)
        if members[asset] != nil {
            members[asset]?.addedBy = .person
        } else {
            place(asset, Member(position: last + 1, addedBy: hand))
        }
    }

    mutating func remove(_ asset: LocalIdentifier, by hand: AddedBy) {
        guard let member = members[asset], hand == .person || member.addedBy == .folder else { return }
        drop(asset)
        if hand == .person { takenOut.insert(asset) }
    }

    mutating func set(_ membership: AlbumMembership) {
        let asset = membership.asset
        if let position = membership.position, let addedBy = membership.addedBy {
            makeRoom(at: position, for: asset)
            place(asset, Member(position: position, addedBy: addedBy))
        } else {
            drop(asset)
        }
        if membership.isTakenOut { takenOut.insert(asset) } else { takenOut.remove(asset) }
    }

    /// It was deleted for good.
    mutating func forget(_ asset: LocalIdentifier) {
        drop(asset)
        takenOut.remove(asset)
    }

    private mutating func makeRoom(at position: Int64, for asset: LocalIdentifier) {
        guard members.contains(where: { $0.key != asset && $0.value.position == position }) else { return }
        for (other, member) in members where other != asset && member.position >= position {
            members[other]?.position += 1
        }
        last += 1
    }

    private mutating func place(_ asset: LocalIdentifier, _ member: Member) {
        let before = members.updateValue(member, forKey: asset)
        last = before == nil ? max(last, member.position) : members.values.map(\.position).max() ?? 0
    }

    private mutating func drop(_ asset: LocalIdentifier) {
        guard let member = members.removeValue(forKey: asset), member.position == last else { return }
        last = members.values.map(\.position).max() ?? 0
    }
}
