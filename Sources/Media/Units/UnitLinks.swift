import PhotoModel

/// What the files of one unit are among themselves: a function of which they are, never of the order they came in.
///
/// A file has one host at most, and a host one companion of a kind. Links lead from movies to pictures, from edits to
/// originals, from RAW to pictures and from sidecars to media, so that they never come back.
struct UnitLinks {
    let files: [CandidateFile]
    /// By place.
    let members: [Int]
    /// What those were that are of an asset that there is already.
    let settled: [Int: ResourceType]
    private(set) var hosts: [Int: Link] = [:]
    private var taken: Set<Slot> = []

    struct Link {
        var host: Int
        var pairing: Pairing
        /// Only where it was settled before.
        var type: ResourceType?
    }

    private struct Slot: Hashable {
        var host: Int
        var name: String
    }

    /// All rules, in the order of how much they prove.
    init(_ files: [CandidateFile], _ members: [Int], settled: [Int: ResourceType]) {
        (self.files, self.members, self.settled) = (files, members, settled)
        guard members.count > 1 else { return }
        linkEdits { $0.isVideo }
        linkLivePhotos()
        linkRAW()
        linkEdits { $0.isPicture }
        gather()
        linkSidecars()
    }

    /// As they were, where the rules, which may know other facts now, make two of them one type.
    init(asTheyWere files: [CandidateFile], _ members: [Int], settled: [Int: ResourceType]) {
        (self.files, self.members, self.settled) = (files, members, settled)
        gather()
        linkSidecars()
    }

    /// Whether every file has its place: one that nothing ties to the others is an asset of its own, and an asset has
    /// one resource of a type, sidecars aside.
    var isWhole: Bool {
        let media = media
        return isOne && Set(media.map { type(of: $0) }).count == media.count
    }

    /// Whether all are tied to the file that the unit is shown by.
    var isOne: Bool { media.count { hosts[$0] == nil } < 2 }

    /// The file that the unit is shown by.
    var primary: Int? { members.first { hosts[$0] == nil } }

    var media: [Int] { members.filter { files[$0].kind != nil } }

    mutating func link(_ companion: Int, to host: Int, _ pairing: Pairing, slot: String) {
        guard hosts[companion] == nil, taken.insert(Slot(host: host, name: slot)).inserted else { return }
        hosts[companion] = Link(host: host, pairing: pairing)
    }

    func isFree(_ host: Int, slot: String) -> Bool { !taken.contains(Slot(host: host, name: slot)) }

    /// The end of the links.
    private func root(of index: Int) -> Int {
        var index = index
        while let link = hosts[index] { index = link.host }
        return index
    }

    /// Puts what no rule ties to the others any more to the first of its asset, as what it was.
    private mutating func gather() {
        let media = media
        var ranks: [Int: Int] = [:]
        for index in media {
            let rank = (settled[index] ?? ownType(of: index)).rawValue
            let root = root(of: index)
            ranks[root] = min(ranks[root] ?? rank, rank)
        }
        guard ranks.count > 1, let first = ranks.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else {
            return
        }
        for root in ranks.keys where root != first {
            guard let type = settled[root] else { continue }
            hosts[root] = Link(host: first, pairing: .settled, type: type)
        }
    }

    private mutating func linkSidecars() {
        guard let host = media.first(where: { hosts[$0] == nil }) ?? members.first else { return }
        for index in members where index != host {
            if let kind = files[index].sidecar { hosts[index] = Link(host: host, pairing: .sidecar(kind)) }
        }
    }
}

/// What a file is in its unit.
extension UnitLinks {
    /// By its link and by what its host is.
    func type(of index: Int) -> ResourceType {
        guard let link = hosts[index] else { return ownType(of: index) }
        switch link.pairing {
        case .contentIdentifier, .sameMoment, .sameFile:
            // Where the original has no place for it by its identifier, its movie is the edit's companion.
            let isOriginals = files[link.host].isNamedAsEdit(of: files[index].place)
            return type(of: link.host) == .fullSizePhoto && !isOriginals ? .fullSizePairedVideo : .pairedVideo
        case .sameShutter: return .alternatePhoto
        case .edit where files[index].isVideo:
            return type(of: link.host) == .pairedVideo ? .fullSizePairedVideo : .fullSizeVideo
        case .edit: return .fullSizePhoto
        case .sidecar(let kind): return kind.resourceType
        case .settled: return link.type ?? ownType(of: index)
        }
    }

    private func ownType(of index: Int) -> ResourceType {
        files[index].sidecar?.resourceType ?? (files[index].isVideo ? .video : .photo)
    }
}
