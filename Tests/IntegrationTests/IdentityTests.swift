import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Which file is which asset.
    @BlockingThread struct Identity {
        /// I01: the same name and second in two directories.
        @Test func twoFilesOfOneNameAreTwoAssets() throws {
            try withAlbumd { albumd in
                for directory in ["a", "b"] { try albumd.makeDirectories(directory) }
                let drops = [
                    try albumd.drop("a/IMG_0001.jpg", SampleMedia.jpeg(1)),
                    try albumd.drop("b/IMG_0001.jpg", SampleMedia.jpeg(2)),
                ]
                for drop in drops { try albumd.other.touch(drop.path, modified: 1_700_000_000_000_000_000) }
                try albumd.flush()
                try expectImported(drops, by: albumd)
                #expect(try albumd.assets().map(\.originalFilename) == ["IMG_0001.jpg", "IMG_0001.jpg"])
            }
        }

        /// I02: a burst within one second.
        @Test func twentyFilesOfOneSecondAreTwentyAssets() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<20)
                for drop in drops { try albumd.other.touch(drop.path, modified: 1_700_000_000_000_000_000) }
                try albumd.flush()
                try expectImported(drops, by: albumd)
                #expect(try albumd.assets().count == 20)
            }
        }

        /// I05, as far as this goes without deletion: a name that comes again is another file.
        @Test func aNewFileUnderAnOldNameIsANewAssetAndTheOldOneStays() throws {
            try withAlbumd { albumd in
                let first = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let old = try albumd.identifier(of: first.path)
                try albumd.other.write(albumd.path("fresh"), SampleMedia.jpeg(2))
                try albumd.other.unlink(first.path)
                try albumd.other.rename(albumd.path("fresh"), to: first.path)
                try albumd.flush()
                try expectImported([Drop(path: first.path, bytes: SampleMedia.jpeg(2))], by: albumd)
                #expect(try albumd.identifier(of: first.path) != old)
                #expect(try albumd.mapping(first.path)?.reason == .sourceReplaced)
                #expect(try albumd.asset(old).state == .live && albumd.original(old) == first.bytes)
            }
        }

        /// I08: a move within the tree.
        @Test func aFileMovedWithinTheFolderKeepsItsIdentifier() throws {
            try withAlbumd { albumd in
                for directory in ["in", "2024"] { try albumd.makeDirectories(directory) }
                let drop = try albumd.drop("in/x.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.other.rename(drop.path, to: albumd.path("2024/x.jpg"))
                try albumd.flush()
                #expect(try albumd.identifier(of: albumd.path("2024/x.jpg")) == identifier)
                #expect(try albumd.mapping(drop.path) == nil)
                #expect(try albumd.assets().count == 1 && albumd.album("Inbox").count == 1)
            }
        }

        @Test func aDirectoryOfFilesMovedWithinTheFolderKeepsTheirIdentifiers() throws {
            try withAlbumd { albumd in
                try albumd.makeDirectories("card/deep")
                let drops = try albumd.dropPictures(0..<20, name: "card/deep/IMG")
                try albumd.flush()
                let before = try drops.map { try albumd.identifier(of: $0.path) }
                try albumd.other.rename(albumd.path("card"), to: albumd.path("holiday"))
                try albumd.flush()
                let after = try (0..<20).map { try albumd.identifier(of: albumd.path("holiday/deep/IMG_\($0).jpg")) }
                #expect(before == after)
                #expect(try albumd.assets().count == 20)
            }
        }

        @Test func aFileMovedToAnotherFolderKeepsItsIdentifierAndChangesItsAlbum() throws {
            let folders = [TestFolder(name: "phone", album: "Phone"), TestFolder(name: "card", album: "Card")]
            try withAlbumd(Setup(folders: folders)) { albumd in
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1), in: "phone")
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.other.rename(drop.path, to: albumd.path("x.jpg", in: "card"))
                try albumd.flush()
                #expect(try albumd.identifier(of: albumd.path("x.jpg", in: "card")) == identifier)
                #expect(try albumd.album("Phone").count == 0 && albumd.album("Card").count == 1)
            }
        }

        /// I12: names that differ in their composition alone.
        @Test func composedAndDecomposedNamesAreTwoFiles() throws {
            try withAlbumd { albumd in
                let drops = [
                    try albumd.drop("\u{E9}.jpg", SampleMedia.jpeg(1)),
                    try albumd.drop("e\u{301}.jpg", SampleMedia.jpeg(2)),
                ]
                try albumd.flush()
                try expectImported(drops, by: albumd)
                let names = try albumd.assets().map { Array($0.originalFilename.utf8) }
                #expect(Set(names) == [Array("\u{E9}.jpg".utf8), Array("e\u{301}.jpg".utf8)])
            }
        }

        /// I13: a movie and a picture of one name, twice in different case.
        @Test func filesThatDifferInTheirSuffixOrItsCaseAreAllKept() throws {
            try withAlbumd { albumd in
                let drops = [
                    try albumd.drop("IMG.MOV", SampleMedia.movie(1, brand: "qt  ")),
                    try albumd.drop("IMG.mov", SampleMedia.movie(2, brand: "qt  ")),
                    try albumd.drop("IMG.HEIC", SampleMedia.heic(3)),
                ]
                try albumd.flush()
                try expectImported(drops, by: albumd)
                #expect(Set(try albumd.assets().map(\.originalFilename)) == ["IMG.MOV", "IMG.mov", "IMG.HEIC"])
            }
        }

        /// I21: two names of one file.
        @Test func anAssetKeepsASourceAsLongAsOneOfItsHardLinksIsThere() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.other.makeHardLink(albumd.path("b.jpg"), of: drop.path)
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                #expect(try albumd.identifier(of: albumd.path("b.jpg")) == identifier)
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                #expect(try albumd.identifier(of: albumd.path("b.jpg")) == identifier)
                #expect(try albumd.assets().count == 1 && albumd.asset(identifier).state == .live)
            }
        }

        /// I22: other bytes under the same size and modification time.
        @Test func bytesRewrittenUnderTheOldTimeAreNoticed() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                try albumd.other.touch(drop.path, modified: 1_700_000_000_000_000_000)
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                #expect(try albumd.stop() == .code(0))
                let edited = try albumd.drop("x.jpg", SampleMedia.jpeg(2))
                try albumd.other.touch(drop.path, modified: 1_700_000_000_000_000_000)
                try #require(edited.bytes.count == drop.bytes.count)
                try albumd.start()
                try albumd.flush()
                try expectImported([edited], by: albumd)
                #expect(try albumd.identifier(of: drop.path) == identifier)
                let versions = try albumd.asset(identifier).resources.first?.versions.map(\.sha256)
                #expect(versions == [drop.hash, edited.hash])
            }
        }

        /// RULES I22: whatever a writer does meanwhile, only what was once whole is imported.
        @Test func aFileRewrittenOverAndOverIsNeverImportedTorn() throws {
            try withAlbumd(Setup(folders: [TestFolder(settle: "0s")])) { albumd in
                let contents = (0..<40).map { SampleMedia.jpeg($0, byteCount: 300_000) }
                for content in contents { try albumd.drop("x.jpg", content) }
                try albumd.flush()
                let known = Set(contents.map(sha256))
                for asset in try albumd.assets() {
                    for version in asset.resources.flatMap(\.versions) { #expect(known.contains(version.sha256)) }
                }
                try expectImported([Drop(path: albumd.path("x.jpg"), bytes: contents[39])], by: albumd)
            }
        }

        /// RULES I31: looking twice changes nothing.
        @Test func aSecondReconcileCommitsNothing() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<10)
                try albumd.drop("notes.txt", Array("text".utf8))
                try albumd.other.makeSymlink(albumd.path("link"), to: "notes.txt")
                try albumd.flush()
                try albumd.reconcile()
                try albumd.awaitFacts()
                let token = try albumd.status().token
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.status().token == token)
            }
        }
    }
}
