import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// An original goes to the cloud, leaves the disk and comes back, and is never in neither place (RULES R39-R44).
@Suite struct TierTests {
    @Test func anUploadIsBoth() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.upload(photo, requestedBy: .person)
            #expect(try bench.version(photo).residency == .both)
            #expect(try bench.version(photo).transfer == nil)
            try bench.check(photo)
        }
    }

    @Test func anEvictionUploadsProvesAndTakesTheFile() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            #expect(try bench.version(photo).residency == .inCloud)
            #expect(try !bench.isOnDisk(photo))
            try bench.check(photo)
            // Once more changes nothing.
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.check(photo)
        }
    }

    /// Who reads it would have it in use, and the eviction would be refused.
    @Test func anOriginalIsReadWhereNoMoveHasItAndNoneBeginsMeanwhile() throws {
        try withTier { bench in
            let (photo, other) = (try bench.add("a photo", 1), try bench.add("another", 2))
            let tier = bench.tier
            let seen = tier.unlessMoving(photo.hash) {
                [tier.unlessMoving(photo.hash) { true }, tier.unlessMoving(other.hash) { true }]
            }
            #expect(seen == [nil, true])
            try tier.evict(photo, requestedBy: .person)
            #expect(tier.unlessMoving(photo.hash) { true } == true)
        }
    }

    @Test func aFetchBringsItBackAndKeepsTheCopy() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.tier.fetch(photo, requestedBy: .person)
            #expect(try bench.version(photo).residency == .both)
            #expect(try bench.isOnDisk(photo))
            try bench.check(photo)
            // And off again, without a second upload.
            let used = bench.store.usedBytes
            try bench.tier.evict(photo, requestedBy: .person)
            #expect(bench.store.usedBytes == used)
            try bench.check(photo)
        }
    }

    @Test func withoutReachTheEvictionIsRefusedAndNothingChanges() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            bench.store.faults.isOffline = true
            #expect(throws: TierError.self) { try bench.tier.evict(photo, requestedBy: .person) }
            #expect(try bench.version(photo).residency == .local)
            try bench.check(photo)
            bench.store.faults.isOffline = false
            try bench.tier.upload(photo, requestedBy: .person)
            bench.store.faults.isOffline = true
            #expect(throws: TierError.self) { try bench.tier.evict(photo, requestedBy: .person) }
            #expect(try bench.version(photo).residency == .both)
            try bench.check(photo)
        }
    }

    @Test func aStoreThatLiesGetsNothingFromTheDisk() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            let lies: [WritableKeyPath<SimulatedFaults, Double>] = [\.lieRate, \.truncateRate, \.corruptRate]
            for lie in lies {
                bench.store.faults = SimulatedFaults()
                bench.store.faults[keyPath: lie] = 1
                #expect(throws: TierError.self) { try bench.tier.evict(photo, requestedBy: .person) }
                #expect(try bench.version(photo).residency == .local)
                try bench.check(photo)
            }
            bench.store.faults = SimulatedFaults()
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.check(photo)
        }
    }

    @Test func whatWasLostFromTheStoreSinceTheUploadDoesNotLeaveTheDisk() throws {
        try withTier { bench in
            let (lost, spoilt) = (try bench.add("lost", 1), try bench.add("spoilt", 2))
            for photo in [lost, spoilt] { try bench.tier.upload(photo, requestedBy: .person) }
            _ = try bench.store.lose(.original(lost.hash))
            _ = try bench.store.corrupt(.original(spoilt.hash))
            for photo in [lost, spoilt] {
                // It is uploaded again, and proven, before it goes.
                try bench.tier.evict(photo, requestedBy: .person)
                try bench.check(photo)
            }
        }
    }

    @Test func bytesThatRotOnTheDiskAreNeitherUploadedNorEvicted() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.upload(photo, requestedBy: .person)
            try bench.spoil(photo, isGone: false)
            #expect(throws: TierError.self) { try bench.tier.evict(photo, requestedBy: .person) }
            #expect(try bench.version(photo).condition == .corrupt)
            #expect(try bench.version(photo).residency == .both)
            #expect(try bench.isInStore(photo))
            let other = try bench.add("another", 2)
            try bench.spoil(other, isGone: false)
            #expect(throws: TierError.self) { try bench.tier.evict(other, requestedBy: .person) }
            #expect(try !bench.isInStore(other))
        }
    }

    @Test func wrongAndShortBytesAreNeverServed() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            _ = try bench.store.corrupt(.original(photo.hash))
            #expect(throws: TierError.self) { try bench.tier.fetch(photo, requestedBy: .person) }
            #expect(try bench.version(photo).residency == .inCloud)
            #expect(try !bench.isOnDisk(photo))
            // It was one bit: turned back, it is the photo again.
            _ = try bench.store.corrupt(.original(photo.hash))
            bench.store.faults.breakRate = 1
            #expect(throws: TierError.self) { try bench.tier.fetch(photo, requestedBy: .person) }
            bench.store.faults.breakRate = 0
            try bench.tier.fetch(photo, requestedBy: .person)
            try bench.check(photo)
        }
    }

    @Test func aFetchIsToldOfAndEndsWhereNobodyWantsIt() throws {
        try withTier { bench in
            let photo = try bench.add(String(repeating: "x", count: 3 << 20), 1)
            try bench.tier.evict(photo, requestedBy: .person)
            #expect(throws: TierError.self) { try bench.tier.fetch(photo, requestedBy: .person) { $0 < 1 << 20 } }
            #expect(try bench.version(photo).transfer == nil)
            var told: [Int64] = []
            try bench.tier.fetch(photo, requestedBy: .person) {
                told.append($0); return true
            }
            #expect(told == told.sorted() && told.last == photo.byteCount && told.count > 2)
            try bench.check(photo)
        }
    }

    @Test func theSameBytesDroppedAnewMakeItLocalWithoutAnUpload() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            let used = bench.store.usedBytes
            try bench.add("a photo", 2)
            #expect(try bench.version(photo).residency == .both)
            #expect(try bench.isOnDisk(photo))
            #expect(bench.store.usedBytes == used)
            try bench.check(photo)
        }
    }

    /// What the disk lost, or has as other bytes, the cloud gives back: nothing else may have it.
    @Test(arguments: [true, false]) func anOriginalThatIsDamagedHereComesBackFromItsCopy(isGone: Bool) throws {
        try withTier("damaged-\(isGone)") { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.upload(photo, requestedBy: .person)
            try bench.spoil(photo, isGone: isGone)
            try bench.library.onThread { library in
                _ = try library.record([(photo, library.directory.originals.look(at: photo, reading: true))])
            }
            #expect(try bench.version(photo).condition == (isGone ? .missing : .corrupt))
            try bench.tier.fetch(photo, requestedBy: .person)
            #expect(try bench.version(photo).condition == .sound)
            #expect(try bench.version(photo).residency == .both)
            #expect(try bench.isOnDisk(photo))
            #expect(try bench.library.onThread { try $0.transfers() } == [])
            try bench.check(photo)
        }
    }

    /// A crash ended the download, and the same bytes were dropped anew before it went on.
    @Test func aDownloadOfWhatIsHereAgainEnds() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            bench.simulated.onReach { if $0 == .downloadBegun { throw SimulatedCut() } }
            #expect(throws: SimulatedCut.self) { try bench.tier.fetch(photo, requestedBy: .person) }
            try bench.cutPower()
            #expect(try bench.version(photo).transfer == .downloading)
            try bench.add("a photo", 2)
            _ = try bench.tier.round(CloudPolicy())
            #expect(try bench.library.onThread { try $0.transfers() } == [])
            try bench.check(photo)
        }
    }

    @Test func aPurgeInTheCloudLeavesAnObjectToBeDeleted() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            let asset = TierBench.identifier(1)
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
            try bench.perform(.restoreAssets(AssetRestoring(assets: [asset])))
            try bench.check(photo)
            try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
            try bench.library.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            #expect(try bench.library.onThread { try $0.version(of: photo.hash) } == nil)
            #expect(try bench.library.onThread { try $0.objectWork() }.map(\.hash) == [photo.hash])
            #expect(try bench.isInStore(photo))
        }
    }

    /// Its upload had not ended: the object is there, or comes yet, and no copy is written down.
    @Test func aPurgeDuringAnUploadLeavesAnObjectToBeDeleted() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            bench.simulated.onReach { if $0 == .objectStored { throw Ended() } }
            #expect(throws: Ended.self) { try bench.tier.upload(photo, requestedBy: .person) }
            let asset = TierBench.identifier(1)
            try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
            try bench.library.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            #expect(try bench.isInStore(photo))
            #expect(throws: TierError.self) { try bench.tier.upload(photo, requestedBy: .person) }
            var policy = CloudPolicy()
            policy.deletesPurged = .zero
            _ = try bench.tier.round(policy)
            #expect(try !bench.isInStore(photo))
        }
    }

    /// Whoever waits for the upload is told what became of the photo; and what is on its way counts as there.
    @Test func aPurgeDuringAnUploadIsWhyItEnds() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            let asset = TierBench.identifier(1)
            // The bench is in one thread.
            nonisolated(unsafe) let bench = bench
            // As it is.
            nonisolated(unsafe) var inCloud: Int64 = 0
            bench.simulated.onReach { milestone in
                guard milestone == .objectStored else { return }
                try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
                try bench.withCatalogue { inCloud = try $0.byteCounts(heldByNoneBut: [asset]) { _ in true }.inCloud }
                try bench.library.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            }
            let error = #expect(throws: TierError.self) { try bench.tier.evict(photo, requestedBy: .person) }
            #expect(error?.description.contains("deleted for good") == true)
            #expect(inCloud == photo.byteCount)
        }
    }

    private struct Ended: Error {}
}

extension TierBench {
    /// Turns a bit of the original behind everybody's back.
    func spoil(_ content: Content, isGone: Bool) throws {
        let hex = content.hash.hexadecimal
        guard !isGone else {
            return try simulated.program.unlink(Array("/library/originals/\(hex.prefix(2))/\(hex).jpg".utf8))
        }
        let directory = try simulated.files.openDirectory(Array("/library/originals/\(hex.prefix(2))".utf8))
        let file = try simulated.files.openForUpdating(Array("\(hex).jpg".utf8), in: directory)
        try writeBytes(file, Array("X".utf8), files: simulated.files, at: 0)
        try file.close()
    }
}
