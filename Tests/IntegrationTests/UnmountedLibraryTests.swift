import Control
import Glibc
import Platform
import TestSupport
import Testing

extension Integration {
    /// The library's own volume is not mounted: nothing may be taken for saved that will lie hidden below it.
    @BlockingThread struct UnmountedLibrary {
        @Test func noNewLibraryIsMadeWhereAFolderKnowsAnother() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                #expect(try albumd.stop() == .code(0))
                let library = albumd.installation.library
                #expect(rename(library, library + ".volume") == 0)
                #expect(mkdir(library, 0o700) == 0)
                #expect(try albumd.start() == .code(EX_CONFIG))
                #expect(albumd.log.contains("is the library's own volume mounted?"))
                #expect(try names(in: library) == [])
                #expect(rmdir(library) == 0 && access(library, F_OK) != 0)
                #expect(try albumd.start() == .code(EX_CONFIG))
                #expect(access(library, F_OK) != 0)
                #expect(rename(library + ".volume", library) == 0)
                try #require(try albumd.start() == nil)
                try expectImported([drop], by: albumd)
            }
        }

        @Test func aLibraryThatIsMovedAwayWhileAlbumdRunsIsNotCalledSafe() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let originals = albumd.installation.library + "/originals"
                #expect(rename(originals, originals + ".away") == 0)
                #expect(mkdir(originals, 0o700) == 0)
                let safe = try albumd.albumctl("safe", drop.path)
                #expect(safe.code != 0 && safe.output.contains("moved"), "\(safe.output)")
                #expect(try albumd.awaitEnd(within: .seconds(60)) == .code(EX_IOERR))
                #expect(rmdir(originals) == 0 && rename(originals + ".away", originals) == 0)
                try #require(try albumd.start() == nil)
                #expect(try albumd.albumctl("safe", drop.path).code == 0)
            }
        }

        /// It was made before, under the mount point.
        @Test func aLibraryThatIsNotTheFoldersOwnSaysOfNoFileThatItMayGo() throws {
            try withAlbumd { albumd in
                let library = albumd.installation.library
                let marker = albumd.path(".albumd-folder")
                let right = try albumd.other.read(marker)
                #expect(try albumd.stop() == .code(0))
                #expect(rename(library, library + ".volume") == 0)
                try albumd.other.unlink(marker)
                try #require(try albumd.start() == nil)
                let card = albumd.scratch.path("card.jpg")
                try albumd.other.write(card, SampleMedia.jpeg(1))
                #expect(try albumd.albumctl("save", card).code == 0)
                #expect(try albumd.albumctl("safe", card).code == 0)
                #expect(try albumd.stop() == .code(0))
                try albumd.other.write(marker, right)
                try #require(try albumd.start() == nil)
                let safe = try albumd.albumctl("safe", card)
                #expect(safe.code != 0 && safe.output.contains("otherLibrary"), "\(safe.output)")
                let save = try albumd.albumctl("save", card, "--source", "delete")
                #expect(save.code != 0 && save.output.contains("the file stays"), "\(save.output)")
                #expect(access(card, F_OK) == 0)
            }
        }

        private func names(in directory: String) throws -> [String] {
            let files = LinuxFiles()
            let entries = try files.list(files.openDirectory(Array(directory.utf8)))
            return entries.map { String(decoding: $0.name, as: UTF8.self) }
        }
    }
}
