import PhotoModel

/// Files and the units that they have come to so far, while a plan is made.
///
/// Who is with whom is decided by pairs, for what ties two files does not depend on which came first; what each of them
/// is there is up to `UnitLinks`, once all are together.
struct UnitBuilder {
    /// By place, each once.
    let files: [CandidateFile]
    private(set) var nearMisses: [NearMiss] = []
    private var missed: Set<[Int]> = []
    /// The number of the unit that a file is in.
    private var units: [Int]
    private var members: [Int: [Int]]
    /// Which asset that there is already a unit is.
    private var assets: [Int: Int] = [:]
    /// Of the files of assets that there are already what they are there.
    private var settled: [Int: ResourceType] = [:]
    /// Why two files that are tied did not come together.
    private var refusals: [[Int]: NearMiss.Reason] = [:]
    /// How often two units became one.
    private(set) var joinCount = 0

    init(_ files: [CandidateFile], settled assets: [MediaUnit]) {
        var seen: Set<SourceKey> = []
        self.files = files.sorted { $0.key < $1.key }.filter { seen.insert($0.key).inserted }
        units = Array(self.files.indices)
        members = Dictionary(uniqueKeysWithValues: self.files.indices.map { ($0, [$0]) })
        let places = Dictionary(uniqueKeysWithValues: self.files.enumerated().map { ($1.key, $0) })
        for (number, asset) in assets.enumerated() {
            var first: Int?
            for resource in asset.resources where resource.span == nil {
                guard let index = places[resource.file], settled[index] == nil else { continue }
                settled[index] = resource.type
                unite(index, first ?? index)
                first = index
                self.assets[units[index]] = number
            }
        }
    }

    /// All rules, in the order of how much they prove, until nothing comes together any more.
    mutating func join() {
        let places = numberedPlaces
        var count = -1
        while count != joinCount {
            count = joinCount
            for members in places { joinNumbered(members) }
            joinIdentified()
        }
        for members in places { noteApart(members) }
        joinSidecars()
    }

    /// Puts two files that are tied into one unit; false where both are assets, or where not all would have their place.
    @discardableResult
    mutating func join(_ companion: Int, to host: Int) -> Bool {
        let (mine, theirs) = (units[companion], units[host])
        guard mine != theirs else { return true }
        if let asset = assets[mine], let other = assets[theirs], asset != other {
            refusals[[companion, host]] = .bothAreAssets
            return false
        }
        let union = (members[mine, default: []] + members[theirs, default: []]).sorted()
        let links = UnitLinks(files, union, settled: settled)
        guard links.isWhole else {
            refusals[[companion, host]] = links.isOne || links.hosts[companion] == nil ? .companionTaken : .othersDoNot
            return false
        }
        unite(companion, host)
        joinCount += 1
        return true
    }

    private mutating func unite(_ one: Int, _ other: Int) {
        let (mine, theirs) = (units[one], units[other])
        guard mine != theirs else { return }
        for index in members[mine, default: []] { units[index] = theirs }
        members[theirs] = (members[theirs, default: []] + members[mine, default: []]).sorted()
        members[mine] = nil
        if let asset = assets.removeValue(forKey: mine) { assets[theirs] = asset }
    }

    /// Of two files the first reason is kept.
    mutating func miss(_ file: Int, _ other: Int, _ reason: NearMiss.Reason) {
        guard missed.insert([file, other]).inserted else { return }
        nearMisses.append(NearMiss(file: files[file].key, other: files[other].key, reason: reason))
    }

    /// Why two that are tied are apart nevertheless.
    func refusal(of companion: Int, by host: Int) -> NearMiss.Reason {
        refusals[[companion, host]] ?? .companionTaken
    }

    /// Whether it is of an asset that there is already.
    func isSettled(_ index: Int) -> Bool { settled[index] != nil }

    func areTogether(_ one: Int, _ other: Int) -> Bool { units[one] == units[other] }

    func hasCompanion(_ index: Int, where isMeant: (CandidateFile) -> Bool) -> Bool {
        members[units[index], default: []].contains { isMeant(files[$0]) }
    }

    /// What the files of each unit are, in the order of their primaries.
    func links() -> [UnitLinks] {
        let all = members.values.map { members in
            let links = UnitLinks(files, members, settled: settled)
            return links.isWhole ? links : UnitLinks(asTheyWere: files, members, settled: settled)
        }
        return all.sorted { ($0.primary ?? 0) < ($1.primary ?? 0) }
    }
}
