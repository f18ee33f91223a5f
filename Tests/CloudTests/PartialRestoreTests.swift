import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A store that lost a part of the history gives the rest back to who gives that part up, and says what it is.
@Suite struct PartialRestoreTests {
    private func mirror(_ bench: TierBench) throws {
        try bench.withCatalogue { catalogue in
            let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
            _ = try mirror.catchUp(from: try mirror.newestToken(catalogue.history), catalogue.history)
        }
    }

    private func restore(_ bench: TierBench, isPartial: Bool = false) throws -> RestoreReport {
        try bench.withSecondDisk("/again") { vfs in
            try CloudRestore(from: bench.store, isPartial: isPartial, machine: bench.simulated.machine)
                .restore(to: Array("/again".utf8), executor: .inline(), vfs: vfs)
        }
    }

    /// Each line is spoilt in its middle, so that it is no JSON any more; the segment has as many lines as before.
    private func spoil(line: Int, of key: ObjectKey, in bench: TierBench) throws {
        var lines = try bench.store.text(key).split(separator: "\n").map { Array($0.utf8) }
        lines[line][0] = UInt8(ascii: "x")
        let text = lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
        _ = try bench.store.put(key, body(text))
    }

    private func segments(_ bench: TierBench) throws -> [ObjectKey] {
        try bench.store.list("library/changes/", after: nil, limit: 100).map(\.key)
    }

    @Test func aRottenByteIsSaidAndWithPartialAllTheRestComesBack() throws {
        try withTier { bench in
            for number in 1...40 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let rotten = try segments(bench)[1]
            try spoil(line: 3, of: rotten, in: bench)
            // Again and again, with the same answer: the directory is left for the next one.
            for _ in 1...2 {
                let refusal = #expect(throws: MirrorError.self) { try restore(bench) }
                #expect(refusal?.description.contains("lost 1 change ") == true)
                #expect(refusal?.description.contains(rotten.text) == true)
                #expect(refusal?.description.contains("--partial") == true)
            }
            let report = try restore(bench, isPartial: true)
            #expect(report.assets == 39)
            #expect(report.token >= 40)
            #expect(report.lostChanges == 1)
            #expect(report.damagedObjects == [rotten.text])
        }
    }

    /// It goes on with the store that it came from: the lost changes are empty ones, and their tokens are used.
    @Test(arguments: [0, 15]) func theStoreIsTheRestoredLibrarysAfterwards(line: Int) throws {
        try withTier("goes-on-\(line)") { bench in
            for number in 1...32 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let newest = try #require(try segments(bench).last)
            try spoil(line: line, of: newest, in: bench)
            #expect(try restore(bench, isPartial: true).assets == 31)
            try bench.withSecondDisk("/again") { vfs in
                let catalogue = try Catalogue.openForReading(at: "/again/catalogue.sqlite", vfs: vfs)
                defer { catalogue.close() }
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                #expect(try mirror.newestToken(catalogue.history) >= 32)
                // What was spoilt is written again, with the empty change.
                #expect(try bench.store.text(newest).contains(#""origin":"lost""#))
            }
        }
    }

    @Test func aSegmentThatIsNotThereIsNamedAndGivenUp() throws {
        try withTier { bench in
            for number in 1...40 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let gone = try segments(bench)[0]
            _ = try bench.store.lose(gone)
            let refusal = #expect(throws: MirrorError.self) { try restore(bench) }
            #expect(refusal?.description.contains(gone.text) == true)
            let report = try restore(bench, isPartial: true)
            #expect(report.assets == 24)
            #expect(report.lostChanges == 16)
        }
    }

    @Test func aHistoryWithoutAnIdentityIsNoEmptyStore() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            try mirror(bench)
            _ = try bench.store.lose(try key("library/identity"))
            #expect(throws: MirrorError.damaged(key: "library/identity")) { try restore(bench) }
        }
    }

    /// A store that was marked, and got nothing, holds no library: nor does a partial restore make one of it.
    @Test func aMarkedStoreHoldsNoLibrary() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            #expect(throws: MirrorError.empty) { try restore(bench, isPartial: true) }
            let photo = try bench.add("another photo", 2)
            try bench.tier.upload(photo, requestedBy: .person)
            #expect(throws: MirrorError.historyGone) { try restore(bench) }
            #expect(try restore(bench, isPartial: true).assets == 0)
        }
    }

    /// A change that builds on a lost one is passed over, and counted.
    @Test func whatBuildsOnALostChangeIsPassedOver() throws {
        try withTier { bench in
            let album = TierBench.identifier(99)
            try bench.add("a photo", 1)
            try bench.perform(.createAlbum(AlbumCreation(localIdentifier: album, title: PathBytes("Summer"))))
            try bench.perform(
                .addAssets(AlbumAddition(album: album, assets: [TierBench.identifier(1)], addedBy: .person)))
            try mirror(bench)
            try spoil(line: 1, of: try segments(bench)[0], in: bench)
            let report = try restore(bench, isPartial: true)
            #expect(report.assets == 1)
            #expect(report.albums == 0)
            #expect(report.skippedRequests == 1)
        }
    }

    /// Another segment has the changes of the spoilt one: nothing is lost.
    @Test func whatASecondSegmentHasIsNotLost() throws {
        try withTier { bench in
            for number in 1...10 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let whole = try segments(bench)[0]
            let tail = try bench.store.text(whole).split(separator: "\n").dropFirst(4)
            _ = try bench.store.put(
                try key("library/changes/0000000000000005-0000000000000010"),
                body(tail.map { $0 + "\n" }.joined()))
            try spoil(line: 6, of: whole, in: bench)
            let report = try restore(bench)
            #expect(report.assets == 10)
            #expect(report.lostChanges == 0)
        }
    }
}
