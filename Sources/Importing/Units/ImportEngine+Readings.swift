import Media
import PhotoModel
import PhotoStore
import Platform

/// Before a batch is committed: what its pairing depends on is read from the staged bytes.
///
/// All other files are read later, in the background, so that a card full of photos is as fast as before: videos, HEIC and
/// Apple's JPEG, which are halves of Live Photos, are read at once, others where a file is near that they may belong to,
/// or whose place they take.
extension ImportEngine {
    /// So long a batch is read; what is left is read later, and what it would have proved is not.
    private static let patience = Duration.seconds(15)

    func read(_ staged: [StagedSource]) throws -> KnownReadings {
        var reader = StagedReader(
            facts, originals: library.directory.originals, until: machine.uptime() + Self.patience)
        guard reader.canRead else { return reader.readings }
        let wanted = try indicesToRead(of: staged, &reader)
        for index in wanted.sorted() { try read(staged[index], &reader) }
        // A movie of a Live Photo whose picture has another name.
        let movies = try staged.filter { item in
            try item.kind?.mediaType == .video && item.facts(reader.readings, in: self.reader)?.contentIdentifier != nil
        }
        let directories = Set(movies.map(\.directory))
        for (index, item) in staged.enumerated() where item.kind?.mediaType == .image && !wanted.contains(index) {
            if directories.contains(item.directory) || awaited.hasMovie(in: item.directory) { try read(item, &reader) }
        }
        return reader.readings
    }

    private func indicesToRead(of staged: [StagedSource], _ reader: inout StagedReader) throws -> Set<Int> {
        var wanted: Set<Int> = []
        let groups = Dictionary(grouping: staged.indices.filter { staged[$0].kind != nil }) { index in
            SourceKey(
                folder: staged[index].key.folder,
                path: staged[index].key.path.directory.appending(
                    NeighbourNames(of: staged[index].key.path.name.bytes).common))
        }
        for group in groups.values where group.count > 1 { wanted.formUnion(group) }
        for (index, item) in staged.enumerated() {
            guard item.kind != nil || item.sidecar == .xmp || item.sidecar == .takeout else { continue }
            if item.sidecar != nil || item.isMadeForLivePhotos { wanted.insert(index) }
            guard item.kind != nil else { continue }
            let near = try self.reader.sources(near: item.key)
            if near.isEmpty { reader.readings.alone.insert(item.key) }
            for source in near {
                guard let hash = source.evidence?.hash, source.localIdentifier != nil,
                    let version = try self.reader.version(of: hash), let kind = MediaKind(of: version.content)
                else { continue }
                wanted.insert(index)
                guard version.residency != .inCloud, hash != item.staged.content.hash else { continue }
                try read(version.content, kind, &reader)
            }
        }
        return wanted
    }

    /// Of an original that is there.
    private func read(_ content: Content, _ kind: MediaKind, _ reader: inout StagedReader) throws {
        guard try reader.readings.text(of: content.hash, in: self.reader) == nil, hasTime(reader) else { return }
        reader.read(content, kind)
    }

    private func read(_ item: StagedSource, _ reader: inout StagedReader) throws {
        guard try reader.readings.text(of: item.staged.content.hash, in: self.reader) == nil, hasTime(reader) else {
            return
        }
        reader.read(item, files: machine.files)
    }

    private func hasTime(_ reader: StagedReader) -> Bool { reader.canRead && machine.uptime() < reader.end }
}

/// Reads staged bytes and originals, until nothing can be read or the time is over.
struct StagedReader {
    var readings = KnownReadings()
    private(set) var canRead: Bool
    let end: Duration
    private let facts: FactsPort?
    private let originals: Originals

    init(_ facts: FactsPort?, originals: Originals, until end: Duration) {
        (self.facts, self.originals, self.end) = (facts, originals, end)
        canRead = facts != nil
    }

    /// A file that cannot be read costs its own facts alone.
    mutating func read(_ item: StagedSource, files: any FileVerbs) {
        guard let facts, let file = try? item.staged.staged.openForReading() else { return }
        let hash = item.staged.content.hash
        switch item.role {
        case .media(let kind): take(kind == .unknown ? nil : facts.read(file, kind), of: hash)
        case .sidecar(.xmp): take(facts.readSidecar(file), of: hash)
        case .sidecar(.takeout):
            let bytes = try? readBytes(file, files: files, at: 0, count: Int(item.staged.content.byteCount))
            if let text = bytes.flatMap(FactsReading.text(ofTakeout:)) { readings.add(text, of: hash) }
        case .sidecar(.adjustment): break
        }
    }

    mutating func read(_ content: Content, _ kind: MediaKind) {
        guard let facts, kind != .unknown, let file = try? originals.open(content) else { return }
        take(facts.read(file, kind), of: content.hash)
    }

    private mutating func take(_ reading: FactsReading?, of hash: ContentHash) {
        if case .unavailable = reading { canRead = false }
        if let text = reading?.text { readings.add(text, of: hash) }
    }
}

extension StagedSource {
    fileprivate var directory: SourceKey { SourceKey(folder: key.folder, path: key.path.directory) }
}
