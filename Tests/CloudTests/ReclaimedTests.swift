import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Bytes that were purged, and imported again, where the history has lost the second (RULES I3).
@Suite struct ReclaimedTests {
    private let policy = {
        var policy = CloudPolicy()
        policy.deletesPurged = .seconds(3600)
        return policy
    }()

    @Test func theirObjectIsKeptByALibraryThatKnowsOnlyOfThePurge() throws {
        try withPurged { bench, photo in
            try bench.add("a photo", 2)
            try bench.tier.evict(photo, requestedBy: .person)
            try withRestored(bench) { library, tier in
                try wait(bench, library)
                let round = try tier.round(policy)
                #expect(round.deletedObjects == 0 && round.reclaimed == 1)
                #expect(try bench.isInStore(photo))
                #expect(try library.onThread { try $0.objectWork() }.isEmpty)
            }
        }
    }

    /// Before anything is to be deleted, too: a person is told of what nobody has.
    @Test func aLookTakesThePurgeBack() throws {
        try withPurged { bench, photo in
            try bench.add("a photo", 2)
            try bench.tier.evict(photo, requestedBy: .person)
            try withRestored(bench) { library, tier in
                try tier.settleReclaimed()
                #expect(try library.onThread { try $0.objectWork() }.isEmpty)
            }
        }
    }

    @Test func whatWasNotImportedAgainIsDeleted() throws {
        try withPurged { bench, photo in
            try withRestored(bench) { library, tier in
                try wait(bench, library)
                try tier.settleReclaimed()
                #expect(try tier.round(policy).deletedObjects == 1)
                #expect(try !bench.isInStore(photo))
            }
        }
    }

    /// A second purge counts, and leaves nothing in the store.
    @Test func whatIsPurgedOnceMoreIsDeleted() throws {
        try withPurged { bench, photo in
            try bench.add("a photo", 2)
            try bench.tier.evict(photo, requestedBy: .person)
            bench.simulated.advance(by: .seconds(10))
            try purge(2, bench)
            bench.simulated.advance(by: .seconds(3601))
            #expect(try bench.tier.round(policy).deletedObjects == 1)
            #expect(try !bench.isInStore(photo))
        }
    }

    /// The object went, and what has its name now is a photo's, of which the restored history knows nothing.
    @Test func whatIsStoredAfterTheDeletionIsKeptByALibraryThatKnowsOnlyOfThePurge() throws {
        try withPurged { bench, photo in
            bench.simulated.advance(by: .seconds(3601))
            #expect(try bench.tier.round(policy).deletedObjects == 1)
            try bench.add("a photo", 2)
            try bench.tier.evict(photo, requestedBy: .person)
            try withRestored(bench) { library, tier in
                try wait(bench, library)
                #expect(try tier.round(policy).deletedObjects == 0)
                #expect(try bench.isInStore(photo))
            }
        }
    }

    /// While it is a photo's the object stays, and is remembered: nobody may find it after the second purge.
    @Test func whatIsPurgedOnceMoreBeforeItWasCopiedIsDeleted() throws {
        try withPurged { bench, photo in
            try bench.add("a photo", 2)
            bench.simulated.advance(by: .seconds(3601))
            #expect(try bench.tier.round(policy).deletedObjects == 0)
            #expect(try bench.library.onThread { try $0.objectWork() }.isEmpty)
            try purge(2, bench)
            #expect(try bench.library.onThread { try $0.objectWork() }.map(\.hash) == [photo.hash])
            // The time counts from the second purge.
            #expect(try bench.tier.round(policy).deletedObjects == 0)
            bench.simulated.advance(by: .seconds(3601))
            #expect(try bench.tier.round(policy).deletedObjects == 1)
            #expect(try !bench.isInStore(photo))
        }
    }

    /// A photo that is purged, its object still there, and the history up to then in the store.
    private func withPurged(_ test: String = #function, _ body: (TierBench, Content) throws -> Void) throws {
        try withTier(test) { bench in
            let photo = try bench.add("a photo", 1)
            try bench.add("another", 9)
            try bench.tier.evict(photo, requestedBy: .person)
            try purge(1, bench)
            try bench.withCatalogue { catalogue in
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                _ = try mirror.catchUp(from: try mirror.newestToken(catalogue.history), catalogue.history)
            }
            try body(bench, photo)
        }
    }

    private func purge(_ number: UInt8, _ bench: TierBench) throws {
        let asset = TierBench.identifier(number)
        try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
        try bench.library.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
    }

    /// Nothing expires in the first hour of a catalogue that is new.
    private func wait(_ bench: TierBench, _ library: PhotoLibrary) throws {
        for _ in 0..<3 {
            _ = try library.onThread { try $0.keepTime() }
            bench.simulated.advance(by: .seconds(3601))
        }
    }

    /// Made from the store, on an empty disk.
    private func withRestored(_ bench: TierBench, _ body: (PhotoLibrary, CloudTier) throws -> Void) throws {
        try bench.withSecondDisk("/again") { vfs in
            let path = Array("/again".utf8)
            _ = try CloudRestore(from: bench.store, isPartial: false, machine: bench.simulated.machine)
                .restore(to: path, executor: .inline(), vfs: vfs)
            let library = try PhotoLibrary.open(
                path, machine: bench.simulated.machine, executor: .inline(), vfs: vfs)
            defer { library.onThread { $0.close() } }
            try body(library, CloudTier(library: library, store: bench.store))
        }
    }
}
