import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Testing

/// A rename keeps the identifier, and moves between albums what the folders put there (I08, I05 of CASES; RULES I27).
@Suite struct RenameTests {
    @Test(arguments: BenchDisk.allCases) func aRenameInsideAFolderKeepsTheIdentifier(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.rename("in/a.jpg", to: "in/b.jpg")
            try bench.flush()
            let source = try #require(try bench.source("in/b.jpg"))
            #expect(source.localIdentifier == asset)
            #expect(source.outcome == .imported && source.reason == .moved)
            #expect(try bench.source("in/a.jpg") == nil)
            #expect(try bench.albums(of: "in/b.jpg") == ["Inbox"])
        }
    }

    @Test(arguments: BenchDisk.allCases) func aRenamedDirectoryKeepsTheIdentifiersInIt(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.makeDirectory("in/d")
            try bench.rename("in/a.jpg", to: "in/d/a.jpg")
            try bench.flush()
            try bench.rename("in/d", to: "in/e")
            try bench.flush()
            #expect(try bench.source("in/e/a.jpg")?.localIdentifier == asset)
            #expect(try bench.catalogue().sources(of: asset).count == 1)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aMoveBetweenFoldersChangesTheAlbum(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.rename("in/a.jpg", to: "two/a.jpg")
            try bench.flush()
            #expect(try bench.source("two/a.jpg")?.localIdentifier == asset)
            #expect(try bench.albums(of: "two/a.jpg") == ["Two"])
        }
    }

    @Test func aMoveLeavesTheAlbumThatAPersonPutItInto() throws {
        try imported(on: .simulated) { bench, asset in
            let album = try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).first).localIdentifier
            try bench.perform(.addAssets(AlbumAddition(album: album, assets: [asset], addedBy: .person)))
            try bench.rename("in/a.jpg", to: "two/a.jpg")
            try bench.flush()
            #expect(try bench.albums(of: "two/a.jpg") == ["Inbox", "Two"])
        }
    }

    @Test func aMoveLeavesTheAlbumInWhichAnotherSourceKeepsIt() throws {
        try imported(on: .simulated) { bench, _ in
            try bench.write("in/copy.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.rename("in/a.jpg", to: "two/a.jpg")
            try bench.flush()
            #expect(try bench.albums(of: "two/a.jpg") == ["Inbox", "Two"])
        }
    }

    @Test func whatAPersonTookOutStaysOutWhateverTheFileDoes() throws {
        try imported(on: .simulated) { bench, asset in
            let album = try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).first).localIdentifier
            try bench.perform(.removeAssets(AlbumRemoval(album: album, assets: [asset], removedBy: .person)))
            try bench.rename("in/a.jpg", to: "in/b.jpg")
            try bench.write("in/c.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.scan()
            #expect(try bench.albums(of: "in/b.jpg") == [])
        }
    }

    @Test(arguments: BenchDisk.allCases) func twoFilesThatSwapTheirNamesKeepTheirIdentifiers(disk: BenchDisk) throws {
        try imported(on: disk) { bench, first in
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            let second = try bench.source("in/b.jpg")?.localIdentifier
            try bench.rename("in/a.jpg", to: "in/swap")
            try bench.rename("in/b.jpg", to: "in/a.jpg")
            try bench.rename("in/swap", to: "in/b.jpg")
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.localIdentifier == second)
            #expect(try bench.source("in/b.jpg")?.localIdentifier == first)
            #expect(try bench.catalogue().assetCount() == 2)
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox"])
            #expect(try bench.albums(of: "in/b.jpg") == ["Inbox"])
        }
    }

    @Test(arguments: BenchDisk.allCases) func aCopyWhoseOriginalIsGoneIsTheSameAsset(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.write("in/b.jpg", SampleMedia.picture(1))
            try bench.remove("in/a.jpg")
            try bench.flush()
            #expect(try bench.source("in/b.jpg")?.localIdentifier == asset)
            #expect(try bench.catalogue().sources(of: asset).count == 1)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aNewPictureUnderTheNameOfADeletedOneIsItsOwn(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.remove("in/a.jpg")
            try bench.flush()
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(source.localIdentifier != asset)
            #expect(source.reason == .sourceReplaced)
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    @Test func aFileThatLeftTheFoldersKeepsItsMapping() throws {
        try imported(on: .simulated) { bench, asset in
            try bench.makeDirectory("away")
            try bench.rename("in/a.jpg", to: "away/a.jpg")
            try bench.flush()
            try bench.scan()
            #expect(try bench.source("in/a.jpg")?.localIdentifier == asset)
            try bench.rename("away/a.jpg", to: "in/c.jpg")
            try bench.flush()
            #expect(try bench.source("in/c.jpg")?.localIdentifier == asset)
            #expect(try bench.source("in/a.jpg") == nil)
        }
    }
}
