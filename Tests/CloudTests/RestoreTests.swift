import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A library that is gone comes back from the store.
@Suite struct RestoreTests {
    private func mirror(_ bench: TierBench) throws {
        try bench.withCatalogue { catalogue in
            let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
            _ = try mirror.catchUp(from: try mirror.newestToken(catalogue.history), catalogue.history)
        }
    }

    private func restore(_ bench: TierBench, to path: String) throws -> RestoreReport {
        try bench.withSecondDisk(path) { vfs in
            try CloudRestore(from: bench.store, machine: bench.simulated.machine)
                .restore(to: Array(path.utf8), executor: .inline(), vfs: vfs)
        }
    }

    @Test func everyAssetAlbumAndIdentifierComesBackInTheCloud() throws {
        try withTier { bench in
            let photos = try (1...5).map { try bench.add("photo \($0)", UInt8($0)) }
            let album = TierBench.identifier(99)
            try bench.perform(
                .createAlbum(AlbumCreation(localIdentifier: album, title: PathBytes("Summer"))),
                .addAssets(
                    AlbumAddition(album: album, assets: [3, 1, 2].map(TierBench.identifier), addedBy: .person)))
            for photo in photos.dropLast() { try bench.tier.evict(photo, requestedBy: .person) }
            try mirror(bench)
            let report = try restore(bench, to: "/again")
            #expect(report.assets == 5)
            #expect(report.albums == 1)
            #expect(report.originals == 4)
            // The last one never came to the store.
            #expect(report.missing == 1)
            #expect(report.lacking.map(\.reason) == [.missing] && report.lacking.first?.hash == photos[4].hash)
            #expect(report.library == bench.library.directory.identifier)
            try bench.withSecondDisk("/again") { vfs in
                let library = try PhotoLibrary.open(
                    Array("/again".utf8), machine: bench.simulated.machine, executor: .inline(), vfs: vfs)
                defer { library.onThread { $0.close() } }
                let tier = CloudTier(library: library, store: bench.store)
                for photo in photos.dropLast() {
                    #expect(try library.onThread { try $0.version(of: photo.hash)?.residency } == .inCloud)
                    try tier.fetch(photo, requestedBy: .person)
                    #expect(try library.directory.originals.isSound(photo))
                }
                #expect(try library.onThread { try $0.version(of: photos[4].hash)?.condition } == .missing)
            }
        }
    }

    /// The history says that they are there: the store is asked, and not believed to have them.
    @Test func whatTheStoreHasNotIsSaidAndInDoubt() throws {
        try withTier { bench in
            let photos = try (1...40).map { try bench.add("photo \($0)", UInt8($0)) }
            for photo in photos { try bench.tier.evict(photo, requestedBy: .person) }
            try mirror(bench)
            for photo in photos[3..<6] { try bench.store.delete(.original(photo.hash)) }
            let short = Array("short".utf8)
            try bench.store.delete(.original(photos[9].hash))
            _ = try bench.store.put(.original(photos[9].hash), ObjectBody(short))
            let report = try restore(bench, to: "/again")
            #expect(report.denied == 4 && report.originals == 36 && report.missing == 0)
            #expect(Set(report.lacking.map(\.hash)) == Set((photos[3..<6] + [photos[9]]).map(\.hash)))
            #expect(report.lacking.allSatisfy { $0.reason == .denied })
            #expect(report.lacking.contains { $0.filename == PathBytes("10.jpg") })
            try bench.withSecondDisk("/again") { vfs in
                let library = try PhotoLibrary.open(
                    Array("/again".utf8), machine: bench.simulated.machine, executor: .inline(), vfs: vfs)
                defer { library.onThread { $0.close() } }
                let tier = CloudTier(library: library, store: bench.store)
                #expect(Set(tier.doubtedOriginals) == Set((photos[3..<6] + [photos[9]]).map(\.hash)))
            }
        }
    }

    @Test func whatCameAfterTheLastHistoryIsFound() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try mirror(bench)
            try bench.tier.upload(photo, requestedBy: .person)
            let report = try restore(bench, to: "/again")
            #expect(report.originals == 1)
            #expect(report.missing == 0)
        }
    }

    /// A store that acknowledges, and stores nothing, half or something else: no segment counts before it is proven.
    @Test func aLyingStoreIsNotBelieved() throws {
        for (number, rate) in [\SimulatedFaults.lieRate, \.truncateRate, \.corruptRate].enumerated() {
            try withTier("lying-\(number)") { bench in
                for number in 1...5 { try bench.add("photo \(number)", UInt8(number)) }
                bench.store.faults[keyPath: rate] = 1
                #expect(throws: MirrorError.self) { try mirror(bench) }
                bench.store.faults[keyPath: rate] = 0
                try mirror(bench)
                #expect(try restore(bench, to: "/again").assets == 5)
            }
        }
    }

    /// A store that spoilt a segment, which was then brought with more changes under another name.
    @Test func aSpoiltSegmentOfWhichAnotherHasTheChangesIsNotNeeded() throws {
        try withTier { bench in
            for number in 1...10 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            _ = try bench.store.put(try key("library/changes/0000000000000001-0000000000000004"), body("spoilt\n"))
            #expect(try restore(bench, to: "/again").assets == 10)
        }
    }

    /// What was proven before a failure is there, and is not brought again.
    @Test func aHistoryThatIsBroughtHalfwayGoesOnFromThere() throws {
        try withTier { bench in
            for number in 1...60 { try bench.add("photo \(number)", UInt8(number)) }
            let told = try bench.withCatalogue { catalogue in
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                var told: [Int64] = []
                #expect(throws: ObjectStoreError.self) {
                    try mirror.catchUp(from: 0, catalogue.history) { token in
                        told.append(token)
                        if told.count == 2 { bench.store.faults.isOffline = true }
                    }
                }
                return told
            }
            #expect(told == [16, 32])
        }
    }

    @Test func whatIsWantingOrHalfInTheStoreIsBroughtAgain() throws {
        try withTier { bench in
            for number in 1...100 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let segments = try bench.store.list("library/changes/", after: nil, limit: 100).map(\.key)
            try #require(segments.count > 4)
            _ = try bench.store.lose(segments[1])
            _ = try bench.store.put(segments[2], body("half"))
            let last = try bench.store.text(try #require(segments.last))
            _ = try bench.store.put(try #require(segments.last), body(String(last.prefix(40))))
            #expect(throws: MirrorError.self) { try restore(bench, to: "/before") }
            try mirror(bench)
            #expect(try restore(bench, to: "/again").assets == 100)
        }
    }

    /// A library that lost changes, and was rebuilt without them, takes nothing from a store that has them.
    @Test func whatTheLibraryHasLostStaysInTheStore() throws {
        try withTier { bench in
            for number in 1...40 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let segments = try bench.store.list("library/changes/", after: nil, limit: 100)
            try bench.withCatalogue { catalogue in
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                let end = try mirror.newestToken { after, limit in
                    // Without two of its changes, one in the first segment and one in the last.
                    let whole = try catalogue.history(after: after, limit: limit + 2)
                    return Array(whole.filter { $0.token != 3 && $0.token != 39 }.prefix(limit))
                }
                #expect(end == 40)
            }
            #expect(try bench.store.list("library/changes/", after: nil, limit: 100) == segments)
        }
    }

    @Test func aStoreThatKnowsNothingOfALibraryWithOriginalsThereIsNotItsStore() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            _ = try bench.store.lose(try key("library/identity"))
            try bench.withCatalogue { catalogue in
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                #expect(throws: MirrorError.vanished) {
                    try mirror.newestToken(isExpected: true, catalogue.history)
                }
                let stored = try bench.store.list("library/", after: nil, limit: 10)
                #expect(stored.isEmpty)
                let newest = try mirror.newestToken(isExpected: false, catalogue.history)
                #expect(newest == 0)
            }
        }
    }

    /// Killed at any point, it is no library for anybody but the next restore.
    @Test(arguments: [Milestone.catalogueRebuilt, .catalogueReplaced, .recoverySwept])
    func aRestoreThatWasNotEndedIsEndedByTheNext(point: Milestone) throws {
        try withTier("killed-\(point)") { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            try mirror(bench)
            bench.simulated.onReach { if $0 == point { throw Killed() } }
            #expect(throws: Killed.self) { try restore(bench, to: "/again") }
            bench.simulated.onReach(nil)
            #expect(throws: LibraryError.self) { _ = try reopen(bench) }
            let report = try restore(bench, to: "/again")
            #expect(report.assets == 1 && report.originals == 1 && report.missing == 0)
            let library = try reopen(bench)
            let residency = try library.onThread { try $0.version(of: photo.hash)?.residency }
            library.onThread { $0.close() }
            #expect(residency == .inCloud)
        }
    }

    private func reopen(_ bench: TierBench) throws -> PhotoLibrary {
        try bench.withSecondDisk("/again") { vfs in
            try PhotoLibrary.open(
                Array("/again".utf8), machine: bench.simulated.machine, executor: .inline(), vfs: vfs)
        }
    }

    private struct Killed: Error {}

    @Test func anEmptyStoreAndAFullDirectoryAreRefused() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            // It was marked, and nothing more.
            #expect(throws: MirrorError.empty) { try restore(bench, to: "/again") }
            _ = try bench.store.lose(try key("library/identity"))
            #expect(throws: MirrorError.empty) { try restore(bench, to: "/again") }
            try mirror(bench)
            #expect(throws: LibraryError.self) { try restore(bench, to: "/library") }
            _ = try restore(bench, to: "/again")
            #expect(throws: MirrorError.notEmpty(path: "/again")) { try restore(bench, to: "/again") }
        }
    }

    @Test func theStoreOfALaterOrAnotherLibraryIsNotWrittenTo() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            try mirror(bench)
            let segments = try bench.store.list("library/", after: nil, limit: 100)
            try bench.withCatalogue { catalogue in
                let other = LibraryMirror(store: bench.store, library: TierBench.identifier(0xEE).uuid)
                #expect(throws: MirrorError.self) { try other.newestToken(catalogue.history) }
            }
            // The same library, and another history.
            try withTier("other") { other in
                other.simulated.advance(by: .seconds(1))
                try other.add("another photo", 1)
                try other.withCatalogue { catalogue in
                    let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                    #expect(throws: MirrorError.self) { try mirror.newestToken(catalogue.history) }
                }
            }
            #expect(try bench.store.list("library/", after: nil, limit: 100) == segments)
        }
    }
}

extension TierBench {
    func withCatalogue<Value>(_ body: (Catalogue) throws -> Value) throws -> Value {
        let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: disk.name)
        defer { catalogue.close() }
        return try body(catalogue)
    }

    /// A catalogue's disk for a second library on the same machine.
    func withSecondDisk<Value>(_ path: String, _ body: (String) throws -> Value) throws -> Value {
        if path == "/library" { return try body(disk.name) }
        let second = seconds[path] ?? SimulatedVFS(name: "\(disk.name)\(path)")
        if seconds.updateValue(second, forKey: path) == nil { second.follow(simulated.files, library: path) }
        return try body(second.name)
    }
}
