import Cloud
import FoundationEssentials
import Media
import MediaFacts
import PhotoModel
import PhotoStore
import Platform

/// One pass over the assets whose bytes are still to be read, the newest first; what it did is kept as it goes.
///
/// It reads what is on the disk alone: an original that is in the cloud waits until it is here. What cannot be opened or
/// has changed meanwhile is passed over, and is there in the next pass.
struct FactsPass {
    /// So many are committed together, or those of a second.
    private static let batch = 16
    private static let patience = Duration.seconds(1)
    /// Past that something else is wrong than with a file.
    private static let mostPassedOver = 100

    private let library: PhotoLibrary
    private let readers: LibraryReaders
    private let reader: FactsReader
    private let tier: CloudTier?
    private let goesOn: () -> Bool
    private var machine: Machine { library.machine }
    private var passedOver: Set<Int64> = []

    init(
        library: PhotoLibrary, readers: LibraryReaders, reader: FactsReader, tier: CloudTier?,
        goesOn: @escaping () -> Bool
    ) {
        (self.library, self.readers, self.reader, self.tier) = (library, readers, reader, tier)
        self.goesOn = goesOn
    }

    /// Reads until nothing is left that can be; throws `WorkerObstacle` where nothing can.
    mutating func run() throws {
        while goesOn(), passedOver.count <= Self.mostPassedOver {
            let work = try next()
            guard !work.isEmpty else { return }
            try take(work)
        }
    }

    private func next() throws -> [FactsWork] {
        let limit = Self.batch + passedOver.count
        let work = try readers.readNow { try $0.factsWork(in: 0...Int64.max, limit: limit) }
        return Array(work.filter { !passedOver.contains($0.row) }.prefix(Self.batch))
    }

    /// What was read before the reader failed is kept.
    private mutating func take(_ work: [FactsWork]) throws {
        let end = machine.uptime() + Self.patience
        var results: [FactsResult] = []
        let outcome = Result {
            for item in work where goesOn() && (machine.uptime() < end || results.isEmpty) {
                machine.giveWay()
                if let result = try read(item) { results.append(result) } else { passedOver.insert(item.row) }
            }
        }
        let kept = try keep(results)
        passedOver.formUnion(results.map(\.work.row).filter { !kept.contains($0) })
        try outcome.get()
    }

    /// Nil where the file cannot be read now: whether it is missing is for others to find.
    private func read(_ work: FactsWork) throws -> FactsResult? {
        let hash = work.content.hash
        let before = try readers.readNow { try $0.reading(of: hash) }.flatMap {
            $0.reader == reader.version ? $0 : nil
        }
        if let before, before.isGivenUp { return FactsResult(work: work, reading: before, facts: nil) }
        if let text = before?.facts { return try judged(work, text) }
        guard let kind = MediaKind(of: work.content), kind != .unknown else {
            return try judged(work, FactsResult.text(FileFacts()))
        }
        switch readBytes(of: work.content, kind) {
        case nil: return nil
        case .facts(let facts): return try judged(work, FactsResult.text(facts))
        case .unavailable(let obstacle): throw obstacle
        case .unreadable(let reason):
            let reading = ContentReading(
                hash: hash, reader: reader.version, facts: nil, unreadable: reason,
                tries: (before?.tries ?? 0) + 1)
            return FactsResult(work: work, reading: reading, facts: nil)
        }
    }

    /// Nil where the file cannot be opened, or is just being moved.
    private func readBytes(of content: Content, _ kind: MediaKind) -> FactsReading? {
        func read() -> FactsReading? {
            guard let file = try? library.directory.originals.open(content) else { return nil }
            return reader.read(file, kind)
        }
        guard let tier else { return read() }
        return tier.unlessMoving(content.hash, read) ?? nil
    }

    private func judged(_ work: FactsWork, _ text: String) throws -> FactsResult {
        let evidence = FactEvidence(
            kind: MediaKind(of: work.content) ?? .unknown, file: try FactsResult.facts(text),
            name: work.originalFilename.bytes,
            modified: work.creationDateSource == .modified ? work.creationDate : nil, now: machine.now())
        let reading = ContentReading(
            hash: work.content.hash, reader: reader.version, facts: text, unreadable: nil, tries: 1)
        // A zone that was proven stays, as long as the file says the same time and no zone.
        let proof = try readers.readNow { try $0.facts(of: work.localIdentifier)?.zoneProof }
        return FactsResult(work: work, reading: reading, facts: AssetFacts(judging: evidence).withZone(proof))
    }

    /// Returns the rows of those that are as they were when they were read, or are no work for this pass any more.
    private func keep(_ results: [FactsResult]) throws -> Set<Int64> {
        guard !results.isEmpty else { return [] }
        return try library.onThread { library in
            try library.performChanges(origin: "facts") { change in
                var kept: Set<Int64> = []
                for result in results {
                    try change.keep(result.reading)
                    let row = result.work.row
                    guard let now = try change.catalogue.factsWork(in: row...row).first else {
                        kept.insert(row)
                        continue
                    }
                    guard now == result.work else { continue }
                    if let request = result.request { try change.perform(request) }
                    kept.insert(row)
                }
                return kept
            }.value
        }
    }
}

/// What was read of one asset, and what follows.
private struct FactsResult: Sendable {
    var work: FactsWork
    var reading: ContentReading
    /// Nil where the file could not be read.
    var facts: AssetFacts?

    var request: ChangeRequest? {
        facts.map { facts in
            .setFacts(
                FactsChange(
                    of: work.localIdentifier, hash: work.content.hash, facts: facts, creationDate: work.creationDate,
                    creationDateSource: work.creationDateSource))
        }
    }

    static func text(_ facts: FileFacts) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(facts), as: UTF8.self)
    }

    static func facts(_ text: String) throws -> FileFacts {
        try JSONDecoder().decode(FileFacts.self, from: Data(text.utf8))
    }
}
