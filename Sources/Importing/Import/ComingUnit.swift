import Media
import PhotoModel
import PhotoStore

/// The files of one unit: those that come, and the asset of those that are there.
struct ComingUnit {
    typealias Member = (resource: UnitResource, item: FreshItem)

    /// The one that the asset is shown by first, where it is one of them.
    let coming: [Member]
    let asset: LocalIdentifier?
    let isOrphan: Bool
    /// Whether it is a sidecar whose name means several files alike: no other file that comes is what it awaits.
    var isAmbiguous = false
    let awaited: AwaitedCompanion?
    let primaryType: ResourceType
    /// The file that the asset is shown by, where it lies in a folder.
    let primaryFile: SourceKey
    /// Those that are there, by a content of theirs.
    private let settled: [(resource: UnitResource, hash: ContentHash)]

    init(_ unit: MediaUnit, _ fresh: [SourceKey: FreshItem], _ near: Neighbourhood) {
        // A part of a file is no file of its own.
        let members = unit.resources.filter { $0.span == nil }
        coming = members.compactMap { resource in fresh[resource.file].map { (resource, $0) } }
        asset = members.lazy.compactMap { near.assets[$0.file] }.first
        (isOrphan, awaited, primaryType) = (unit.isOrphan, unit.awaited, unit.primary.type)
        primaryFile = unit.primary.file
        settled = members.compactMap { resource in near.hashes[resource.file].map { (resource, $0) } }
    }

    init(alone resource: UnitResource, _ item: FreshItem) {
        (coming, asset, isOrphan, awaited) = ([(resource, item)], nil, item.source.sidecar != nil, nil)
        (primaryType, primaryFile, settled) = (resource.type, resource.file, [])
    }

    /// What becomes something else, and why; nil is what the asset is shown by.
    func roles(in asset: Asset) -> [(role: ResourceRole, words: String?)] {
        settled.compactMap { member in
            let type = asset.resources.first { $0.has(member.hash) }?.type
            guard let type, type != member.resource.type else { return nil }
            return (ResourceRole(hash: member.hash, type: member.resource.type), member.resource.pairing?.words)
        }
    }

    /// Whether the asset has no two of one type then, sidecars aside.
    func fits(_ asset: Asset) -> Bool {
        let roles = roles(in: asset).map(\.role)
        var types = asset.resources.map { resource in
            roles.first { resource.has($0.hash) }?.type ?? resource.type
        }
        types += coming.filter { member in
            !asset.resources.contains { $0.has(member.item.source.staged.content.hash) }
        }.map(\.resource.type)
        let single = types.filter { !$0.canBeSeveral }
        return Set(single).count == single.count
    }
}
