import FoundationEssentials
import Media
import PhotoModel
import PhotoStore

/// What the catalogue has near some files that came: assets that they can be a part of.
struct Neighbourhood {
    /// The files of these assets, each once, whether they are still in their folder or not.
    private(set) var files: [CandidateFile] = []
    private(set) var units: [MediaUnit] = []
    /// By the files of their units.
    private(set) var assets: [SourceKey: LocalIdentifier] = [:]
    /// Which content a file of a unit has.
    private(set) var hashes: [SourceKey: ContentHash] = [:]

    /// Sidecars that were passed over before, near a photo or a video that came.
    private(set) var passedOver: Set<SourceKey> = []

    /// Beside which files of photos in Recently Deleted a photo or a video came: nothing joins those.
    private(set) var trashed: [SourceKey: SourceKey] = [:]

    private let catalogue: Catalogue
    private let readings: KnownReadings
    /// Files that came, and are no asset's yet.
    private let fresh: Set<SourceKey>
    private var seen: Set<LocalIdentifier> = []

    /// Of those that were found to be `alone` just now the catalogue is not asked again.
    init(
        of items: [StagedSource], alone: Set<SourceKey>, _ readings: KnownReadings, in catalogue: Catalogue
    ) throws {
        (self.catalogue, self.readings) = (catalogue, readings)
        fresh = Set(items.map(\.key))
        for item in items { try add(around: item, isAlone: alone.contains(item.key)) }
    }

    private mutating func add(around item: StagedSource, isAlone: Bool) throws {
        for source in try isAlone ? [] : catalogue.sources(near: item.key) {
            if let asset = source.localIdentifier { try add(asset, seenFrom: item.key) }
            if item.kind != nil, source.key != item.key, try catalogue.isOfTrashed(source) {
                trashed[item.key] = source.key
            }
            if item.kind != nil, try catalogue.isSidecarPassedOver(source) { passedOver.insert(source.key) }
        }
        let identifier = try item.facts(readings, in: catalogue)?.contentIdentifier
        for asset in try identifier.map({ try catalogue.assets(havingContentIdentifier: $0, limit: 16) }) ?? [] {
            try add(asset, seenFrom: item.key)
        }
    }

    private mutating func add(_ identifier: LocalIdentifier, seenFrom key: SourceKey) throws {
        guard seen.insert(identifier).inserted, let asset = try catalogue.asset(identifier), asset.state == .live,
            asset.mediaType != .unknown
        else { return }
        let sources = try catalogue.sources(of: identifier).sorted { $0.key.isNear(key) && !$1.key.isNear(key) }
        let resources = asset.resources.compactMap { unitResource($0, of: asset, sources) }
        guard !resources.isEmpty else { return }
        units.append(MediaUnit(resources: resources.map(\.unit)))
        for (unit, resource) in resources {
            assets[unit.file] = identifier
            hashes[unit.file] = resource.versions.last?.content.hash
            guard !fresh.contains(unit.file) else { continue }
            files.append(CandidateFile(key: unit.file, role: resource.role, facts: try facts(of: resource)))
        }
    }

    /// Nil where the only file of it has other bytes by now.
    private func unitResource(
        _ resource: Resource, of asset: Asset, _ sources: [Source]
    ) -> (unit: UnitResource, resource: Resource)? {
        let own = sources.filter { $0.evidence?.hash.map(resource.has) == true }
        // A sidecar that was written anew is the same sidecar; a picture is not.
        let left = own.filter { !fresh.contains($0.key) || resource.type.mediaType == nil }
        if left.isEmpty, !own.isEmpty { return nil }
        let made = SourceKey(
            folder: asset.localIdentifier.uuid,
            path: PathBytes("\(resource.type.rawValue)/").appendingName(of: resource))
        return (UnitResource(file: left.first?.key ?? made, type: resource.type), resource)
    }

    private func facts(of resource: Resource) throws -> AssetFacts {
        guard resource.type.mediaType != nil else { return AssetFacts() }
        for version in resource.versions.reversed() {
            if let facts = try catalogue.facts(of: version.content, readings) { return facts }
        }
        return AssetFacts()
    }
}

extension Catalogue {
    /// The sources beside a file whose names can belong to its own, and its own.
    func sources(near key: SourceKey) throws -> [Source] {
        let names = NeighbourNames(of: key.path.name.bytes)
        let isSidecar = SidecarKind(named: key.path.name.bytes) != nil
        let directory = key.path.directory
        var found: [SourceKey: Source] = [:]
        func add(from start: [UInt8], below end: [UInt8], limit: Int) throws {
            let (start, end) = (directory.appending(start), directory.appending(end))
            for source in try sources(in: key.folder, from: start, below: end, limit: limit) {
                found[source.key] = source
            }
        }
        for stem in names.stems {
            // `IMG.` and all behind it, but not `IMG/`.
            try add(from: stem + [UInt8(ascii: ".")], below: stem + [UInt8(ascii: "/")], limit: 64)
            // And `IMG` itself: only a sidecar speaks of what has no suffix.
            if isSidecar { try add(from: stem, below: stem + [0], limit: 1) }
        }
        if let beginning = names.beginning { try add(from: beginning, below: beginning + [0xFF], limit: 64) }
        return found.values.sorted { $0.key < $1.key }.filter { $0.key.isNear(key) }
    }

    /// Sidecars that were passed over, or whose photo was deleted for good, beside a photo or a video that came.
    func sidecarsPassedOver(near key: SourceKey) throws -> Set<SourceKey> {
        Set(try sources(near: key).filter { try isSidecarPassedOver($0) }.map(\.key))
    }

    fileprivate func isOfTrashed(_ source: Source) throws -> Bool {
        try source.localIdentifier.flatMap { try asset($0)?.state } == .trashed
            && SidecarKind(named: source.key.path.name.bytes) == nil
    }

    /// Whether it was skipped by its bytes, and has a sidecar's name; or is of an asset that is no more.
    fileprivate func isSidecarPassedOver(_ source: Source) throws -> Bool {
        guard SidecarKind(named: source.key.path.name.bytes) != nil else { return false }
        guard let asset = source.localIdentifier else {
            return source.outcome == .skipped && source.reason == .notMedia
        }
        return try source.isPresent && self.asset(asset)?.state == .purged
    }

    /// What one content says of itself, without any sidecar; nil where it was not read.
    func facts(of content: Content, _ readings: KnownReadings) throws -> AssetFacts? {
        guard let kind = MediaKind(of: content), let text = try readings.text(of: content.hash, in: self) else {
            return nil
        }
        return AssetFacts(judging: FactsTexts(kind, primary: text), name: nil, modified: nil, now: .distantFuture)
    }
}

extension StagedSource {
    /// What it says of itself; nil where it was not read.
    func facts(_ readings: KnownReadings, in catalogue: Catalogue) throws -> AssetFacts? {
        try kind == nil ? nil : catalogue.facts(of: staged.content, readings)
    }
}

extension SourceKey {
    /// Whether both lie in one directory.
    func isNear(_ other: SourceKey) -> Bool { folder == other.folder && path.directory == other.path.directory }
}

extension Resource {
    fileprivate var role: CandidateFile.Role {
        switch type {
        case .xmpSidecar: .sidecar(.xmp)
        case .takeoutSidecar: .sidecar(.takeout)
        case .adjustmentData: .sidecar(.adjustment)
        default: .media(versions.last.flatMap { MediaKind(of: $0.content) } ?? .unknown)
        }
    }
}

extension PathBytes {
    /// No file's path: of a file that lies in no folder.
    fileprivate func appendingName(of resource: Resource) -> PathBytes {
        appending(Array((resource.versions.first?.content.hash.hexadecimal ?? "").utf8))
            .appending(resource.originalFilename.bytes)
    }
}
