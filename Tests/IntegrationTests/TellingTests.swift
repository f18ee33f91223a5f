import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// The daemon tells what is so, why, and what to do.
    @BlockingThread struct Telling {
        /// By design a folder that was made anew waits for a person's word: everything says which.
        @Test func aFolderThatWasMadeAnewWaitsForConfirmAndSaysSo() throws {
            try withAlbumd { albumd in
                let (folder, command) = (albumd.scratch.path("inbox"), "albumctl folder confirm")
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                for drop in drops { try albumd.other.unlink(drop.path) }
                try albumd.other.unlink(albumd.path(".albumd-folder"))
                try albumd.other.removeDirectory(folder)
                try albumd.other.makeDirectory(folder)
                let later = try albumd.drop("later.jpg", SampleMedia.jpeg(9))
                // The watcher's word that the root is gone may come in the midst of the first: then the second looks.
                try albumd.reconcile()
                try albumd.reconcile()
                let row = try #require(try albumd.pending().first { $0.reason == .folderOffline })
                #expect(row.path == folder)
                #expect(row.detail?.contains("3 files are known there") == true, "\(row.detail ?? "")")
                #expect(row.detail?.contains("\(command) \(folder)") == true)
                #expect(try albumd.status().problems.contains { $0.fix.hasSuffix("\(command) \(folder)") })
                #expect(try albumd.status().folders.first?.detail?.contains("\(command) \(folder)") == true)
                #expect(try albumd.why(later.path).summary.contains("Its folder is offline"))
                let _: FolderRow = try albumd.post("/v1/folders/confirm", FolderRequest(path: PathBytes(folder)))
                try albumd.flush()
                try expectImported([later], by: albumd)
                #expect(try albumd.pending().isEmpty && !albumd.status().isDegraded)
            }
        }

        @Test func aFolderIsListedWithItsAlbumAsItIsCalledNow() throws {
            try withAlbumd { albumd in
                #expect(try albumd.status().folders.map(\.album) == ["Inbox"])
                try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try #require(try albumd.albumctl("album", "rename", "Inbox", "Renamed").code == 0)
                #expect(try albumd.status().folders.map(\.album) == ["Renamed"])
                let list = try albumd.albumctl("folder", "list").output
                #expect(list.contains("Renamed") && !list.contains("Inbox"), "\(list)")
            }
        }

        /// What the configuration asks for is no fault.
        @Test func aFolderThatIsPolledByItsRuleIsNotMarked() throws {
            try withAlbumd(Setup(folders: [TestFolder(lines: ["watch = \"poll\""])])) { albumd in
                try albumd.flush()
                let row = try #require(try albumd.status().folders.first)
                #expect(row.watching == "polling" && row.watchingDetail == nil)
                let list = try albumd.albumctl("folder", "list").output
                #expect(list.contains("polling") && !list.contains("!"), "\(list)")
            }
        }

        @Test func aRetryOfAnUnknownAssetSpeaksOfAnAsset() throws {
            try withAlbumd { albumd in
                let ran = try albumd.albumctl("retry", "94AD7A54-8B1E-4B1D-AA97-CB7E19B63CBA")
                #expect(
                    ran.code == 4 && ran.output.contains("no asset") && !ran.output.contains("file"), "\(ran.output)")
            }
        }

        @Test func aPictureThatAFIFOReplacedHasThatInItsStory() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.other.unlink(drop.path)
                try albumd.other.makeFIFO(drop.path)
                try albumd.flush()
                let report = try albumd.why(drop.path)
                #expect(report.events.count == 2)
                #expect(report.events.last?.text.contains("skipped (notRegular)") == true)
            }
        }

        @Test func aNameThatNoFileCanHaveIsRefusedAndTheUploadStays() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "run")
                let descriptor = open(drop.path, O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                let reply = try albumd.client.upload("/v1/uploads", from: descriptor) { _, _ in }
                let receipt = try JSON.decode(UploadReceipt.self, from: reply.body)
                var request = SaveRequest(upload: receipt.upload)
                request.filename = "x/y.jpg"
                let refused = try albumd.client.send(.post, "/v1/assets", body: JSON.encode(request))
                #expect(refused.status == 400)
                request.filename = "y.jpg"
                let saved: SaveResult = try albumd.post("/v1/assets", request)
                #expect(saved.originalFilename == "y.jpg")
                let story: WhyReport = try albumd.post(
                    "/v1/why", SubjectRequest(localIdentifier: saved.localIdentifier))
                #expect(story.events.map(\.text) == ["saved by command (api uid \(geteuid())) as 'y.jpg'"])
            }
        }

        @Test func ofAFileThatNobodyHasSeenNothingIsKnown() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                for path in ["/v1/why", "/v1/retry"] {
                    let unknown = SubjectRequest(path: PathBytes(albumd.path("never.jpg")))
                    let reply = try albumd.client.send(.post, path, body: JSON.encode(unknown))
                    #expect(reply.status == 404)
                    #expect(try JSON.decode(Problem.self, from: reply.body).exitCode == 4)
                    let known = SubjectRequest(path: PathBytes(drop.path))
                    #expect(try albumd.client.send(.post, path, body: JSON.encode(known)).isSuccess)
                }
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                let gone = JSON.encode(SubjectRequest(path: PathBytes(drop.path)))
                #expect(try albumd.client.send(.post, "/v1/why", body: gone).isSuccess)
            }
        }

        @Test func aFolderThatIsAwayIsInThePlanAndWatchedByNothing() throws {
            try withAlbumd { albumd in
                try albumd.flush()
                try albumd.other.rename(albumd.scratch.path("inbox"), to: albumd.scratch.path("away"))
                try albumd.flush()
                #expect(try albumd.status().folders.map(\.watching) == ["none"])
                let plan = try albumd.client.send(.post, "/v1/plan", body: Array("{}".utf8))
                let text = String(decoding: plan.body, as: UTF8.self)
                #expect(text.contains(#""reason":"folderOffline""#) && text.contains("inbox"), "\(text)")
            }
        }

        /// A wrong folders.toml is told before anything is touched, with its place.
        @Test func aWrongFileOfAddedFoldersIsAConfigurationError() throws {
            try withAlbumd(isStarted: false) { albumd in
                let file = albumd.scratch.path("folders.toml")
                try albumd.other.write(file, "[[folder]]\npath = \"/in\"\nalbum = 7\n")
                chmod(file, 0o600)
                #expect(try albumd.start() == .code(78))
                #expect(albumd.log.contains("albumd: \(file):3:9: album = 7"), "\(albumd.log)")
                #expect(!albumd.log.contains("fault"))
            }
        }

        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root, and a build that others may run"))
        func aFolderCheckNamesWhatCannotBeReadAndWhatMendsIt() throws {
            try withAlbumd(Setup(wrapper: Privilege.asNobody, owner: Privilege.nobody)) { albumd in
                let hidden = try albumd.drop("hidden.jpg", SampleMedia.jpeg(1))
                chmod(hidden.path, 0)
                try albumd.drop("plain.jpg", SampleMedia.jpeg(2))
                try albumd.makeDirectories("closed")
                try albumd.makeDirectories("open")
                chmod(albumd.path("closed"), 0)
                let deep = try albumd.drop("open/a'$(touch INJECTED)'b.jpg", SampleMedia.jpeg(3))
                chmod(deep.path, 0)
                let folder = FolderRequest(path: PathBytes(albumd.scratch.path("inbox")))
                var page: PageOf<FolderCheck> = try albumd.post("/v1/folders/check", folder)
                let bad = page.rows.filter { !$0.isGood && $0.check == "entries" }
                #expect(bad.count == 3, "\(page.rows)")
                let fixes = bad.compactMap(\.fix)
                for path in [hidden.path, albumd.path("closed"), deep.path] {
                    #expect(fixes.contains { $0.contains("setfacl") && $0.contains(" \(shellWord(path))") }, "\(fixes)")
                }
                #expect(fixes.contains { $0.hasSuffix(#"/open/a'\''$(touch INJECTED)'\''b.jpg'"#) }, "\(fixes)")
                for number in 0..<20 { chmod(try albumd.drop("\(number).jpg", SampleMedia.jpeg(9)).path, 0) }
                page = try albumd.post("/v1/folders/check", folder)
                #expect(page.rows.count { !$0.isGood && $0.check == "entries" } == 10)
            }
        }
    }
}
