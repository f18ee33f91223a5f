import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// How the daemon starts, is told of changes, and stops.
    @BlockingThread struct StartAndStop {
        @Test func itSaysReadyWhenItAnswers() throws {
            try withAlbumd { albumd in
                #expect(try albumd.status().folders.map(\.path) == [albumd.scratch.path("inbox")])
                albumd.process?.send(SIGTERM)
                try albumd.awaitNotice("STOPPING=1")
                #expect(try albumd.awaitEnd() == .code(0))
            }
        }

        /// RULES I38: a stop in the middle of an import is quick and leaves nothing half done.
        @Test func aStopDuringAnImportIsQuickAndWhole() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<400, byteCount: 100_000)
                let began = Machine.bootTime()
                #expect(try albumd.stop() == .code(0))
                #expect(Machine.bootTime() - began < .seconds(10))
                try LibraryCheck(albumd.installation.library).run()
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.status().sources["imported"] == drops.count)
            }
        }

        @Test func aHangUpAppliesTheNewConfigurationAndLosesNoFile() throws {
            try withAlbumd { albumd in
                try albumd.other.makeDirectory(albumd.scratch.path("second"))
                var drops = try albumd.dropPictures(0..<10)
                albumd.installation.setup.folders.append(TestFolder(name: "second", album: "Second"))
                try albumd.installation.writeConfiguration()
                albumd.process?.send(SIGHUP)
                drops += try albumd.dropPictures(10..<20)
                drops += try albumd.dropPictures(20..<30, in: "second")
                try albumd.awaitNotice("RELOADING=1")
                try albumd.awaitNotice("READY=1")
                try albumd.flush()
                try expectImported(drops, by: albumd)
                #expect(try albumd.album("Inbox").count == 20 && albumd.album("Second").count == 10)
            }
        }

        @Test func aHangUpWithAWrongConfigurationChangesNothing() throws {
            try withAlbumd { albumd in
                try albumd.installation.writeConfiguration("colour = \"blue\"\n")
                albumd.process?.send(SIGHUP)
                try albumd.awaitNotice("RELOADING=1")
                try albumd.awaitNotice("READY=1")
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try expectImported([drop], by: albumd)
                #expect(albumd.log.contains("colour"))
                let problem = try #require(try albumd.status().problems.first)
                #expect(problem.what.contains("albumd.toml:") && problem.what.contains("colour"))
                try albumd.installation.writeConfiguration()
                albumd.process?.send(SIGHUP)
                try albumd.awaitNotice("RELOADING=1")
                try albumd.awaitNotice("READY=1")
                #expect(try !albumd.status().isDegraded)
            }
        }

        @Test func aFolderIsTakenOnAndLetGoByCommand() throws {
            try withAlbumd { albumd in
                let second = albumd.scratch.path("second")
                try albumd.other.makeDirectory(second)
                let before = try albumd.drop("before.jpg", SampleMedia.jpeg(1), in: "second")
                var request = FolderRequest(path: PathBytes(second))
                (request.album, request.settle) = ("Second", "200ms")
                let row: FolderRow = try albumd.post("/v1/folders", request)
                #expect(row.isFromCommand && row.album == "Second")
                let after = try albumd.drop("after.jpg", SampleMedia.jpeg(2), in: "second")
                try albumd.flush()
                try expectImported([before, after], by: albumd)
                try albumd.stop()
                try albumd.start()
                try albumd.flush()
                #expect(try albumd.status().folders.count == 2)
                let gone: CountResult = try albumd.post("/v1/folders/remove", FolderRequest(path: PathBytes(second)))
                #expect(gone.count == 1)
                try albumd.drop("late.jpg", SampleMedia.jpeg(3), in: "second")
                try albumd.flush()
                #expect(try albumd.status().folders.count == 1 && albumd.assets().count == 2)
                try expectImported([before, after], by: albumd)
            }
        }

        @Test func foldersThatLieWithinOneAnotherAreRefused() throws {
            try withAlbumd { albumd in
                try albumd.makeDirectories("sub")
                for path in [albumd.path("sub"), albumd.scratch.path, albumd.installation.library] {
                    let body = JSON.encode(FolderRequest(path: PathBytes(path)))
                    #expect(try albumd.client.send(.post, "/v1/folders", body: body).status >= 400, "\(path)")
                }
                #expect(try albumd.status().folders.count == 1)
            }
        }

        @Test func aMistakeInTheConfigurationIsShownAtItsPlace() throws {
            try withAlbumd(isStarted: false) { albumd in
                try albumd.installation.writeConfiguration("colour = \"blue\"\n")
                #expect(try albumd.start() == .code(78))
                #expect(albumd.log.contains("\(albumd.scratch.path("albumd.toml")):8:1: "), "\(albumd.log)")
                let check = try run(albumd.installation.command(["--check-config"]), in: albumd.scratch)
                #expect(check.end == .code(78) && check.output.contains("colour"), "\(check.output)")
            }
        }

        @Test func aConfigurationThatOthersCanWriteIsRefused() throws {
            try withAlbumd(isStarted: false) { albumd in
                try #require(chmod(albumd.scratch.path("albumd.toml"), 0o666) == 0)
                #expect(try albumd.start() == .code(78))
                #expect(albumd.log.contains("chmod go-w"), "\(albumd.log)")
            }
        }

        @Test func aLibraryOfANewerFormatIsRefusedAndNotTouched() throws {
            try withAlbumd { albumd in
                try albumd.stop()
                let path = "\(albumd.installation.library)/library.json"
                let text = String(decoding: try albumd.other.read(path), as: UTF8.self)
                let newer = text.replacing("\"format\":1", with: "\"format\":99")
                try #require(newer != text)
                try albumd.other.write(path, newer)
                #expect(try albumd.start() == .code(78))
                #expect(albumd.log.contains("99"), "\(albumd.log)")
                #expect(try albumd.other.read(path) == Array(newer.utf8))
            }
        }

        /// RULES R52, I38: ready before the first scan is done.
        @Test func aLibraryWithManyFilesIsReadyAtOnceAfterAKill() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<1000)
                try albumd.flush()
                try albumd.kill()
                let began = Machine.bootTime()
                try #require(try albumd.start() == nil)
                #expect(Machine.bootTime() - began < .seconds(5))
                try albumd.flush()
                #expect(try albumd.status().assetCount == 1000)
            }
        }
    }
}
