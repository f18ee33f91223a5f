import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What has to stay on the disk stays, and that is known before the store is asked for anything (RULES R41).
@Suite struct EvictionRefusalTests {
    @Test func pinnedKeptTrashedAndOpenOriginalsStay() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            let asset = TierBench.identifier(1)
            try bench.tier.upload(photo, requestedBy: .person)
            func pinned() throws -> Int {
                try bench.withCatalogue { try $0.pinnedCount(at: bench.library.machine.now()).count }
            }
            #expect(try pinned() == 0)
            try bench.perform(.setPin(PinChange(localIdentifier: asset, isPinned: true)))
            #expect(try pinned() == 1)
            #expect(refusal { try bench.tier.evict(photo, requestedBy: .person) } == .pinned)
            let past = bench.simulated.machine.now().addingTimeInterval(-1)
            try bench.perform(.setPin(PinChange(localIdentifier: asset, isPinned: true, until: past)))
            #expect(try pinned() == 0)
            let album = TierBench.identifier(9)
            try bench.perform(
                .createAlbum(AlbumCreation(localIdentifier: album, title: PathBytes("Kept"))),
                .addAssets(AlbumAddition(album: album, assets: [asset], addedBy: .person)),
                .setAlbumTier(AlbumTierChange(album: album, tier: .keepLocal)))
            #expect(refusal { try bench.tier.evict(photo, requestedBy: .person) } == .keptByAlbum)
            try bench.perform(.setAlbumTier(AlbumTierChange(album: album, tier: nil)))
            try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
            #expect(refusal { try bench.tier.evict(photo, requestedBy: .person) } == .inRecentlyDeleted)
            try bench.perform(.restoreAssets(AssetRestoring(assets: [asset])))
            let reader = try bench.library.directory.originals.open(photo)
            #expect(refusal { try bench.tier.evict(photo, requestedBy: .person) } == .inUse)
            try reader.close()
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.check(photo)
            #expect(try bench.library.onThread { try $0.transfers() } == [])
        }
    }

    /// Nobody is answering: the catalogue alone says no.
    @Test func whatHasToStayIsRefusedBeforeTheStoreIsAskedForAnything() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            let (asset, album) = (TierBench.identifier(1), TierBench.identifier(9))
            try bench.perform(
                .createAlbum(AlbumCreation(localIdentifier: album, title: PathBytes("Kept"))),
                .addAssets(AlbumAddition(album: album, assets: [asset], addedBy: .person)))
            bench.store.faults.isOffline = true
            func expect(
                _ expected: EvictionRefusal, _ begin: ChangeRequest, _ end: ChangeRequest? = nil,
                _ place: SourceLocation = #_sourceLocation
            ) throws {
                try bench.perform(begin)
                #expect(
                    refusal { try bench.tier.evict(photo, requestedBy: .person) } == expected, sourceLocation: place)
                if let end { try bench.perform(end) }
            }
            try expect(
                .pinned, .setPin(PinChange(localIdentifier: asset, isPinned: true)),
                .setPin(PinChange(localIdentifier: asset, isPinned: false)))
            try expect(
                .keptByAlbum, .setAlbumTier(AlbumTierChange(album: album, tier: .keepLocal)),
                .setAlbumTier(AlbumTierChange(album: album, tier: nil)))
            try expect(
                .inRecentlyDeleted,
                .trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)),
                .restoreAssets(AssetRestoring(assets: [asset])))
            try expect(.damaged, .setCondition(ConditionChange(hash: photo.hash, condition: .corrupt)))
            #expect(try bench.version(photo).residency == .local)
            #expect(try bench.library.onThread { try $0.transfers() } == [])
            #expect(try !bench.isInStore(photo))
        }
    }

    @Test func anEvictionThatACrashLeftBegunEndsWhereItsOriginalWasPinnedSince() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.upload(photo, requestedBy: .person)
            try bench.perform(
                .setTransfer(TransferChange(hash: photo.hash, transfer: .evicting, requestedBy: .policy)),
                .setPin(PinChange(localIdentifier: TierBench.identifier(1), isPinned: true)))
            _ = try bench.tier.round(CloudPolicy())
            #expect(try bench.library.onThread { try $0.transfers() } == [])
            try bench.check(photo)
        }
    }

    private func refusal(_ body: () throws -> Void) -> EvictionRefusal? {
        do {
            try body()
            return nil
        } catch TierError.refused(let refusal) {
            return refusal
        } catch {
            return nil
        }
    }
}
