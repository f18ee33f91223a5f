import Control
import FoundationEssentials
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A dropped file becomes an asset of its folder's album.
    @BlockingThread struct MainJob {
        @Test func aDroppedFileBecomesAnAssetOfTheFoldersAlbum() throws {
            try withAlbumd { albumd in
                let drops = [
                    try albumd.drop("IMG_0001.jpg", SampleMedia.jpeg(1)),
                    try albumd.drop("shot.png", SampleMedia.png(2)),
                    try albumd.drop("cat.gif", SampleMedia.gif(3)),
                    try albumd.drop("clip.mp4", SampleMedia.movie(4)),
                    try albumd.drop("clip.mov", SampleMedia.movie(5, brand: "qt  ")),
                ]
                #expect(try albumd.flush().waiting == [:])
                try expectImported(drops, by: albumd)
                let album = try albumd.album("Inbox")
                let members = try albumd.assets(in: album.localIdentifier)
                #expect(try members == albumd.assets() && album.count == 5)
                #expect(
                    members.map(\.originalFilename).sorted()
                        == drops.map { String($0.path.split(separator: "/").last ?? "") }.sorted())
                #expect(members.count { $0.mediaType == .video } == 2)
                for drop in drops { #expect(try albumd.other.read(drop.path) == drop.bytes) }
            }
        }

        @Test func whatIsNoMediaIsSkippedWithItsReason() throws {
            try withAlbumd { albumd in
                let names = ["notes.txt", "IMG_1.xmp", "IMG_1.aae", "list.json"]
                for name in names { try albumd.drop(name, Array("<p>nobody's sidecar</p>\n".utf8)) }
                try albumd.flush()
                for name in names {
                    let report = try albumd.why(albumd.path(name))
                    #expect(report.summary.contains("skipped (notMedia)"), "\(report.summary)")
                }
                #expect(try albumd.assets().isEmpty && albumd.pending().isEmpty)
                #expect(try !albumd.status().isDegraded)
            }
        }

        @Test func theSameBytesInTwoFoldersAreOneAssetInBothAlbums() throws {
            let folders = [TestFolder(name: "phone", album: "Phone"), TestFolder(name: "card", album: "Card")]
            try withAlbumd(Setup(folders: folders)) { albumd in
                let first = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "phone")
                try albumd.flush()
                let second = try albumd.drop("b.jpg", SampleMedia.jpeg(1), in: "card")
                try albumd.flush()
                try expectImported([first, second], by: albumd)
                #expect(try albumd.mapping(second.path)?.outcome == .duplicate)
                #expect(try albumd.identifier(of: first.path) == albumd.identifier(of: second.path))
                #expect(try albumd.assets().count == 1)
                #expect(try albumd.album("Phone").count == 1 && albumd.album("Card").count == 1)
            }
        }

        @Test func moveModeRemovesTheSourceOnlyAfterTheOriginalIsProven() throws {
            try withAlbumd(Setup(folders: [TestFolder(lines: ["mode = \"move\""])])) { albumd in
                let drops = try albumd.dropPictures(0..<12)
                let text = try albumd.drop("notes.txt", Array("not mine".utf8))
                try albumd.flush()
                try expectImported(drops, by: albumd)
                for drop in drops { #expect(throws: FileError.self) { try albumd.other.read(drop.path) } }
                #expect(try albumd.other.read(text.path) == text.bytes)
                #expect(try albumd.album("Inbox").count == 12)
            }
        }

        @Test func theWayOfAFileIsToldInItsStory() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let report = try albumd.why(drop.path)
                let identifier = try albumd.identifier(of: drop.path)
                #expect(report.localIdentifier == identifier && report.albums.map(\.title) == ["Inbox"])
                #expect(report.events.contains { $0.text.contains("read lease granted") }, "\(report.events)")
                #expect(try report.asset == albumd.asset(identifier))
            }
        }

        @Test func everyDirectoryHasItsAlbumWhereTheRuleSaysTree() throws {
            try withAlbumd(Setup(folders: [TestFolder(lines: ["albums = \"tree\""])])) { albumd in
                try albumd.makeDirectories("2024/summer")
                let drops = [
                    try albumd.drop("top.jpg", SampleMedia.jpeg(1)),
                    try albumd.drop("2024/summer/a.jpg", SampleMedia.jpeg(2)),
                    try albumd.drop("2024/summer/b.jpg", SampleMedia.jpeg(3)),
                ]
                try albumd.flush()
                try expectImported(drops, by: albumd)
                #expect(try albumd.album("Inbox").count == 1)
                #expect(try albumd.album("2024/summer").count == 2)
            }
        }

        /// RULES R26, I28: scanning is the truth, watching a hint.
        @Test(.enabled(if: Privilege.canUnshareUsers, "needs user namespaces"))
        func withInotifySwitchedOffEverythingStillArrives() throws {
            let wrapper = Privilege.inUserNamespace(setting: "user/max_inotify_instances", to: 0)
            try withAlbumd(Setup(wrapper: wrapper)) { albumd in
                try albumd.makeDirectories("a/b")
                let drops = try albumd.dropPictures(0..<20) + [albumd.drop("a/b/deep.jpg", SampleMedia.jpeg(99))]
                try albumd.flush()
                try expectImported(drops, by: albumd)
                let folder = try #require(try albumd.status().folders.first)
                #expect(folder.watching == "polling" && folder.watchingDetail != nil)
                #expect(try albumd.status().isDegraded)
            }
        }

        @Test func aRestartGoesOnAsIfNothingHadBeen() throws {
            try withAlbumd { albumd in
                let before = try albumd.dropPictures(0..<5)
                try albumd.flush()
                let identifiers = try before.map { try albumd.identifier(of: $0.path) }
                #expect(try albumd.stop() == .code(0))
                let meanwhile = try albumd.dropPictures(5..<10)
                try albumd.start()
                try albumd.flush()
                try expectImported(before + meanwhile, by: albumd)
                #expect(try before.map { try albumd.identifier(of: $0.path) } == identifiers)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }
    }
}
