import Control
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Something is mounted inside a folder and unmounted again, of which the kernel tells nobody.
    @BlockingThread struct InnerMounts {
        @Test(.enabled(if: Privilege.canMount, "needs root and mount namespaces"))
        func whatAMountCoversIsLookedAtAgainWhenItIsUncovered() throws {
            try withAlbumd(isStarted: false) { albumd in
                let disk = try PrivateDisk(at: albumd.path("sub"), in: albumd.scratch)
                albumd.installation.setup.wrapper = disk.wrapper
                try #require(try albumd.start() == nil)
                let known = try albumd.drop("sub/known.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: known.path)
                // Both are sighted, and covered before they have rested.
                albumd.process?.send(SIGSTOP)
                let new = try albumd.drop("sub/new.jpg", SampleMedia.jpeg(2))
                chmod(known.path, 0o600)
                try disk.mount("-t tmpfs none")
                albumd.process?.send(SIGCONT)
                for _ in 0..<2 {
                    try albumd.flush()
                    for drop in [known, new] { try expectCovered(drop.path, albumd) }
                    #expect(try albumd.identifier(of: known.path) == identifier)
                    #expect(try albumd.pending().isEmpty)
                    try albumd.reconcile()
                }
                try expectCovered(albumd.path("sub"), albumd)
                // That imported files are out of sight is said; what is to be done is in a person's hand.
                let problem = try #require(try albumd.status().problems.first)
                #expect(problem.what.contains("over 1 imported file: nothing there is seen"), "\(problem.what)")
                #expect(problem.fix.contains("umount \(albumd.path("sub"))"), "\(problem.fix)")
                // Of what is in the mount itself nothing is known, and no scan will change that.
                try albumd.other.makeDirectory(albumd.path("plain"))
                try disk.sh("touch '\(albumd.path("sub/other.jpg"))'")
                for (name, word) in [("sub/other.jpg", "otherFileSystem"), ("plain", "is a directory")] {
                    let subject = SubjectRequest(path: PathBytes(albumd.path(name)))
                    #expect(try albumd.refusal(of: "/v1/why", subject).detail.contains(word))
                }
                try disk.unmount()
                try albumd.flush()
                try expectImported([known, new], by: albumd)
                #expect(try albumd.identifier(of: known.path) == identifier)
                #expect(try albumd.status().problems.isEmpty)
                // What was mounted when the watches were set is watched by now.
                let later = try albumd.drop("sub/later.jpg", SampleMedia.jpeg(3))
                try albumd.flush()
                try expectImported([later], by: albumd)
            }
        }

        private func expectCovered(_ path: String, _ albumd: Albumd) throws {
            let summary = try albumd.why(path).summary
            #expect(summary.contains("otherFileSystem"), "\(path): \(summary)")
        }

        /// A directory that was covered at the start was never watched.
        @Test(.enabled(if: Privilege.canMount, "needs root and mount namespaces"))
        func aDirectoryThatWasCoveredAtTheStartIsWatchedWhenItIsUncovered() throws {
            try withAlbumd(isStarted: false) { albumd in
                let disk = try PrivateDisk(at: albumd.path("sub"), in: albumd.scratch)
                albumd.installation.setup.wrapper = disk.wrapper
                let drop = try albumd.drop("sub/a.jpg", SampleMedia.jpeg(1))
                try disk.mount("-t tmpfs none")
                try #require(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.assets().isEmpty)
                // What may be in it is not in the library, and nobody is to believe that.
                let problem = try #require(try albumd.status().problems.first)
                #expect(problem.what.contains("nothing there is imported"), "\(problem.what)")
                let refused = try albumd.albumctl("folder", "add", albumd.path("sub"))
                #expect(refused.code == 5 && refused.output.contains("mount it outside"), "\(refused.output)")
                try disk.unmount()
                try albumd.flush()
                let later = try albumd.drop("sub/b.jpg", SampleMedia.jpeg(2))
                try albumd.flush()
                try expectImported([drop, later], by: albumd)
            }
        }
    }
}
