import Cloud
import Importing
import Media
import PhotoModel
import PhotoStore
import Platform

/// One pass over the assets whose bytes are still to be read, the newest first; what it did is kept as it goes.
///
/// It reads what is on the disk alone: an original that is in the cloud waits until it is here. What cannot be opened or
/// has changed meanwhile is passed over, and is there in the next pass.
struct FactsPass {
    /// So many are committed together, or those of a second.
    private static let batch = 128
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
        var result = FactsResult(work: work, reader: reader.version)
        if let before, before.isGivenUp || before.facts != nil {
            result.readings.add(before)
        } else if let kind = MediaKind(of: work.content), kind != .unknown {
            guard let reading = try read(work.content, { reader.read($0, kind) }) else { return nil }
            if case .unreadable(let reason) = reading {
                result.readings.add(
                    ContentReading(
                        hash: hash, reader: reader.version, facts: nil, unreadable: reason,
                        tries: (before?.tries ?? 0) + 1))
            } else if let text = reading.text {
                result.readings.add(text, of: hash)
            }
        } else if let text = FactsReading.emptyText {
            result.readings.add(text, of: hash)
        }
        try readSidecars(of: work.localIdentifier, &result.readings)
        return result
    }

    /// Those that were not read when they came; what cannot be read of one is not waited for.
    private func readSidecars(of asset: LocalIdentifier, _ readings: inout KnownReadings) throws {
        let resources = try readers.readNow { try $0.asset(asset)?.resources } ?? []
        for resource in resources where resource.type == .xmpSidecar || resource.type == .takeoutSidecar {
            guard let version = resource.versions.last else { continue }
            let (content, known) = (version.content, readings)
            guard try readers.readNow({ try known.text(of: content.hash, in: $0) }) == nil else { continue }
            if let text = try version.residency == .inCloud ? nil : text(of: content, resource.type) {
                readings.add(text, of: content.hash)
            } else {
                readings.unread.insert(content.hash)
            }
        }
    }

    private func text(of sidecar: Content, _ type: ResourceType) throws -> String? {
        if type == .xmpSidecar { return try read(sidecar, reader.readSidecar)?.text }
        guard sidecar.byteCount <= Int64(SidecarKind.byteLimit) else { return nil }
        return readBytes(of: sidecar) { file in
            let bytes = try? Platform.readBytes(
                file, files: machine.files, at: 0, count: Int(sidecar.byteCount))
            return bytes.flatMap(FactsReading.text(ofTakeout:))
        }
    }

    private func read(_ content: Content, _ body: (OpenFile) -> FactsReading) throws -> FactsReading? {
        let reading = readBytes(of: content, body)
        if case .unavailable(let obstacle) = reading { throw obstacle }
        return reading
    }

    /// Nil where the file cannot be opened, or is just being moved.
    private func readBytes<Value>(of content: Content, _ body: (OpenFile) -> Value?) -> Value? {
        func read() -> Value? { (try? library.directory.originals.open(content)).flatMap(body) }
        guard let tier else { return read() }
        return tier.unlessMoving(content.hash, read) ?? nil
    }

    /// Returns the rows of those that are as they were when they were read, or are no work for this pass any more.
    private func keep(_ results: [FactsResult]) throws -> Set<Int64> {
        guard !results.isEmpty else { return [] }
        return try library.onThread { library in
            try library.performChanges(origin: "facts") { change in
                var kept: Set<Int64> = []
                for result in results {
                    for reading in result.readings.fresh.values { try change.keep(reading) }
                    let row = result.work.row
                    guard let now = try change.catalogue.factsWork(in: row...row).first else {
                        kept.insert(row)
                        continue
                    }
                    guard now == result.work else { continue }
                    // Concluded now: a sidecar may have come meanwhile, and is read in the next pass.
                    if let asset = try change.catalogue.asset(result.work.localIdentifier),
                        let facts = try change.catalogue.factsChange(of: asset, result.readings, at: change.date)
                    {
                        try change.perform(.setFacts(facts))
                    }
                    kept.insert(row)
                }
                return kept
            }.value
        }
    }
}

/// What was read of one asset's files.
private struct FactsResult: Sendable {
    var work: FactsWork
    var readings: KnownReadings

    init(work: FactsWork, reader: Int) { (self.work, readings) = (work, KnownReadings(reader: reader)) }
}
