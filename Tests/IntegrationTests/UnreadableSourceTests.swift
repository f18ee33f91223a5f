import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A directory of which nothing is known is not an empty one (RULES R13), although its folder mirrors deletions.
    @BlockingThread struct UnreadableSources {
        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root, and a build that others may run"))
        func aDirectoryThatMayNotBeReadHasLostNothing() throws {
            let setup = Setup(folders: [.mirrored], wrapper: Privilege.asNobody, owner: Privilege.nobody)
            try withAlbumd(setup) { albumd in
                let (drops, identifiers) = try imported(by: albumd)
                chmod(albumd.path("d"), 0)
                try albumd.reconcile()
                try expectUnknown(albumd, drops, identifiers)
                chmod(albumd.path("d"), 0o755)
                try albumd.reconcile()
                try expectKnown(albumd, drops, identifiers)
            }
        }

        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root, and a build that others may run"))
        func whatWasDeletedThereIsMissingWhenItMayBeReadAgain() throws {
            let setup = Setup(folders: [.mirrored], wrapper: Privilege.asNobody, owner: Privilege.nobody)
            try withAlbumd(setup) { albumd in
                let (drops, identifiers) = try imported(by: albumd)
                chmod(albumd.path("d"), 0)
                try expectUnknown(albumd, drops, identifiers)
                unlink(drops[0].path)
                try expectUnknown(albumd, drops, identifiers)
                chmod(albumd.path("d"), 0o755)
                try albumd.flush()
                let status = try albumd.status()
                #expect(!status.isDegraded && status.folders.first?.missedCount == 1, "\(status.problems)")
            }
        }

        /// The first call gives entries, the second fails: what it would have given may all be there.
        @Test(.enabled(if: Privilege.canTrace, "needs root and strace"))
        func aListingThatFailsHalfWayHasLostNothing() throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                let (drops, identifiers) = try imported(by: albumd)
                try albumd.stop()
                try albumd.other.unlink(drops[0].path)
                albumd.installation.setup.wrapper =
                    ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", albumd.path("d")]
                    + ["-e", "trace=getdents64", "-e", "inject=getdents64:error=EIO:when=2+"]
                try #require(try albumd.start() == nil)
                try albumd.reconcile()
                try expectUnknown(albumd, drops, identifiers)
                try albumd.stop()
                albumd.installation.setup.wrapper = []
                try #require(try albumd.start() == nil)
                try albumd.reconcile()
                #expect(try albumd.status().folders.first?.missedCount == 1)
                try albumd.other.write(drops[0].path, drops[0].bytes)
                try expectKnown(albumd, drops, identifiers)
            }
        }

        /// Thirty pictures in a directory of the folder.
        private func imported(by albumd: Albumd) throws -> ([Drop], [LocalIdentifier]) {
            try albumd.makeDirectories("d")
            let drops = try albumd.dropPictures(0..<30, name: "d/IMG")
            try albumd.flush()
            return (drops, try drops.map { try albumd.identifier(of: $0.path) })
        }

        private func expectUnknown(_ albumd: Albumd, _ drops: [Drop], _ identifiers: [LocalIdentifier]) throws {
            try albumd.flush()
            try albumd.expectLive(drops, identifiers)
            let status = try albumd.status()
            #expect(status.isDegraded && status.folders.first?.unreadable.isEmpty == false)
            #expect(status.folders.first?.missedCount == 0 && status.deletion.needsConfirmation.isEmpty)
        }

        private func expectKnown(_ albumd: Albumd, _ drops: [Drop], _ identifiers: [LocalIdentifier]) throws {
            try albumd.flush()
            try albumd.expectLive(drops, identifiers)
            let status = try albumd.status()
            #expect(!status.isDegraded && status.folders.first?.missedCount == 0, "\(status.problems)")
        }
    }
}
