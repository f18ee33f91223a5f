import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Originals that cannot be used, and a library that cannot be written, as the daemon meets them (RULES R5, R12).
    @BlockingThread struct UnusableOriginals {
        @Test func whatStandsInAnOriginalsPlaceIsToldAndReplaced() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<4)
                try albumd.flush()
                let stored = drops.map { albumd.original(of: $0) }
                for path in stored.prefix(3) { try albumd.other.unlink(path) }
                try albumd.other.makeDirectory(stored[0])
                try albumd.other.write(stored[0] + "/x", "x")
                try albumd.other.makeFIFO(stored[1])
                try albumd.other.makeSymlink(stored[2], to: stored[3])
                let copy = try albumd.drop("copy.jpg", drops[0].bytes)
                let later = try albumd.dropPictures(10..<12)
                try albumd.flush()
                try expectImported([copy] + later, by: albumd)
                #expect(try albumd.other.read(stored[0]) == drops[0].bytes)
                let found = try albumd.albumctl("verify")
                #expect(found.code == 3 && found.output.contains("Found: corrupt 1, unreadable 1."), "\(found.output)")
                #expect(try albumd.status().problems.map(\.fix) == ["albumctl repair"])
                #expect(try albumd.albumctl("repair", "--dry-run").output.contains("In all: wouldRepair 2"))
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 0 && mended.output.contains("In all: repaired 2"), "\(mended.output)")
                #expect(try albumd.albumctl("verify", "--deep").code == 0)
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// ext4 finds an error in itself, and takes no writes from then on (ext4(5), errors=remount-ro).
        @Test(.enabled(if: Privilege.canMake("ext4"), "needs root, loop devices and mkfs.ext4"))
        func aFileSystemThatTurnsReadOnlyEndsNothing() throws {
            try withAlbumd(isStarted: false) { albumd in
                let image = albumd.scratch.path("image")
                let disk = try PrivateDisk(at: albumd.installation.library, in: albumd.scratch)
                try disk.sh("truncate -s 128M '\(image)' && mkfs.ext4 -q '\(image)'")
                try disk.mount("-o loop,errors=remount-ro '\(image)'")
                albumd.installation.setup.wrapper = disk.wrapper
                try #require(try albumd.start() == nil)
                let before = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let stored = disk.outside + albumd.original(of: before[1]).dropFirst(disk.mountPoint.count)
                try albumd.other.rename(stored, to: stored + ".aside")
                try disk.sh("sync")
                try disk.sh(
                    "echo 1 > /sys/fs/ext4/$(basename $(findmnt -n -o SOURCE '\(disk.mountPoint)'))/trigger_fs_error")
                let later = try albumd.dropPictures(10..<13)
                try albumd.drop("list.txt", Array("milk".utf8))
                try albumd.other.unlink(before[0].path)
                try albumd.flush()
                #expect(albumd.process?.result == nil, "\(albumd.log.suffix(600))")
                #expect(try albumd.pending().allSatisfy { $0.reason == .libraryReadOnly })
                #expect(try albumd.status().isDegraded)
                let found = try albumd.albumctl("verify")
                #expect(found.code == 3 && found.output.contains("missing 1"), "\(found.output)")
                #expect(try albumd.albumctl("safe", before[1].path).code == 1)
                try albumd.killUnlessEnded()
                #expect(try albumd.start() == .code(74))
                #expect(albumd.log.contains("is read-only now") && albumd.log.contains("mount it read-write"))
                try disk.unmount()
                try disk.sh("e2fsck -fy '\(image)' >/dev/null || test $? -eq 1")
                try disk.mount("-o loop '\(image)'")
                try albumd.other.rename(stored + ".aside", to: stored)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try expectImported(before.dropFirst() + later, by: albumd)
                #expect(try albumd.status().sources["skipped"] == 1)
                #expect(try !albumd.status().isDegraded)
            }
        }
    }
}
