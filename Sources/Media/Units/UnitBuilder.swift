import PhotoModel

/// Files and the links from companions to their hosts, while a plan is made.
///
/// A file has one host at most, and a host one companion of a kind. Links lead from movies to pictures, from edits to
/// originals, from RAW to pictures and from sidecars to media, so that they never come back.
struct UnitBuilder {
    /// By place, each once.
    let files: [CandidateFile]
    private(set) var hosts: [Int: Link] = [:]
    private(set) var nearMisses: [NearMiss] = []
    private var missed: Set<[Int]> = []
    private var taken: Set<Slot> = []
    /// Of the files of one asset that there is already, its number.
    private let assets: [SourceKey: Int]
    /// Which asset a file has come to by its links.
    private var joined: [Int: Int] = [:]

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

    init(_ files: [CandidateFile], settled: [MediaUnit]) {
        var seen: Set<SourceKey> = []
        self.files = files.sorted { $0.key < $1.key }.filter { seen.insert($0.key).inserted }
        assets = Dictionary(
            settled.enumerated().flatMap { number, unit in unit.files.map { ($0, number) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// All rules, in the order of how much they prove.
    mutating func link(among indices: [Int]) {
        linkLivePhotos(among: indices)
        linkRAW(among: indices)
        linkEdits(among: indices)
        linkSidecars(among: indices)
    }

    /// Each asset's own files first, by the rules where they still say so, else because they were together.
    mutating func linkSettled(_ settled: [MediaUnit]) {
        let places = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1.key, $0) })
        for unit in settled {
            let members = unit.resources.filter { $0.span == nil }.compactMap { resource in
                places[resource.file].map { (index: $0, type: resource.type) }
            }
            link(among: members.map(\.index).sorted())
            gather(members)
            guard haveDuplicates(members.map(\.index)) else { continue }
            for member in members { hosts[member.index] = nil }
            gather(members)
        }
    }

    /// Puts those without a host to the first of them, as what they were.
    private mutating func gather(_ members: [(index: Int, type: ResourceType)]) {
        let roots = members.filter { hosts[$0.index] == nil }
        guard let root = roots.min(by: { ($0.type.rawValue, $0.index) < ($1.type.rawValue, $1.index) }) else { return }
        for member in roots where member.index != root.index {
            hosts[member.index] = Link(host: root.index, pairing: .settled, type: member.type)
        }
    }

    /// Whether the rules, which may know other facts now, make two of them one type: then they are what they were.
    private func haveDuplicates(_ members: [Int]) -> Bool {
        let media = members.filter { files[$0].kind != nil }
        return Set(media.map { type(of: $0) }).count < media.count
    }

    /// Puts a companion to its host; false, with a near miss, where the host has such a companion or both are assets.
    @discardableResult
    mutating func link(_ companion: Int, to host: Int, _ pairing: Pairing, slot: String? = nil) -> Bool {
        guard companion != host, hosts[companion] == nil, root(of: host) != companion else { return false }
        if let slot, taken.contains(Slot(host: host, name: slot)) {
            miss(companion, host, .companionTaken)
            return false
        }
        let (mine, theirs) = (asset(of: companion), asset(of: host))
        if let mine, let theirs, mine != theirs {
            miss(companion, host, .bothAreAssets)
            return false
        }
        if let slot { taken.insert(Slot(host: host, name: slot)) }
        hosts[companion] = Link(host: host, pairing: pairing)
        if let asset = mine ?? theirs { joined[root(of: host)] = asset }
        return true
    }

    mutating func unlink(_ companion: Int) { hosts[companion] = nil }

    /// Of two files the first reason is kept.
    mutating func miss(_ file: Int, _ other: Int, _ reason: NearMiss.Reason) {
        guard missed.insert([file, other]).inserted else { return }
        nearMisses.append(NearMiss(file: files[file].key, other: files[other].key, reason: reason))
    }

    /// Whether it is of an asset that there is already.
    func isSettled(_ index: Int) -> Bool { assets[files[index].key] != nil }

    func isTaken(_ host: Int, slot: String) -> Bool { taken.contains(Slot(host: host, name: slot)) }

    /// The end of the links: the primary.
    func root(of index: Int) -> Int {
        var index = index
        while let link = hosts[index] { index = link.host }
        return index
    }

    private func asset(of index: Int) -> Int? {
        assets[files[index].key] ?? joined[root(of: index)] ?? assets[files[root(of: index)].key]
    }
}
