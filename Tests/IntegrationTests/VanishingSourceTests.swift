import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import Synchronization
import TestSupport
import Testing

extension Integration {
    /// CASES "Vanishing sources": a drive that is unplugged, covered or pulled out in a scan is no deletion, although
    /// its folder mirrors deletions.
    @BlockingThread struct VanishingSources {
        /// M01: unmounted and mounted again.
        @Test(.enabled(if: Privilege.canBreakFileSystems, "needs root, loop devices and ext4"))
        func anUnpluggedDriveIsNoDeletion() throws {
            try withDrive(pictures: 100) { albumd, drops, identifiers in
                try inside(albumd, ["umount", albumd.scratch.path("inbox")])
                try expectOffline(albumd, drops, identifiers)
                try inside(albumd, ["mount", "-o", "loop", albumd.scratch.path("image"), albumd.scratch.path("inbox")])
                try expectHealed(albumd, drops, identifiers)
            }
        }

        /// M05: an empty directory is mounted over it, of which the kernel tells nobody.
        @Test(.enabled(if: Privilege.canBreakFileSystems, "needs root, loop devices and ext4"))
        func aMountOverTheFolderIsNoDeletion() throws {
            try withDrive(pictures: 10) { albumd, drops, identifiers in
                try albumd.other.makeDirectory(albumd.scratch.path("empty"))
                let inbox = albumd.scratch.path("inbox")
                try inside(albumd, ["mount", "--bind", albumd.scratch.path("empty"), inbox])
                try expectOffline(albumd, drops, identifiers)
                try inside(albumd, ["umount", inbox])
                try expectHealed(albumd, drops, identifiers)
            }
        }

        /// M11: pulled out in the middle of a scan, which strace makes slow.
        @Test(.enabled(if: Privilege.canBreakFileSystems && Privilege.canTrace, "needs root, loop devices and strace"))
        func aDrivePulledOutInAScanIsNoDeletion() throws {
            let slow = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=getdents64"]
            let delay = ["-e", "inject=getdents64:delay_enter=20000"]
            try withDrive(pictures: 100, directories: 50, tracer: slow + delay) { albumd, drops, identifiers in
                let isDone = Monitor(false)
                let client = albumd.client
                let thread = NamedThread.start("test-reconcile") {
                    _ = try? client.send(.post, "/v1/reconcile", body: Array("{}".utf8))
                    isDone.update { $0 = true }
                }
                while try !albumd.status().isScanning, !isDone.update({ $0 }) {}
                try inside(albumd, ["umount", "-l", albumd.scratch.path("inbox")])
                thread.join()
                try expectOffline(albumd, drops, identifiers)
                try inside(albumd, ["mount", "-o", "loop", albumd.scratch.path("image"), albumd.scratch.path("inbox")])
                try expectHealed(albumd, drops, identifiers)
            }
        }

        /// M02: the folder is gone, or made anew and empty, when albumd starts.
        @Test(arguments: [false, true])
        func aFolderThatIsGoneAtTheStartIsNoDeletion(isMadeAnew: Bool) throws {
            try withAlbumd(Setup(folders: [.mirrored])) { albumd in
                let drops = try albumd.dropPictures(0..<30)
                try albumd.flush()
                let identifiers = try drops.map { try albumd.identifier(of: $0.path) }
                try albumd.stop()
                let inbox = albumd.scratch.path("inbox")
                try #require(try run(["rm", "-r", inbox], in: albumd.scratch).end == .code(0))
                if isMadeAnew { try albumd.other.makeDirectory(inbox) }
                try #require(try albumd.start() == nil)
                try expectOffline(albumd, drops, identifiers)
            }
        }

        /// Nothing is trashed by two scans, and status says what is wrong and what mends it.
        private func expectOffline(
            _ albumd: Albumd, _ drops: [Drop], _ identifiers: [LocalIdentifier],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            for _ in 0..<2 { try albumd.reconcile() }
            #expect(try albumd.flush().offline.count == 1, sourceLocation: sourceLocation)
            try albumd.expectLive(drops, identifiers, sourceLocation: sourceLocation)
            let status = try albumd.status()
            #expect(status.folders.first?.standing == "offline", sourceLocation: sourceLocation)
            #expect(status.isDegraded && status.problems.first?.fix.contains("albumctl folder") == true)
            #expect(status.deletion.needsConfirmation.isEmpty && status.folders.first?.missedCount == 0)
        }

        /// It is the same folder with the same photos, and deletions are followed as before.
        private func expectHealed(_ albumd: Albumd, _ drops: [Drop], _ identifiers: [LocalIdentifier]) throws {
            #expect(try albumd.flush().offline.isEmpty)
            try albumd.reconcile()
            try albumd.flush()
            try albumd.expectLive(drops, identifiers)
            #expect(try !albumd.status().isDegraded)
            try albumd.other.unlink(try root(of: albumd) + drops[0].path)
            try albumd.flush()
            #expect(try albumd.trash().map(\.localIdentifier) == [identifiers[0]])
        }

        /// An ext4 image, mounted as the folder where only albumd sees it, with pictures that are imported.
        private func withDrive(
            pictures: Int, directories: Int = 0, tracer: [String] = [], test: String = #function,
            _ body: (Albumd, [Drop], [LocalIdentifier]) throws -> Void
        ) throws {
            try withAlbumd(Setup(folders: [.mirrored]), isStarted: false, test: test) { albumd in
                let image = albumd.scratch.path("image")
                try #require(try run(["truncate", "-s", "32M", image], in: albumd.scratch).end == .code(0))
                try #require(try run(["mkfs.ext4", "-q", image], in: albumd.scratch).end == .code(0))
                albumd.installation.setup.wrapper =
                    Privilege.withImage(image, at: albumd.scratch.path("inbox")) + tracer
                try #require(try albumd.start() == nil)
                let root = try root(of: albumd)
                for number in 0..<directories { try albumd.other.makeDirectory(root + albumd.path("d\(number)")) }
                let drops = try (0..<pictures).map { number in
                    let name = directories == 0 ? "\(number).jpg" : "d\(number % directories)/\(number).jpg"
                    let drop = Drop(path: albumd.path(name), bytes: SampleMedia.jpeg(number))
                    try albumd.other.write(root + drop.path, drop.bytes)
                    return drop
                }
                try albumd.flush()
                try body(albumd, drops, try drops.map { try albumd.identifier(of: $0.path) })
            }
        }

        /// Paths below this are what albumd sees (proc(5), /proc/pid/root).
        private func root(of albumd: Albumd) throws -> String {
            "/proc/\(try #require(albumd.process).pid)/root"
        }

        /// Runs a program among albumd's mounts.
        private func inside(_ albumd: Albumd, _ arguments: [String]) throws {
            let pid = "\(try #require(albumd.process).pid)"
            let answer = try run(["nsenter", "-t", pid, "-m"] + arguments, in: albumd.scratch)
            try #require(answer.end == .code(0), "\(answer.output)")
        }
    }
}
