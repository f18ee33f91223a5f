import Control
import FoundationEssentials
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A folder with `on_source_deleted = "trash"`: what leaves it is in Recently Deleted, masses wait, moves are none.
    @BlockingThread struct MirroredFolder {
        @Test func aDeletedFileTrashesItsPhotoAndARestoredOneStays() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let identifier = try albumd.identifier(of: drops[0].path)
                try albumd.other.unlink(drops[0].path)
                try albumd.flush()
                #expect(try albumd.trash().map(\.localIdentifier) == [identifier])
                #expect(try albumd.trash().first?.folder == albumd.scratch.path("inbox"))
                #expect(try albumd.mapping(drops[0].path)?.departedDate != nil)
                try albumd.restoreAll()
                try albumd.reconcile()
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.trash().isEmpty && albumd.asset(identifier).state == .live)
                #expect(try albumd.album("Inbox").count == 3)
                let story = try albumd.why(drops[0].path).events.map(\.text)
                #expect(story.contains { $0.hasPrefix("its file is gone (unlinkSeen)") }, "\(story)")
            }
        }

        /// M09, X13: only the file of exactly these bytes is gone.
        @Test func ofNamesThatLookAlikeOnlyTheDeletedOneGoes() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                let names: [[UInt8]] = [
                    Array("TEST.jpg".utf8), Array("test.jpg".utf8), [0xFF, 0xFE] + Array(".jpg".utf8),
                    [0xFE, 0xFF] + Array(".jpg".utf8), Array("\u{FFFD}\u{FFFD}.jpg".utf8),
                    Array("e\u{301}.jpg".utf8), Array("\u{E9}.jpg".utf8),
                ]
                let paths = names.map { PathBytes(Array(albumd.path("").utf8) + $0) }
                for (number, path) in paths.enumerated() {
                    try albumd.other.write(path.bytes, SampleMedia.jpeg(number))
                }
                try albumd.flush()
                let deleted = [0, 2, 5]
                for number in deleted { try albumd.other.unlink(paths[number].bytes) }
                try albumd.flush()
                for (number, path) in paths.enumerated() {
                    #expect(try albumd.mapping(path)?.state == (deleted.contains(number) ? .trashed : .live))
                }
            }
        }

        /// I08, I21: a move is no deletion, and an asset with another file stays.
        @Test func aMovedFileAndASecondLinkKeepTheirPhotos() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                try albumd.makeDirectories("2024")
                let moved = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                let linked = try albumd.drop("a.jpg", SampleMedia.jpeg(2))
                let link = Drop(path: albumd.path("b.jpg"), bytes: linked.bytes)
                try albumd.other.makeHardLink(Array(link.path.utf8), of: Array(linked.path.utf8))
                try albumd.flush()
                let before = try [moved, linked].map { try albumd.identifier(of: $0.path) }
                try albumd.other.rename(moved.path, to: albumd.path("2024/x.jpg"))
                try albumd.other.unlink(linked.path)
                try albumd.flush()
                try albumd.expectLive([Drop(path: albumd.path("2024/x.jpg"), bytes: moved.bytes), link], before)
                try albumd.other.unlink(link.path)
                try albumd.flush()
                #expect(try albumd.trash().map(\.localIdentifier) == [before[1]])
            }
        }

        /// R34: so many at once wait, whole, for a person.
        @Test func aMassDeletionWaitsForItsToken() throws {
            try withMassDeletion { albumd, drops, identifiers in
                try albumd.expectLive(drops, identifiers)
                let status = try albumd.status()
                let held = try #require(status.deletion.needsConfirmation.first)
                #expect(status.isDegraded && held.count == 25 && held.paths.count == 3)
                let problem = try #require(status.problems.first { $0.kind == "needsConfirmation" })
                #expect(problem.fix.contains("albumctl confirm \(held.token)"))
                #expect(try albumd.why(drops[0].path).summary.contains("albumctl confirm \(held.token)"))
                let metrics = String(decoding: try albumd.client.send(.get, "/v1/metrics").body, as: UTF8.self)
                #expect(metrics.contains("albumd_deletions_held 25\n") && metrics.contains("albumd_trashed 0\n"))
                #expect(metrics.contains("albumd_deletions_to_confirm 1\n"))
                let dry: ConfirmResult = try albumd.post(
                    "/v1/trash/confirm", ConfirmRequest(token: held.token, isDryRun: true))
                #expect(Set(dry.held.paths) == Set(drops.map(\.path)) && dry.trashedCount == 0)
                let done: ConfirmResult = try albumd.post("/v1/trash/confirm", ConfirmRequest(token: held.token))
                #expect(done.trashedCount == 25)
                #expect(try albumd.trash().allSatisfy { $0.reason == .sourceDeletionConfirmed })
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.restoreAll().rows.count == 25)
                #expect(try albumd.album("Inbox").count == 25)
            }
        }

        @Test func filesThatAreBackEndTheWaiting() throws {
            try withMassDeletion { albumd, drops, identifiers in
                let token = try #require(try albumd.status().deletion.needsConfirmation.first).token
                for drop in drops { try albumd.other.write(drop.path, drop.bytes) }
                try albumd.flush()
                #expect(try albumd.status().deletion.needsConfirmation.isEmpty)
                #expect(try albumd.refusal(of: "/v1/trash/confirm", ConfirmRequest(token: token)).status == 404)
                try albumd.expectLive(drops, identifiers)
                try expectImported(drops, by: albumd)
            }
        }

        /// What a restart forgets is looked for again, said until then, and its token deletes nothing before.
        @Test func aRestartDeletesNothingOfWhatWaits() throws {
            try withMassDeletion { albumd, drops, identifiers in
                let token = try #require(try albumd.status().deletion.needsConfirmation.first).token
                try albumd.stop()
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try albumd.expectLive(drops, identifiers)
                let status = try albumd.status()
                #expect(status.folders.first?.missedCount == 25 && status.folders.first?.isLookedThrough == false)
                #expect(status.summary.contains("deletions have not been looked for yet"), "\(status.summary)")
                for isDryRun in [true, false] {
                    let refusal = try albumd.refusal(
                        of: "/v1/trash/confirm", ConfirmRequest(token: token, isDryRun: isDryRun))
                    #expect(refusal.status == 409 && refusal.type == "albumd:notLookedThrough")
                }
                for drop in drops { try albumd.other.write(drop.path, drop.bytes) }
                try albumd.flush()
                #expect(try albumd.status().folders.first?.missedCount == 0)
                try albumd.expectLive(drops, identifiers)
            }
        }

        /// 25 photos whose files were deleted at once.
        private func withMassDeletion(
            test: String = #function, _ body: (Albumd, [Drop], [LocalIdentifier]) throws -> Void
        ) throws {
            try withAlbumd(Setup(folders: [.mirrored]), test: test) { albumd in
                let drops = try albumd.dropPictures(0..<25)
                try albumd.flush()
                let identifiers = try drops.map { try albumd.identifier(of: $0.path) }
                for drop in drops { try albumd.other.unlink(drop.path) }
                try albumd.flush()
                try body(albumd, drops, identifiers)
            }
        }
    }
}
