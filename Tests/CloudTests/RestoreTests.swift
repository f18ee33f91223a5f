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

    @Test func anEmptyStoreAndAFullDirectoryAreRefused() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
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
                let other = LibraryMirror(store: bench.store, library: bench.simulated.machine.makeUUID())
                #expect(throws: MirrorError.self) { try other.newestToken(catalogue.history) }
            }
            // The same library, and another history.
            try withTier("other") { other in
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
    func withCatalogue(_ body: (Catalogue) throws -> Void) throws {
        let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: disk.name)
        defer { catalogue.close() }
        try body(catalogue)
    }

    /// A catalogue's disk for a second library on the same machine.
    func withSecondDisk<Value>(_ path: String, _ body: (String) throws -> Value) throws -> Value {
        if path == "/library" { return try body(disk.name) }
        let second = seconds[path] ?? SimulatedVFS(name: "\(disk.name)\(path)")
        if seconds.updateValue(second, forKey: path) == nil { second.follow(simulated.files, library: path) }
        return try body(second.name)
    }
}
