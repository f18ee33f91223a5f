import Control
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// One change reversed, on the real daemon.
    @BlockingThread struct Undoing {
        private static let moving = Setup(folders: [
            TestFolder(), TestFolder(name: "moving", album: "Moved", lines: ["mode = \"move\""]),
        ])

        private func undo(_ token: Int64, putsBack: Bool = false, in albumd: Albumd) throws -> UndoResult {
            try albumd.post("/v1/undo", UndoRequest(token: token, putsBack: putsBack))
        }

        private func names(in directory: String) throws -> [String] {
            let files = LinuxFiles()
            return try files.list(try files.openDirectory(Array(directory.utf8)))
                .map { String(decoding: $0.name, as: UTF8.self) }.sorted()
        }

        /// What was held for its album goes on when that comes back.
        @Test func filesThatWereHeldComeInWithTheirAlbum() throws {
            let setup = Setup(folders: [TestFolder(lines: ["on_album_missing = \"hold\""])])
            try withAlbumd(setup) { albumd in
                let first = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let made = try token(ofAsset: albumd.identifier(of: first.path), in: albumd)
                let undone = try #require(try undo(made, in: albumd).token)
                let held = try albumd.drop("b.jpg", SampleMedia.jpeg(2))
                try albumd.flush()
                #expect(try albumd.pending().map(\.reason) == [.albumMissing])
                _ = try undo(undone, in: albumd)
                try albumd.flush()
                try expectImported([held], by: albumd)
                #expect(try albumd.pending().isEmpty)
            }
        }

        /// The change that made the asset.
        private func token(ofAsset asset: LocalIdentifier, in albumd: Albumd) throws -> Int64 {
            try token(in: albumd) { request in
                guard case .createAsset(let creation) = request else { return false }
                return creation.localIdentifier == asset
            }
        }

        /// The first change with such a request.
        private func token(in albumd: Albumd, where isMeant: (ChangeRequest) -> Bool) throws -> Int64 {
            let reply = try albumd.client.send(.get, "/v1/changes", query: ["after": "0"])
            for line in reply.body.split(separator: UInt8(ascii: "\n")) {
                guard let row = try? JSON.decode(ChangeRow.self, from: Array(line)) else { continue }
                if row.changes.contains(where: isMeant) { return row.token }
            }
            throw Failure("no such change")
        }

        @Test func anImportThatIsUndoneStaysOutAndItsUndoBringsItBack() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                let undone = try undo(try token(ofAsset: asset, in: albumd), in: albumd)
                #expect(try albumd.asset(asset).state == .trashed)
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.asset(asset).state == .trashed)
                #expect(try albumd.other.read(drop.path) == drop.bytes)
                _ = try undo(try #require(undone.token), in: albumd)
                #expect(try albumd.asset(asset).state == .live && albumd.identifier(of: drop.path) == asset)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func aMovedFileIsPutBackAndStaysThere() throws {
            try withAlbumd(Self.moving) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "moving")
                try albumd.flush()
                #expect((try? albumd.other.read(drop.path)) == nil)
                let asset = try albumd.identifier(of: drop.path)
                let undone = try undo(try token(ofAsset: asset, in: albumd), putsBack: true, in: albumd)
                #expect(undone.putBack == [PutBackRow(PathBytes(drop.path), problem: nil)])
                #expect(try albumd.other.read(drop.path) == drop.bytes)
                try albumd.flush()
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.other.read(drop.path) == drop.bytes)
                #expect(try albumd.identifier(of: drop.path) == asset && albumd.asset(asset).state == .trashed)
                #expect(try albumd.status().waiting == [:])
            }
        }

        nonisolated static let points: [Milestone] = [.putBackNoted, .putBackBegun, .putBackCopied, .sourcePutBack]

        /// RULES I4, I21: the file is there, whole, or nothing of it; and its photo goes only after that.
        @Test(arguments: points)
        func killedWhileAFileIsPutBackLeavesItOrNothing(milestone: Milestone) throws {
            try withAlbumd(Self.moving, isStarted: false, test: "\(milestone)") { albumd in
                _ = try albumd.start(environment: ["ALBUMD_CRASH_AT": milestone.rawValue])
                try albumd.makeDirectories("sub", in: "moving")
                let drop = try albumd.drop("sub/a.jpg", SampleMedia.jpeg(1), in: "moving")
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                let token = try token(ofAsset: asset, in: albumd)
                try albumd.other.removeDirectory(albumd.path("sub", in: "moving"))
                _ = try? undo(token, putsBack: true, in: albumd)
                try #require(try albumd.awaitEnd() == .signal(SIGKILL))
                try #require(try albumd.start() == nil)
                for _ in 0..<2 {
                    try albumd.reconcile()
                    try albumd.flush()
                }
                let isBack = milestone == .sourcePutBack
                let left = (try? names(in: albumd.path("sub", in: "moving"))) ?? []
                #expect(left == (isBack ? ["a.jpg"] : []))
                #expect(isBack == ((try? albumd.other.read(drop.path)) == drop.bytes))
                #expect(try albumd.asset(asset).state == .live && albumd.identifier(of: drop.path) == asset)
                if !isBack {
                    let undone = try undo(token, putsBack: true, in: albumd)
                    #expect(undone.putBack == [PutBackRow(PathBytes(drop.path), problem: nil)])
                    #expect(try albumd.other.read(drop.path) == drop.bytes)
                }
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func nothingIsPutBackOverWhatStandsThere() throws {
            try withAlbumd(Self.moving) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "moving")
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                try albumd.makeDirectories("a.jpg", in: "moving")
                let undone = try undo(try token(ofAsset: asset, in: albumd), putsBack: true, in: albumd)
                #expect(undone.putBack.first?.problem == "something else stands there")
                // It is all that is left of the photo.
                #expect(try albumd.asset(asset).state == .live)
            }
        }

        /// A text at the path is no photo, and was there first; the dry run says what the run does.
        @Test func aPhotoWhosePathIsTakenStays() throws {
            try withAlbumd(Self.moving) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "moving")
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                let token = try token(ofAsset: asset, in: albumd)
                try albumd.drop("a.jpg", Array("notes".utf8), in: "moving")
                try albumd.flush()
                let dry = try albumd.albumctl("undo", "\(token)", "--put-back", "--dry-run")
                for ran in [dry, try albumd.albumctl("undo", "\(token)", "--put-back")] {
                    #expect(!ran.output.contains("trashAssets"), "\(ran.output)")
                    #expect(ran.output.contains("stays in the library: its file could not be put back"))
                }
                #expect(try albumd.asset(asset).state == .live)
                #expect(try albumd.other.read(drop.path) == Array("notes".utf8))
            }
        }

        @Test func anOriginalThatIsNotSoundIsToldAndThePhotoStays() throws {
            try withAlbumd(Self.moving) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "moving")
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                let token = try token(ofAsset: asset, in: albumd)
                try albumd.spoil(drop, by: "flip")
                let dry = try albumd.albumctl("undo", "\(token)", "--put-back", "--dry-run")
                let ran = try albumd.albumctl("undo", "\(token)", "--put-back")
                for (code, output) in [dry, ran] {
                    #expect(code == 1 && output.contains("its original has other bytes: albumctl repair"), "\(output)")
                }
                #expect(try albumd.asset(asset).state == .live)
                #expect(try albumd.status().problems.contains { $0.fix == "albumctl repair" })
            }
        }

        @Test func theFileThatADeletionRemovedComesBackWithItsPhoto() throws {
            let setup = Setup(folders: [
                TestFolder(name: "both", album: "Both", lines: ["on_asset_deleted = \"remove\""])
            ])
            try withAlbumd(setup) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "both")
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                #expect(try albumd.albumctl("delete", asset.description).code == 0)
                try albumd.flush()
                #expect((try? albumd.other.read(drop.path)) == nil)
                let deletion = try token(in: albumd) { if case .trashAssets = $0 { true } else { false } }
                let ran = try albumd.albumctl("undo", "\(deletion)", "--put-back")
                #expect(ran.code == 0 && ran.output.contains("Put back: "), "\(ran.output)")
                #expect(!ran.output.contains("Not undone"), "\(ran.output)")
                #expect(try albumd.asset(asset).state == .live && albumd.other.read(drop.path) == drop.bytes)
            }
        }

        @Test func aFileThatWasPutBackAndTakenAwayAgainIsToldOf() throws {
            try withAlbumd(Self.moving) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "moving")
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                let token = try token(ofAsset: asset, in: albumd)
                _ = try undo(token, putsBack: true, in: albumd)
                #expect(try albumd.albumctl("trash", "restore", asset.description).code == 0)
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                try albumd.reconcile()
                let removal = try self.token(in: albumd) { request in
                    guard case .recordSource(let source) = request else { return false }
                    return source.isRemoved
                }
                let ran = try albumd.albumctl("undo", "\(removal)", "--put-back")
                #expect(ran.code == 1 && ran.output.contains("albumctl original \(asset) -o FILE"), "\(ran.output)")
            }
        }

        @Test func anUnknownTokenIsNotFound() throws {
            try withAlbumd { albumd in
                let reply = try albumd.client.send(.post, "/v1/undo", body: JSON.encode(UndoRequest(token: 999)))
                #expect(reply.status == 404)
            }
        }
    }
}
