import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A disk with any room left, and one that says so only when it is asked to keep what it took (RULES R10, R11).
    @BlockingThread struct DiskFaults {
        /// From none to more than five pictures take, in steps of 16 KiB.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"))
        func whateverRoomIsLeftNothingIsLost() throws {
            try withFullDisk { albumd, disk in
                for step in 0..<40 {
                    try disk.leave(bytes: step << 14)
                    try expectImportedOnceThereIsRoom(try dropFive(step, albumd), albumd) { try disk.leaveRoom() }
                }
            }
        }

        /// The same with files instead of bytes: a file system has room for so many only.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"))
        func howeverFewFilesFitNothingIsLost() throws {
            try withFullDisk { albumd, disk in
                for step in 0..<16 {
                    try disk.leave(files: step)
                    try expectImportedOnceThereIsRoom(try dropFive(step, albumd), albumd) { try disk.leaveRoom() }
                }
            }
        }

        /// The disk filled up, and albumd was killed: it starts, with its ballast and without, for who wants room must be able
        /// to delete and evict.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"))
        func albumdStartsOnADiskWithoutRoom() throws {
            try withFullDisk { albumd, disk in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                for ballast in ["is", "was"] {
                    if ballast == "was" {
                        try disk.sh("rm -f '\(albumd.installation.library)/.ballast'")
                    }
                    try disk.leave(bytes: 0)
                    try albumd.kill()
                    try #require(try albumd.start() == nil, "\(ballast): \(albumd.log.suffix(600))")
                    if ballast == "is" { try albumd.delete(drops[2]) }
                    #expect(try albumd.status().assetCount == 2)
                }
                try disk.leaveRoom()
                try albumd.expectWhole(Array(drops.prefix(2)))
            }
        }

        /// A library that is made on a disk too small for it: no half library is in the way once there is room.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"))
        func aLibraryThatDidNotFitIsMadeOnceItFits() throws {
            try withAlbumd(isStarted: false) { albumd in
                let disk = try PrivateDisk(at: albumd.installation.library, in: albumd.scratch)
                albumd.installation.setup.wrapper = disk.wrapper
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                for step in 1...16 {
                    try disk.mount("-t tmpfs -o size=\(step * 20)k none")
                    if let end = try albumd.start() {
                        #expect(end == .code(74), "\(step * 20) KiB: \(end): \(albumd.log.suffix(600))")
                    }
                    try disk.leaveRoom()
                    if albumd.process?.result != nil { try #require(try albumd.start() == nil) }
                    try retry(albumd)
                    try expectImported([drop], by: albumd)
                    #expect(try albumd.stop() == .code(0))
                    try LibraryCheck(try disk.copyOut(to: "copy")).run()
                    try disk.unmount()
                    // The next library is another one, to which this folder does not belong.
                    try albumd.other.unlink(albumd.path(".albumd-folder"))
                }
            }
        }

        /// The file system takes the bytes, and finds no place for them when they are to be durable.
        @Test(.enabled(if: Privilege.canMake("ext4"), "needs root, loop devices and mkfs.ext4"))
        func whatTheDiskCouldNotKeepIsNotSaidToBeImported() throws {
            try withAlbumd(isStarted: false) { albumd in
                let floor = try PrivateDisk(at: albumd.scratch.path("floor"), in: albumd.scratch)
                try floor.mount("-t tmpfs -o size=16m none")
                let image = "\(floor.mountPoint)/image"
                let mount = "mount -o loop '\(image)' '\(albumd.installation.library)'"
                try floor.sh("truncate -s 256M '\(image)' && mkfs.ext4 -q '\(image)'")
                try albumd.other.makeDirectory(albumd.installation.library)
                try floor.sh("\(mount) && chmod 700 '\(albumd.installation.library)'")
                albumd.installation.setup.wrapper = floor.wrapper
                try #require(try albumd.start() == nil)
                let first = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let before = try first.map { try albumd.identifier(of: $0.path) }
                let later = try albumd.dropPictures(10..<16, byteCount: 4 << 20)
                _ = try? albumd.flush(within: 20)
                let said = later.map { try? albumd.mapping($0.path)?.localIdentifier }
                #expect(said.contains { ($0 ?? nil) == nil }, "the floor was too large")
                try albumd.killUnlessEnded()
                try floor.sh(
                    "umount '\(albumd.installation.library)'; mount -o remount,size=200m '\(floor.mountPoint)'")
                try floor.sh("e2fsck -fy '\(image)' >/dev/null || test $? -eq 1; \(mount)")
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try expectImported(first + later, by: albumd)
                #expect(try first.map { try albumd.identifier(of: $0.path) } == before)
                for (identifier, drop) in zip(said, later) {
                    guard let identifier = identifier ?? nil else { continue }
                    #expect(try albumd.identifier(of: drop.path) == identifier)
                }
            }
        }

        /// Starts albumd on a library on a tmpfs of which the test decides how much is left.
        private func withFullDisk(test: String = #function, _ body: (Albumd, PrivateDisk) throws -> Void) throws {
            try withAlbumd(isStarted: false, test: test) { albumd in
                let disk = try PrivateDisk(at: albumd.installation.library, in: albumd.scratch)
                try disk.mount("-t tmpfs -o size=64m none")
                albumd.installation.setup.wrapper = disk.wrapper
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try body(albumd, disk)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(try disk.copyOut(to: "copy")).run()
            }
        }

        private func dropFive(_ step: Int, _ albumd: Albumd) throws -> [Drop] {
            try albumd.dropPictures(step * 5..<(step + 1) * 5, byteCount: 40_000)
        }

        /// Each is imported, or waits for room and for nothing else; then there is room.
        private func expectImportedOnceThereIsRoom(
            _ drops: [Drop], _ albumd: Albumd, makeRoom: () throws -> Void
        ) throws {
            try albumd.flush()
            let waiting = try albumd.pending()
            #expect(waiting.allSatisfy { $0.reason == .noSpace && $0.outcome == .pending }, "\(waiting)")
            let said = try drops.map { try albumd.mapping($0.path)?.localIdentifier }
            #expect(waiting.count + said.count { $0 != nil } == drops.count)
            for drop in drops { #expect(try albumd.other.read(drop.path) == drop.bytes) }
            try makeRoom()
            try retry(albumd)
            try expectImported(drops, by: albumd)
            for (identifier, drop) in zip(said, drops) where identifier != nil {
                #expect(try albumd.identifier(of: drop.path) == identifier)
            }
            #expect(try albumd.pending().isEmpty)
        }

        /// Does not wait for the end of the pause, which others test.
        private func retry(_ albumd: Albumd) throws {
            var everything = SubjectRequest()
            everything.all = true
            let reply = try albumd.client.send(.post, "/v1/retry", body: JSON.encode(everything))
            try #require(reply.isSuccess)
            try albumd.flush()
        }
    }
}

/// A tmpfs grows and shrinks while it is mounted, though not below what it holds (tmpfs(5)).
extension PrivateDisk {
    fileprivate func leave(bytes: Int) throws {
        try limit { facts in
            "size=\(Int(facts.f_blocks - facts.f_bfree) * Int(facts.f_frsize) + bytes)"
        }
    }

    fileprivate func leave(files: Int) throws {
        try limit { facts in "nr_inodes=\(Int(facts.f_files - facts.f_ffree) + files)" }
    }

    /// The daemon may write something of its own between the count and the limit, which is refused then.
    private func limit(_ options: (statvfs) -> String) throws {
        for _ in 0..<20 where (try? remount(options(facts()))) != nil { return }
        try remount(options(facts()))
    }

    fileprivate func leaveRoom() throws { try remount("size=64m,nr_inodes=100k") }

    private func remount(_ options: String) throws { try sh("mount -o remount,\(options) '\(mountPoint)'") }

    private func facts() throws -> statvfs {
        var facts = statvfs()
        try #require(statvfs(outside, &facts) == 0)
        return facts
    }
}
