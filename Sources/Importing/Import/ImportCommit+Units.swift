import Media
import PhotoModel
import PhotoStore
import Platform

/// New files that are one asset, or a part of one that there is.
extension ImportCommit {
    /// One directory after the other, each with what the catalogue knows near its files.
    func importUnits(_ items: [FreshItem], in change: inout Change, _ result: inout ImportedBatch) throws {
        // What was found out before holds as long as no file was given another place since.
        let alone = result.outcomes.isEmpty ? readings.alone : []
        let directories = Dictionary(grouping: items) {
            SourceKey(folder: $0.key.folder, path: $0.key.path.directory)
        }
        for group in directories.values.sorted(by: { ($0.first?.order ?? 0) < ($1.first?.order ?? 0) }) {
            let near = try Neighbourhood(
                of: group.map(\.source), alone: alone, readings, in: change.catalogue)
            let candidates = try group.map { item in
                CandidateFile(
                    key: item.key, role: item.source.role,
                    facts: try item.source.facts(readings, in: change.catalogue) ?? AssetFacts())
            }
            let plan = UnitPlan(near.files + candidates, settled: near.units)
            let fresh = Dictionary(group.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            let ambiguous = Set(plan.nearMisses.filter { $0.reason == .ambiguousName }.map(\.file))
            var done: Set<SourceKey> = []
            for item in group where !done.contains(item.key) {
                guard let unit = plan.unit(of: item.key) else { continue }
                done.formUnion(unit.files)
                var coming = ComingUnit(unit, fresh, near)
                coming.isAmbiguous = !ambiguous.isDisjoint(with: unit.files)
                try perform(coming, in: &change, &result)
            }
            try take(up: near.passedOver, in: &change, &result)
            for (key, other) in near.trashed.sorted(by: { $0.key < $1.key }) {
                let name = printable(other.path.name.bytes)
                change.tell("beside '\(name)' it is apart, for the photo of that is in Recently Deleted", of: key)
            }
            tell(plan.nearMisses.filter { fresh[$0.file] != nil || fresh[$0.other] != nil }, in: &change)
        }
    }

    private func perform(_ unit: ComingUnit, in change: inout Change, _ result: inout ImportedBatch) throws {
        guard !unit.isOrphan else { return try wait(unit, in: &change, &result) }
        guard let identifier = unit.asset, let asset = try change.catalogue.asset(identifier) else {
            return try create(unit, in: &change, &result)
        }
        guard unit.fits(asset) else { return try separate(unit, in: &change, &result) }
        try arrange(unit, of: asset, in: &change)
        for (resource, item) in unit.coming { try add(item, as: resource, to: identifier, in: &change, &result) }
        note(unit, identifier, &result)
    }

    private func create(_ unit: ComingUnit, in change: inout Change, _ result: inout ImportedBatch) throws {
        let identifier = LocalIdentifier(makeUUID())
        for (resource, item) in unit.coming {
            if resource.pairing == nil {
                var creation = creation(of: item.source, as: identifier, at: change.date)
                creation.resourceType = resource.type
                let before = try change.catalogue.source(item.key)
                try change.perform(.createAsset(creation))
                try take(
                    try record(
                        item.source, identifier, .imported, item.replaced == nil ? .newContent : .sourceReplaced,
                        [before].compactMap { $0 }, in: &change), of: item, in: &change, &result)
            } else {
                try add(item, as: resource, to: identifier, in: &change, &result)
            }
        }
        note(unit, identifier, &result)
    }

    /// What the rules would put to an asset that has such a file already; as they are sound, there is none.
    private func separate(_ unit: ComingUnit, in change: inout Change, _ result: inout ImportedBatch) throws {
        for (resource, item) in unit.coming {
            var alone = resource
            (alone.type, alone.pairing) = (item.source.resourceType, item.source.sidecar.map(Pairing.sidecar))
            try perform(ComingUnit(alone: alone, item), in: &change, &result)
        }
    }

    /// Those that are something else since another came: a movie that came before its picture.
    private func arrange(_ unit: ComingUnit, of asset: Asset, in change: inout Change) throws {
        let roles = unit.roles(in: asset)
        let mediaType: MediaType = unit.primaryType == .video ? .video : .image
        guard !roles.isEmpty || asset.mediaType != mediaType else { return }
        let arrangement = ResourceArrangement(
            localIdentifier: asset.localIdentifier, mediaType: mediaType, roles: roles.map(\.role))
        try change.perform(.arrangeResources(arrangement))
        let sources = try change.catalogue.sources(of: asset.localIdentifier)
        for (role, words) in roles {
            let resource = asset.resources.first { $0.has(role.hash) }
            for var source in sources where source.evidence?.hash.map({ resource?.has($0) == true }) == true {
                guard source.outcome.isMapped, source.reason != .deleted else { continue }
                (source.reason, source.detail) = words == nil ? (.newContent, nil) : (.paired, words)
                try change.perform(.recordSource(source))
                change.tell(words.map { "it \($0)" } ?? "it is what its asset is shown by", of: source.key)
            }
        }
    }

    /// A file more of an asset, or newer bytes of a sidecar that it has.
    private func add(
        _ item: FreshItem, as resource: UnitResource, to identifier: LocalIdentifier, in change: inout Change,
        _ result: inout ImportedBatch
    ) throws {
        let known = try change.catalogue.source(item.key)
        let before = [known].compactMap { $0 }
        let asset = try change.catalogue.asset(identifier)
        let words = resource.pairing?.words
        let content = item.source.staged.content
        if asset?.resources.contains(where: { $0.has(content.hash) }) == true {
            return try join(item, identifier, known, words, in: &change, &result)
        }
        let older = known?.localIdentifier == identifier ? known?.evidence?.hash : nil
        if let older, let edited = asset?.resources.first(where: { $0.has(older) && $0.type == resource.type }) {
            try addVersion(of: item.source, to: identifier, edited, in: &change)
            let source = try record(item.source, identifier, .updated, .edited, before, detail: words, in: &change)
            return try take(source, of: item, in: &change, &result)
        }
        try change.perform(
            .addResource(
                ResourceAddition(
                    localIdentifier: identifier, resourceType: resource.type, originalFilename: item.key.path.name,
                    content: content)))
        let reason: Reason = resource.pairing == nil ? .newContent : .paired
        let source = try record(item.source, identifier, .imported, reason, before, detail: words, in: &change)
        try take(source, of: item, in: &change, &result)
    }

    /// The asset has these very bytes: the file is known, was renamed, or is a copy.
    private func join(
        _ item: FreshItem, _ identifier: LocalIdentifier, _ known: Source?, _ words: String?, in change: inout Change,
        _ result: inout ImportedBatch
    ) throws {
        let hash = item.source.staged.content.hash
        let siblings = try change.catalogue.sources(of: identifier).filter { $0.evidence?.hash == hash }
        let former = siblings.filter { $0.key != item.key && !$0.isRemoved && isVacant($0) }.map(\.key)
        let before = try ([item.key] + former).compactMap { try change.catalogue.source($0) }
        try forget(former, movedTo: item.key, in: &change)
        let isKnown = known?.localIdentifier == identifier && known?.outcome.isMapped == true
        let outcome: Outcome = isKnown || !former.isEmpty ? .imported : .duplicate
        let source = try record(
            item.source, identifier, outcome, outcome == .duplicate ? .sameContent : .paired, before, detail: words,
            in: &change)
        let decision: ImportDecision = former.isEmpty ? .join(identifier) : .move(identifier, from: former)
        try file(source, decision: decision, in: &change)
        result.take(source, from: former, of: item.item, in: &change)
    }

    private func take(
        _ source: Source, of item: FreshItem, in change: inout Change, _ result: inout ImportedBatch
    ) throws {
        try file(source, decision: .create(replacing: nil), in: &change)
        result.take(source, of: item.item, in: &change)
    }

    private func note(_ unit: ComingUnit, _ identifier: LocalIdentifier, _ result: inout ImportedBatch) {
        result.touched.insert(identifier)
        result.arrived += unit.coming.filter { $0.item.source.kind != nil }.map(\.item.key)
        guard let awaited = unit.awaited, let first = unit.coming.first?.item.key else { return }
        // Where what it is shown by lies in no folder, it is named after what came.
        let key = unit.primaryFile.folder == first.folder ? unit.primaryFile : first
        result.awaited[identifier] = AwaitedFile(key: key, companion: awaited)
    }

    /// A sidecar of an asset stays its own; any other waits for what it speaks of, and is no media in the end.
    private func wait(_ unit: ComingUnit, in change: inout Change, _ result: inout ImportedBatch) throws {
        for (resource, item) in unit.coming {
            guard let kind = item.source.sidecar else { continue }
            if let known = try change.catalogue.source(item.key)?.localIdentifier,
                let asset = try change.catalogue.asset(known), asset.state != .purged
            {
                try add(item, as: resource, to: known, in: &change, &result)
            } else if unit.isAmbiguous || impatient.contains(item.key) {
                let why =
                    unit.isAmbiguous
                    ? "its name means several files alike: the whole name of one, as in IMG.jpg.xmp, would tell"
                    : "no photo or video is there that it speaks of"
                let source = Source(
                    key: item.key, outcome: .skipped, reason: .notMedia, detail: "\(kind.words), and \(why)",
                    evidence: item.source.evidence, rulesVersion: MediaRecogniser.rulesVersion)
                try change.record(source)
                result.take(source, of: item.item, in: &change)
            } else {
                result.orphans[item.key] = kind
            }
        }
    }

    /// They are looked at again, and by the next scan if not before.
    func take(up passedOver: Set<SourceKey>, in change: inout Change, _ result: inout ImportedBatch) throws {
        for key in passedOver.sorted() {
            try change.perform(.forgetSource(key))
            change.tell("it is looked at again: a file came that it may speak of", of: key)
            result.passedOver.insert(key)
        }
    }

    private func tell(_ misses: [NearMiss], in change: inout Change) {
        for miss in misses {
            let name = printable(miss.other.path.name.bytes)
            change.tell("beside '\(name)' it is apart, for it \(miss.reason.words)", of: miss.file)
        }
    }

    /// What was read stays read, and what follows for the assets is said at once.
    func keepReadings(in change: inout Change, _ result: ImportedBatch) throws {
        for (_, reading) in readings.fresh.sorted(by: { $0.key < $1.key }) { try change.keep(reading) }
        for identifier in result.touched.sorted() {
            guard let asset = try change.catalogue.asset(identifier),
                let facts = try change.catalogue.factsChange(of: asset, readings, at: change.date)
            else { continue }
            try change.perform(.setFacts(facts))
        }
    }
}
