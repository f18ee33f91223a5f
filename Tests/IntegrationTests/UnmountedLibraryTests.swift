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

        /// The service manager starts it again at once: that must not make an empty directory of what was moved away.
        @Test func originalsThatAreMovedAwayAreWaitedForAndNothingIsLost() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let originals = albumd.installation.library + "/originals"
                #expect(rename(originals, originals + ".away") == 0)
                #expect(try albumd.albumctl("safe", drops[0].path).code != 0)
                #expect(try albumd.awaitEnd(within: .seconds(60)) == .code(EX_IOERR))
                for _ in 0..<2 {
                    #expect(try albumd.start() == .code(EX_IOERR))
                    #expect(access(originals, F_OK) != 0)
                }
                #expect(albumd.log.contains("originals' is not there"))
                #expect(rename(originals + ".away", originals) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try expectImported(drops, by: albumd)
                #expect(try albumd.trash().isEmpty && !albumd.status().isDegraded)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Somebody made the directory anew, and the right one is still somewhere.
        @Test func anEmptyDirectoryOfOriginalsIsSaidToBeEmptyAndTheRightOneMendsIt() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                #expect(try albumd.stop() == .code(0))
                let originals = albumd.installation.library + "/originals"
                #expect(rename(originals, originals + ".away") == 0 && mkdir(originals, 0o700) == 0)
                try #require(try albumd.start() == nil)
                #expect(try albumd.albumctl("safe", drops[0].path).code != 0)
                let problem = try #require(try albumd.status().problems.first)
                #expect(problem.what.contains("originals' has none of the library's originals"), "\(problem)")
                #expect(problem.fix.contains("put the right one back") && problem.fix.contains("albumctl repair"))
                #expect(try albumd.trash().isEmpty)
                // Nothing is stored where it would be gone when the right one is back.
                let new = try albumd.drop("new.jpg", SampleMedia.jpeg(9))
                #expect(try albumd.albumctl("flush").code != 0)
                #expect(try albumd.albumctl("save", new.path).code != 0)
                #expect(try albumd.stop() == .code(0))
                #expect(rmdir(originals) == 0 && rename(originals + ".away", originals) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.albumctl("safe", drops[0].path).code == 0)
                #expect(try !albumd.status().isDegraded)
                try expectImported(drops + [new], by: albumd)
            }
        }

        @Test(.enabled(if: Privilege.canMount, "needs root and mount namespaces"))
        func aDiskThatIsMountedOnOriginalsIsRefusedWithWhatMendsIt() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                #expect(try albumd.stop() == .code(0))
                let originals = albumd.installation.library + "/originals"
                #expect(rename(originals, originals + ".below") == 0)
                let disk = try PrivateDisk(at: originals, in: albumd.scratch)
                albumd.installation.setup.wrapper = disk.wrapper
                try disk.mount("-t tmpfs none")
                #expect(try albumd.start() == .code(EX_CONFIG))
                #expect(albumd.log.contains("originals' is a mount point"), "\(albumd.log.suffix(600))")
                try disk.unmount()
                #expect(rmdir(originals) == 0 && rename(originals + ".below", originals) == 0)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try expectImported([drop], by: albumd)
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
