import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A person deletes assets, takes them back, and empties Recently Deleted.
    @BlockingThread struct Deletion {
        @Test func aDeletedAssetComesBackAsItWas() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                let deleted = try albumd.delete(drop)
                #expect(deleted.token != nil && deleted.rows.map(\.localIdentifier) == [identifier])
                #expect(deleted.rows.first?.state == .trashed && deleted.rows.first?.daysLeft == 30)
                #expect(try albumd.assets().isEmpty && albumd.album("Inbox").count == 0)
                #expect(try albumd.mapping(drop.path)?.state == .trashed)
                #expect(try albumd.asset(identifier).trashing?.reason == .person)
                #expect(try albumd.original(identifier) == drop.bytes)
                #expect(try albumd.status().deletion.trashedCount == 1 && !albumd.status().isDegraded)
                #expect(try albumd.other.read(drop.path) == drop.bytes)
                try albumd.restoreAll()
                try expectImported([drop], by: albumd)
                #expect(try albumd.identifier(of: drop.path) == identifier && albumd.album("Inbox").count == 1)
                let story = try albumd.why(drop.path).events.map(\.text)
                #expect(story.contains { $0.hasPrefix("moved to Recently Deleted: deleted by command") }, "\(story)")
                #expect(story.contains { $0.hasPrefix("taken back out of Recently Deleted") }, "\(story)")
            }
        }

        @Test func severalAreDeletedAtOnceOrNone() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let paths = drops.map { SubjectRequest(path: PathBytes($0.path)) }
                let wrong = SubjectRequest(path: PathBytes(albumd.path("nothing.jpg")))
                let refusal = try albumd.refusal(of: "/v1/assets/delete", AssetsRequest(subjects: paths + [wrong]))
                #expect(refusal.type == "albumd:notMapped" && refusal.exitCode == 4)
                #expect(try albumd.trash().isEmpty)
                try albumd.awaitFacts()
                let before = try albumd.status().token
                let deleted: TrashResult = try albumd.post("/v1/assets/delete", AssetsRequest(subjects: paths))
                #expect(deleted.token == before + 1 && deleted.rows.count == 3)
            }
        }

        @Test func aDryRunChangesNothing() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let subject = [SubjectRequest(path: PathBytes(drop.path))]
                let dry: TrashResult = try albumd.post(
                    "/v1/assets/delete", AssetsRequest(subjects: subject, isDryRun: true))
                #expect(dry.token == nil && dry.rows.first?.state == .live)
                try albumd.delete(drop)
                let purge: TrashResult = try albumd.post(
                    "/v1/trash/purge", AssetsRequest(subjects: nil, all: true, isDryRun: true))
                #expect(purge.freedByteCount == Int64(drop.bytes.count) && purge.rows.first?.state == .trashed)
                #expect(try albumd.trash().count == 1)
            }
        }

        @Test func aPurgedAssetIsGoneWithItsBytes() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                let subject = AssetsRequest(subjects: [SubjectRequest(localIdentifier: identifier)])
                #expect(try albumd.refusal(of: "/v1/trash/purge", subject).type == "albumd:notTrashed")
                try albumd.delete(drop)
                let purged = try albumd.purgeAll()
                #expect(purged.freedByteCount == Int64(drop.bytes.count) && purged.rows.first?.state == .purged)
                #expect(purged.rows.first?.daysLeft == nil)
                for path in ["", "/original"] {
                    #expect(try albumd.client.send(.get, "/v1/assets/\(identifier.uuid)\(path)").status == 404)
                }
                #expect(try albumd.refusal(of: "/v1/trash/restore", subject).type == "albumd:assetPurged")
                #expect(try albumd.mapping(drop.path)?.state == .dangling)
                #expect(try albumd.status().originalCount == 0)
                let story = try albumd.why(drop.path).events.last?.text ?? ""
                #expect(story.hasPrefix("deleted for good"), "\(story)")
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// `on_asset_deleted = "remove"`: the file goes, and what comes back is not the file.
        @Test func theFileFollowsItsAssetWhereTheFolderSaysSo() throws {
            try withAlbumd(Setup(folders: [.obedient])) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                let other = try albumd.drop("b.jpg", SampleMedia.jpeg(2))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.delete(drop)
                try albumd.flush()
                #expect(access(drop.path, F_OK) != 0 && access(other.path, F_OK) == 0)
                try albumd.restoreAll()
                try albumd.flush()
                #expect(try albumd.asset(identifier).state == .live && albumd.original(identifier) == drop.bytes)
                #expect(access(drop.path, F_OK) != 0)
            }
        }

        /// I05: a name in Recently Deleted says nothing of the file that has it now.
        @Test func purgingAnOldFileLeavesTheNewOneOfItsName() throws {
            try withAlbumd { albumd in
                let old = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.delete(old)
                try albumd.other.unlink(old.path)
                try albumd.flush()
                let new = try albumd.drop("a.jpg", SampleMedia.jpeg(2))
                try albumd.flush()
                #expect(try albumd.purgeAll().rows.count == 1)
                try expectImported([new], by: albumd)
            }
        }

        /// I06: the same bytes after a purge are a new photo.
        @Test func aPurgedPhotoCanComeBackAsANewOne() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let old = try albumd.identifier(of: drop.path)
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                #expect(try albumd.trash().map(\.reason) == [.sourceDeleted])
                try albumd.purgeAll()
                try albumd.drop("again.jpg", drop.bytes)
                try albumd.flush()
                let again = Drop(path: albumd.path("again.jpg"), bytes: drop.bytes)
                try expectImported([again], by: albumd)
                #expect(try albumd.identifier(of: again.path) != old)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Nor do its bytes come back to the disk because its file got another name.
        @Test func theRenamedFileOfAPhotoThatWasDeletedForGoodIsNotStored() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.delete(drop)
                try albumd.purgeAll()
                #expect(rename(drop.path, albumd.path("b.jpg")) == 0)
                try albumd.flush()
                try albumd.reconcile()
                #expect(try albumd.assets().isEmpty)
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try albumd.status().orphanCount == 0)
            }
        }

        /// Its file that stayed, saved by a person, is known by its path again.
        @Test func whatWasDeletedForGoodAndSavedAgainIsFoundByItsPath() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.delete(drop)
                try albumd.purgeAll()
                #expect(try albumd.why(drop.path).summary.contains("which is deleted for good now"))
                let unsafe = try albumd.albumctl("safe", drop.path)
                #expect(unsafe.code == 1 && unsafe.output.contains("only albumctl save FILE"), "\(unsafe.output)")
                #expect(try albumd.albumctl("save", drop.path).code == 0)
                #expect(try albumd.albumctl("safe", drop.path).code == 0)
                let again = try #require(try albumd.assets().first?.localIdentifier)
                #expect(try albumd.why(drop.path).summary.contains("saved again, as \(again)"))
                #expect(try albumd.albumctl("cloud", "evict", "--path", drop.path).code == 0)
                #expect(try albumd.residencies() == [.inCloud])
                try albumd.delete(drop)
                #expect(try albumd.trash().map(\.localIdentifier) == [again])
            }
        }

        /// I07: a deleted photo stays deleted while its own file lies there; a copy of it is a wish to have it back.
        @Test func aFileThatStaysDoesNotBringItsPhotoBackAndACopyDoes() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.delete(drop)
                chmod(drop.path, 0o600)
                try albumd.other.rename(drop.path, to: albumd.path("moved.jpg"))
                try albumd.flush()
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.asset(identifier).state == .trashed)
                let copy = try albumd.drop("copy.jpg", drop.bytes)
                try albumd.flush()
                try expectImported([copy], by: albumd)
                #expect(try albumd.identifier(of: copy.path) == identifier)
                #expect(try albumd.mapping(copy.path)?.outcome == .restored && albumd.album("Inbox").count == 1)
            }
        }

        /// RULES R11: what removes works on a full disk, and makes room.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"))
        func onAFullDiskDeletingAndPurgingMakeRoom() throws {
            try withAlbumd(isStarted: false) { albumd in
                let library = albumd.installation.library
                try albumd.other.makeDirectory(library)
                albumd.installation.setup.wrapper = Privilege.withFileSystem(at: library, options: "size=3m")
                try #require(try albumd.start() == nil)
                let drops = try (0..<5).map { try albumd.drop("\($0).jpg", SampleMedia.jpeg($0, byteCount: 1 << 20)) }
                try albumd.flush()
                let imported = try drops.filter { try albumd.mapping($0.path) != nil }
                try #require(!imported.isEmpty && imported.count < drops.count)
                for drop in imported { try albumd.delete(drop) }
                #expect(try albumd.trash().count == imported.count)
                #expect(try albumd.purgeAll().freedByteCount == Int64(imported.map(\.bytes.count).reduce(0, +)))
                #expect(try albumd.status().originalCount == 0)
                let _: CountResult = try albumd.post("/v1/retry", SubjectRequest.everything)
                try albumd.flush()
                let waiting = drops.filter { drop in !imported.contains { $0.path == drop.path } }
                #expect(try waiting.contains { try albumd.mapping($0.path)?.state == .live })
            }
        }
    }
}

extension SubjectRequest {
    fileprivate static var everything: SubjectRequest {
        var request = SubjectRequest()
        request.all = true
        return request
    }
}
