import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport

/// Holds the library against the model, rule by rule; the first that does not hold is thrown.
struct Judge {
    let world: World
    let catalogue: Catalogue
    private var assets: [LocalIdentifier: Asset] = [:]

    init(_ world: World) throws {
        self.world = world
        catalogue = try world.bench.catalogue()
        var cursor: Int64 = 0
        for asset in try catalogue.trashedAssets(after: 0, limit: .max).rows { assets[asset.localIdentifier] = asset }
        while true {
            let page = try catalogue.assets(after: cursor, limit: 500)
            for asset in page.rows { assets[asset.localIdentifier] = asset }
            guard let next = page.next else { break }
            cursor = next
        }
    }

    /// `isSettled`: nothing waits any more; else what waits is let pass, if it says why.
    func check(isSettled: Bool) throws {
        try checkOriginals()
        try checkAcknowledged()
        try checkContents()
        for path in world.folders.flatMap({ world.bench.tree.files(below: $0) }) {
            try checkSource(path, isSettled: isSettled)
        }
        if isSettled { try checkStaging() }
    }

    private func fail(_ rule: String, _ detail: String) -> Violation { Violation(rule: rule, detail) }

    /// I1, I5: every version's bytes are there under their hash, and nobody may write them.
    private func checkOriginals() throws {
        let library = try world.library()
        for version in assets.values.flatMap(\.resources).flatMap(\.versions) {
            if version.residency != .local {
                guard try world.isInStore(version.content) else {
                    throw fail("I1", "\(version.content.hash.hexadecimal) is \(version.residency), not in the store")
                }
            }
            if version.residency == .inCloud { continue }
            guard try library.directory.originals.isSound(version.content) else {
                // The run itself broke it: `repair` is held to bring back what it can.
                if world.damage.originals.contains(version.content.hash) { continue }
                throw fail("I1", "\(version.content.hash.hexadecimal) is \(version.condition), its bytes are not there")
            }
            world.damage.originals.remove(version.content.hash)
            let file = try library.directory.originals.open(version.content)
            guard try world.bench.machine.files.status(of: file).mode == 0o400 else {
                throw fail("I5", "\(version.content.hash.hexadecimal) can be written")
            }
        }
    }

    /// I2, I27: what was told is found under its identifier, and a content stays that asset's.
    private func checkAcknowledged() throws {
        for (identifier, hashes) in world.acknowledged.contents where !world.acknowledged.purged.contains(identifier) {
            let found = Set((assets[identifier]?.resources ?? []).flatMap(\.versions).map(\.content.hash))
            guard hashes.isSubset(of: found) else { throw fail("I2", "\(identifier) was told and is not there") }
        }
        for (external, asset) in world.acknowledged.externals {
            guard try catalogue.externalMapping(external) == asset else {
                throw fail("I2", "'\(external)' was told to be \(asset), and is not")
            }
        }
        for hash in world.acknowledged.released.subtracting(world.acknowledged.purgedContents) {
            guard try catalogue.assetHaving(hash) != nil else {
                throw fail("I4", "a source of \(hash.hexadecimal) was removed, and no asset has its bytes")
            }
        }
    }

    /// I8, I26: a content is one asset's, and was some file's.
    private func checkContents() throws {
        var owners: [ContentHash: LocalIdentifier] = [:]
        for asset in assets.values.sorted(by: { $0.localIdentifier.description < $1.localIdentifier.description }) {
            for hash in Set(asset.resources.flatMap(\.versions).map(\.content.hash)) {
                // One sidecar can be the same of many photos.
                let isSidecar = asset.resources.contains { $0.type.canBeSeveral && $0.has(hash) }
                if !isSidecar, let other = owners.updateValue(asset.localIdentifier, forKey: hash) {
                    throw fail("I8", "\(hash.hexadecimal) is \(other)'s and \(asset.localIdentifier)'s")
                }
                guard world.closed.contains(hash) else {
                    throw fail("I26", "\(hash.hexadecimal) was never a whole file")
                }
            }
        }
    }

    /// I9, I25: the file is as it was left, and has its mapping or a reason.
    private func checkSource(_ path: PathBytes, isSettled: Bool) throws {
        guard let bytes = world.bench.tree.bytes(at: path), let key = try world.bench.key(path) else { return }
        guard try world.bench.program.read(path.bytes) == bytes else { throw fail("I9", "\(name(path)) was changed") }
        if !isSettled, world.unsignalled.contains(path) || world.writers[path] != nil { return }
        if !isSettled, let waiting = world.bench.board[key] {
            guard waiting.reason == .settling else { return }
            throw fail("I25", "\(name(path)) still settles after a flush")
        }
        let row = try catalogue.source(key)
        if bytes.starts(with: "<x:".utf8) {
            return try checkSidecar(path, row, SampleMedia.hash(bytes), isSettled: isSettled)
        }
        guard bytes.starts(with: [0xFF, 0xD8]) else {
            guard row?.outcome == .skipped, row?.reason == .notMedia else {
                throw fail("I25", "\(name(path)) is no picture, and is \(show(row))")
            }
            return
        }
        // An undo put it back, and it stays as it is: a listed reason.
        if let row, row.reason == .putBack, row.isPresent, row.evidence?.hash == SampleMedia.hash(bytes) { return }
        try checkMapping(path, row, SampleMedia.hash(bytes), isSettled: isSettled)
    }

    /// It is of an asset that has its bytes, or was passed over, for no photo was there.
    private func checkSidecar(_ path: PathBytes, _ row: Source?, _ hash: ContentHash?, isSettled: Bool) throws {
        if !isSettled, row == nil || row?.outcome.isMapped == false { return }
        if let row, row.outcome == .skipped { return }
        guard let row, row.outcome.isMapped, let identifier = row.localIdentifier,
            assets[identifier].map({ asset in asset.resources.contains { hash.map($0.has) == true } }) ?? true
        else { throw fail("I25", "the sidecar \(name(path)) is \(show(row))\(try story(of: path))") }
    }

    private func checkMapping(_ path: PathBytes, _ row: Source?, _ hash: ContentHash?, isSettled: Bool) throws {
        if !isSettled, let row, !row.outcome.isMapped { return }
        if let row, isDeleted(row, hash, isSettled: isSettled) { return }
        guard let row, row.outcome.isMapped, let identifier = row.localIdentifier, let asset = assets[identifier],
            asset.state == .live,
            asset.resources.flatMap(\.versions).contains(where: { $0.content.hash == hash })
        else {
            throw fail("I25", "\(name(path)) with \(hash?.hexadecimal ?? "") is \(show(row))\(try story(of: path))")
        }
        try checkAlbum(path, identifier)
        if isSettled, world.plan.movesCards, path.isBelow(world.folders[1]) {
            throw fail("R15", "\(name(path)) is imported and was not removed")
        }
    }

    /// RULES R36: a person deleted its asset, and the file is still the one that it came from.
    private func isDeleted(_ row: Source, _ hash: ContentHash?, isSettled: Bool) -> Bool {
        guard let asset = row.localIdentifier, row.evidence?.hash == hash else { return false }
        let acknowledged = world.acknowledged
        if acknowledged.deleted.contains(asset) { return true }
        // What followed its source away may be on its way back.
        return !isSettled && assets[asset]?.state == .trashed
    }

    /// I20: it is in its folder's album, once, unless a person took it out.
    private func checkAlbum(_ path: PathBytes, _ asset: LocalIdentifier) throws {
        // An undo moves no file, and may have deleted the album that it was in.
        if world.acknowledged.albumless.contains(asset) { return }
        guard let (album, _) = try world.membership(of: path) else {
            throw fail("I20", "\(name(path)) has no album")
        }
        let isMember = try catalogue.membership(of: asset, in: album) != nil
        // An undo that takes out what a folder had put in leaves it to the folder whether it is put in again.
        if world.acknowledged.undecided.contains(.init(album: album, asset: asset)) { return }
        let isOut = world.acknowledged.takenOut.contains(.init(album: album, asset: asset))
        guard isMember != isOut else {
            throw fail(
                "I20",
                "\(name(path)) is \(isMember ? "in" : "not in") its album, a person \(isOut ? "took it" : "did not take it") out"
            )
        }
    }

    /// I10, I11: the catalogue is sound, and nothing is left in staging but parts of downloads.
    private func checkStaging() throws {
        guard try catalogue.quickCheck().isEmpty else { throw fail("I10", "the catalogue is damaged") }
        let files = world.bench.machine.files
        let staging = try files.openDirectory(world.bench.libraryPath + Array("/staging".utf8))
        for entry in try files.list(staging) {
            // What came of a download that was broken off stays for an hour, or for a week (FetchTests).
            guard Originals.partialHash(of: entry.name) != nil else {
                throw fail("I11", "staging has \(printable(entry.name))")
            }
        }
    }

    /// What `why` would tell.
    private func story(of path: PathBytes) throws -> String {
        guard let key = try world.bench.key(path) else { return "" }
        let waiting = world.bench.board[key].map { "waiting: \($0.reason)" } ?? "not waiting"
        return "; \(waiting)" + (try catalogue.decisions(of: key).map { "; \($0.date.rfc3339) \($0.story)" }.joined())
    }

    private func name(_ path: PathBytes) -> String { printable(path.bytes) }

    private func show(_ row: Source?) -> String {
        guard let row else { return "unknown" }
        let asset = row.localIdentifier.map { "\($0), \(assets[$0]?.state.rawValue ?? "purged")" }
        return "\(row.outcome) (\(row.reason)) as \(asset ?? "nothing")"
    }
}
