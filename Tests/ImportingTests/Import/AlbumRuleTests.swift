import EngineSupport
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Testing

/// Which album a source goes into, and when a person must say (A36-A42, A55, C35).
@Suite struct AlbumRuleTests {
    private let disk = BenchDisk.simulated

    private func bench(_ rule: @escaping (inout FolderRule) -> Void, _ body: (EngineBench) throws -> Void) throws {
        try disk.withBench(rules: { try $0.addFolder("in", album: "Inbox", rule) }, { try body($0) })
    }

    /// The library forgets the album, as a deletion will.
    private func loseAlbum(_ bench: EngineBench) throws {
        let folder = try #require(try bench.key("in/x")).folder
        let gone = LocalIdentifier(fixedUUID(1))
        let binding = FolderAlbumBinding(
            folder: folder, directory: PathBytes([]), title: PathBytes("Inbox"), album: gone)
        let album = try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).first)
        try bench.perform(
            .bindFolderAlbum(binding),
            .renameAlbum(AlbumRenaming(localIdentifier: album.localIdentifier, title: PathBytes("Elsewhere"))))
    }

    /// A blocked file is no candidate any more, and is still not in the library; one that is touched counts once.
    @Test func aFlushTellsWhatIsBlockedEachTime() throws {
        try bench({ $0.onAlbumMissing = .hold }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try loseAlbum(bench)
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            for _ in 1...3 {
                #expect(try bench.flush().waiting == [.albumMissing: 1])
                try bench.touch("in/b.jpg", modified: 1_700_000_000_000_000_000)
            }
        }
    }

    @Test func anAlbumIsMadeOnceAndKeptWhateverItIsCalledLater() throws {
        try bench({ _ in }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let album = try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).first)
            try bench.perform(
                .renameAlbum(AlbumRenaming(localIdentifier: album.localIdentifier, title: PathBytes("Renamed"))))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.albums(of: "in/b.jpg") == ["Renamed"])
        }
    }

    @Test func anAlbumOfTheTitleIsTakenWhereThereIsOne() throws {
        try bench({ _ in }) { bench in
            let album = LocalIdentifier(fixedUUID(2))
            try bench.perform(.createAlbum(AlbumCreation(localIdentifier: album, title: PathBytes("Inbox"))))
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.catalogue().albums(titled: PathBytes("Inbox")).map(\.localIdentifier) == [album])
        }
    }

    @Test func aMissingAlbumIsMadeAgain() throws {
        try bench({ _ in }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try loseAlbum(bench)
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.albums(of: "in/b.jpg") == ["Inbox"])
        }
    }

    @Test func aMissingAlbumHoldsWhereTheRuleSaysSo() throws {
        try bench({ $0.onAlbumMissing = .hold }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try loseAlbum(bench)
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            let held = try #require(try bench.source("in/b.jpg"))
            #expect(held.outcome == .blocked && held.reason == .albumMissing)
            #expect(try bench.catalogue().assetCount() == 1)
            #expect(try bench.catalogue().contentCounts().all == 1)
        }
    }

    /// An undo that takes the album along deletes it like anything else, and asks nobody.
    @Test(arguments: FolderRule.MissingAlbum.allCases)
    func anAlbumThatWentWithAnUndoneImportIsMissing(rule: FolderRule.MissingAlbum) throws {
        try bench({ $0.onAlbumMissing = rule }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let lines = try bench.catalogue().history(after: 0, limit: .max)
            try bench.undo(try #require(lines.last { $0.changes.contains("createAlbum") }).token)
            try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).isEmpty)
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            let held = try #require(try bench.source("in/b.jpg"))
            #expect((held.reason == .albumMissing) == (rule == .hold))
            #expect((held.outcome == .imported) == (rule == .recreate))
        }
    }

    @Test func aMissingAlbumIsNotMadeBesideOneOfItsTitle() throws {
        try bench({ _ in }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try loseAlbum(bench)
            let album = LocalIdentifier(fixedUUID(2))
            try bench.perform(.createAlbum(AlbumCreation(localIdentifier: album, title: PathBytes("Inbox"))))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.catalogue().albums(titled: PathBytes("Inbox")).map(\.localIdentifier) == [album])
            #expect(try bench.albums(of: "in/b.jpg") == ["Inbox"])
        }
    }

    @Test func anEditOnHoldKeepsItsMappingAndIsAnEditAfterwards() throws {
        try bench({ $0.onAlbumMissing = .hold }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let asset = try bench.source("in/a.jpg")?.localIdentifier
            try loseAlbum(bench)
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            let held = try #require(try bench.source("in/a.jpg"))
            #expect(held.outcome == .blocked)
            #expect(held.localIdentifier == asset)
            bench.rules[0].onAlbumMissing = .recreate
            bench.post(.setFolders(bench.rules))
            try bench.scan()
            #expect(try bench.source("in/a.jpg")?.localIdentifier == asset)
            #expect(try bench.source("in/a.jpg")?.outcome == .updated)
        }
    }

    @Test func aTitleThatTwoAlbumsHaveHoldsUntilItIsPlain() throws {
        try bench({ _ in }) { bench in
            let albums = [LocalIdentifier(fixedUUID(3)), LocalIdentifier(fixedUUID(4))]
            try bench.perform(
                albums.map { .createAlbum(AlbumCreation(localIdentifier: $0, title: PathBytes("Inbox"))) })
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.reason == .ambiguousTitle)
            #expect(try bench.catalogue().assetCount() == 0)
            try bench.perform(
                .renameAlbum(AlbumRenaming(localIdentifier: albums[0], title: PathBytes("Other"))))
            try bench.scan()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox"])
        }
    }

    @Test func aTreeHasAnAlbumForEachDirectory() throws {
        try bench({ $0.albums = .tree }) { bench in
            try bench.makeDirectory("in/2024")
            try bench.makeDirectory("in/2024/May")
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.write("in/2024/b.jpg", SampleMedia.picture(2))
            try bench.write("in/2024/May/c.jpg", SampleMedia.picture(3))
            try bench.flush()
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox"])
            #expect(try bench.albums(of: "in/2024/b.jpg") == ["2024"])
            #expect(try bench.albums(of: "in/2024/May/c.jpg") == ["2024/May"])
            try bench.rename("in/2024/b.jpg", to: "in/2024/May/b.jpg")
            try bench.flush()
            #expect(try bench.albums(of: "in/2024/May/b.jpg") == ["2024/May"])
        }
    }

    @Test func aNewTitleInTheRuleIsANewAlbumForWhatComesThen() throws {
        try bench({ _ in }) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            bench.rules[0].album = "Later"
            bench.post(.setFolders(bench.rules))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox"])
            #expect(try bench.albums(of: "in/b.jpg") == ["Later"])
        }
    }
}
