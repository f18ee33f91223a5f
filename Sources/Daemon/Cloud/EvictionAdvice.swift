import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// What lets an original go that has to stay.
extension EvictionRefusal {
    func fix(of asset: LocalIdentifier?, keptBy albums: [String]) -> String {
        let asset = asset.map { "\($0)" } ?? "ID"
        return switch self {
        case .pinned: "albumctl cloud unpin \(asset)"
        case .keptByAlbum where albums.isEmpty: "albumctl cloud rule ALBUM --none"
        case .keptByAlbum: albums.map { "albumctl cloud rule \($0) --none" }.joined(separator: "\n")
        case .inRecentlyDeleted: "albumctl trash restore \(asset), or wait until it is deleted for good"
        case .inUse: "try again when nobody reads it"
        case .damaged: "albumctl repair"
        case .unproven, .staleProof: "try again"
        case .clockFrozen: "see that the clock is right; albumd waits for a day of running"
        case .readOnly: "check the disk, then systemctl restart albumd"
        }
    }
}

extension Catalogue {
    /// An album as a command takes it: by its title, which a person knows, where no other has that, nor an option looks so.
    func operand(of album: Album) throws -> String {
        let (title, dash) = (album.title, UInt8(ascii: "-"))
        guard title.utf8.map({ LocalIdentifier($0) == nil }) == true, title.bytes.first != dash,
            try identifiersOfAlbums(titled: title).count == 1
        else { return "\(album.localIdentifier)" }
        return shellWord(title.bytes)
    }
}
