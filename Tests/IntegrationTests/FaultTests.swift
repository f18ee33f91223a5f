import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Bad files, and disks that refuse: an outcome with its reason, the source untouched, and recovery by itself.
    @BlockingThread struct Faults {
        /// I16: one broken file among ten.
        @Test func oneBrokenFileStopsNoOther() throws {
            try withAlbumd { albumd in
                var drops = try albumd.dropPictures(0..<5)
                let broken = SampleMedia.jpeg(100, byteCount: 2000)
                drops.append(try albumd.drop("broken.jpg", Array(broken.prefix(700))))
                drops += try albumd.dropPictures(5..<9)
                try albumd.flush()
                try expectImported(drops, by: albumd)
            }
        }

        /// I17: the bytes say what a file is, not its name.
        @Test func aFileIsWhatItsBytesAre() throws {
            try withAlbumd { albumd in
                let expected = [
                    (try albumd.drop("a.HEIC", SampleMedia.jpeg(1)), "image/jpeg"),
                    (try albumd.drop("b.JPG", SampleMedia.heic(2)), "image/heic"),
                    (try albumd.drop("c.jpg", SampleMedia.png(3)), "image/png"),
                    (try albumd.drop("d.jpg", SampleMedia.movie(4)), "video/mp4"),
                    (try albumd.drop("e.txt", SampleMedia.gif(5)), "image/gif"),
                ]
                let text = try albumd.drop("f.jpg", Array("a text that is called a picture\n".utf8))
                try albumd.flush()
                try expectImported(expected.map(\.0), by: albumd)
                for (drop, type) in expected {
                    let asset = try albumd.asset(albumd.identifier(of: drop.path))
                    #expect(asset.resources.first?.versions.first?.contentType == type)
                }
                let summary = try albumd.why(text.path).summary
                #expect(summary.contains("skipped (notMedia)"), "\(summary)")
            }
        }

        /// I14: the library's disk is full, and later it is not.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"))
        func aFullDiskKeepsFilesWaitingUntilThereIsRoom() throws {
            try withLibraryFileSystem("size=3m") { albumd in
                let drops = try (0..<10).map { try albumd.drop("\($0).jpg", SampleMedia.jpeg($0, byteCount: 1 << 20)) }
                try albumd.flush()
                let waiting = try albumd.pending()
                #expect(!waiting.isEmpty && waiting.allSatisfy { $0.reason == .noSpace && $0.outcome == .pending })
                let imported = try drops.count { try albumd.mapping($0.path) != nil }
                #expect(imported + waiting.count == 10)
                // A plan does not promise what there is no room for.
                let plan = try albumd.client.send(.post, "/v1/plan", body: Array("{}".utf8))
                let rows = try plan.body.split(separator: UInt8(ascii: "\n")).compactMap { line -> PlanRow? in
                    guard case .row(let row) = try JSON.decode(PlanLine.self, from: Array(line)) else { return nil }
                    return row.isUnchanged ? nil : row
                }
                #expect(rows.count == waiting.count && rows.allSatisfy { $0.reason == .noSpace }, "\(rows)")
                let status = try albumd.status()
                #expect(status.isDegraded && !status.problems.isEmpty)
                // A small file that still fits ends the pause, and mends nothing.
                try albumd.drop("small.jpg", SampleMedia.jpeg(77))
                try albumd.flush()
                #expect(try albumd.status().isDegraded)
                #expect(try albumd.why(waiting[0].path).waiting?.reason == .noSpace)
                for drop in drops { #expect(try albumd.other.read(drop.path) == drop.bytes) }
                try remount("size=64m", of: albumd)
                try albumd.awaitAssets(11)
                try expectImported(drops, by: albumd)
                #expect(try albumd.pending().isEmpty && !albumd.status().isDegraded)
            }
        }

        /// The next photo would have to wait: that is said before it comes.
        @Test(.enabled(if: Privilege.canMount, "needs root and a mount namespace"))
        func aFullDiskIsToldThoughNothingWaits() throws {
            try withLibraryFileSystem("size=4m") { albumd in
                #expect(try !albumd.status().isDegraded)
                let drops = try (0..<6).map { try albumd.drop("\($0).jpg", SampleMedia.jpeg($0, byteCount: 1 << 20)) }
                try albumd.flush()
                for drop in drops where try albumd.mapping(drop.path) == nil { try albumd.other.unlink(drop.path) }
                try albumd.flush()
                #expect(try albumd.pending().isEmpty)
                #expect(try albumd.status().problems.map(\.what).contains { $0.contains("disk is full") })
            }
        }

        /// RULES R11: a limit of the user's, or on the size of a file, is no fault of the disk either.
        @Test func aLimitOnTheSizeOfAFileKeepsFilesWaitingUntilItIsRaised() throws {
            try withAlbumd(Setup(wrapper: ["prlimit", "--fsize=400000:unlimited"])) { albumd in
                var drops: [Drop] = []
                while try albumd.pending().isEmpty, drops.count < 60 {
                    drops += try albumd.dropPictures(drops.count..<drops.count + 1)
                    try albumd.flush()
                }
                let waiting = try albumd.pending()
                #expect(!waiting.isEmpty && waiting.allSatisfy { $0.reason == .noSpace }, "\(waiting)")
                for drop in drops { #expect(try albumd.other.read(drop.path) == drop.bytes) }
                let pid = "\(albumd.process?.pid ?? 0)"
                let raise = ["prlimit", "--pid", pid, "--fsize=unlimited"]
                try #require(try run(raise, in: albumd.scratch).end == .code(0))
                try albumd.awaitAssets(drops.count)
                try expectImported(drops, by: albumd)
                #expect(try albumd.pending().isEmpty && !albumd.status().isDegraded)
            }
        }

        /// RULES R12: the library's file system turns read-only after an error, and is mended later.
        @Test(.enabled(if: Privilege.canBreakFileSystems, "needs root, loop devices and ext4"))
        func aReadOnlyDiskKeepsFilesWaitingUntilItTakesWrites() throws {
            try withAlbumd(isStarted: false) { albumd in
                let image = albumd.scratch.path("image")
                let library = albumd.installation.library
                try albumd.other.makeDirectory(library)
                try #require(try run(["truncate", "-s", "64M", image], in: albumd.scratch).end == .code(0))
                try #require(try run(["mkfs.ext4", "-q", image], in: albumd.scratch).end == .code(0))
                albumd.installation.setup.wrapper = Privilege.withImage(image, at: library)
                try #require(try albumd.start() == nil)
                let first = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try failFileSystem(of: albumd)
                let second = try albumd.dropPictures(3..<6)
                try albumd.flush()
                let waiting = try albumd.pending()
                #expect(waiting.count == 3 && waiting.allSatisfy { $0.reason == .libraryReadOnly }, "\(waiting)")
                #expect(try albumd.status().isDegraded)
                try expectImported(first, by: albumd)
                for drop in second { #expect(try albumd.other.read(drop.path) == drop.bytes) }
                try albumd.stop()
                _ = try run(["e2fsck", "-fy", image], in: albumd.scratch)
                try #require(try albumd.start() == nil)
                try albumd.flush()
                try expectImported(first + second, by: albumd)
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// Makes ext4 believe that it found damage; mounted so, it then takes no more writes (ext4(5), errors=).
        private func failFileSystem(of albumd: Albumd) throws {
            let mounts = try albumd.other.read("/proc/\(albumd.process?.pid ?? 0)/mounts")
            let line = String(decoding: mounts, as: UTF8.self).split(separator: "\n")
                .first { $0.contains(" \(albumd.installation.library) ") }
            let device = try #require(line?.split(separator: " ").first?.split(separator: "/").last)
            let script = "echo test > /sys/fs/ext4/\(device)/trigger_fs_error"
            try #require(try run(["sh", "-c", script], in: albumd.scratch).end == .code(0))
        }

        /// R14: what may not be read is blocked, and taken as soon as it may.
        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root, and a build that others may run"))
        func anUnreadableFileIsBlockedUntilItMayBeRead() throws {
            try withAlbumd(Setup(wrapper: Privilege.asNobody, owner: Privilege.nobody)) { albumd in
                let hidden = try albumd.drop("hidden.jpg", SampleMedia.jpeg(1))
                chmod(hidden.path, 0)
                let plain = try albumd.drop("plain.jpg", SampleMedia.jpeg(2))
                try albumd.makeDirectories("closed")
                let inside = try albumd.drop("closed/inside.jpg", SampleMedia.jpeg(3))
                chmod(albumd.path("closed"), 0)
                try albumd.flush()
                try albumd.reconcile()
                try albumd.flush()
                try expectImported([plain], by: albumd)
                let rows = try albumd.pending()
                #expect(rows.contains { $0.path == hidden.path && $0.outcome == .blocked && $0.reason == .permission })
                #expect(try albumd.status().isDegraded)
                #expect(try albumd.why(hidden.path).summary.contains("blocked (permission)"))
                #expect(try albumd.other.read(hidden.path) == hidden.bytes)
                chmod(hidden.path, 0o644)
                chmod(albumd.path("closed"), 0o755)
                try albumd.flush()
                try expectImported([hidden], by: albumd)
                // A directory that opens says nothing of what is in it: the next full scan does.
                try albumd.reconcile()
                try albumd.flush()
                try expectImported([inside], by: albumd)
                #expect(try albumd.pending().isEmpty && !albumd.status().isDegraded)
            }
        }

        /// The folder itself goes away and comes back: nothing is concluded from what is absent.
        @Test func aFolderThatIsAwayIsOfflineAndComesBack() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let before = try drops.map { try albumd.identifier(of: $0.path) }
                try albumd.other.rename(albumd.scratch.path("inbox"), to: albumd.scratch.path("away"))
                #expect(try albumd.flush().offline.count == 1)
                let status = try albumd.status()
                #expect(status.isDegraded && status.folders.first?.standing == "offline")
                #expect(status.assetCount == 3)
                try albumd.other.rename(albumd.scratch.path("away"), to: albumd.scratch.path("inbox"))
                let fourth = try albumd.drop("fourth.jpg", SampleMedia.jpeg(4))
                #expect(try albumd.flush().offline.isEmpty)
                try expectImported(drops + [fourth], by: albumd)
                #expect(try drops.map { try albumd.identifier(of: $0.path) } == before)
            }
        }

        /// An original that was changed behind the daemon's back is not taken for the real one.
        @Test func aDuplicateMendsAnOriginalThatWasTornMeanwhile() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let name = "\(drop.hash.hexadecimal.prefix(2))/\(drop.hash.hexadecimal).jpg"
                let original = "\(albumd.installation.library)/originals/\(name)"
                chmod(original, 0o600)
                try albumd.other.write(original, Array("torn".utf8))
                let again = try albumd.drop("b.jpg", drop.bytes)
                try albumd.flush()
                try expectImported([drop, again], by: albumd)
                try albumd.stop()
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Starts albumd on a library on a small file system that only it sees.
        private func withLibraryFileSystem(
            _ options: String, test: String = #function, _ body: (Albumd) throws -> Void
        ) throws {
            try withAlbumd(isStarted: false, test: test) { albumd in
                let library = albumd.installation.library
                try albumd.other.makeDirectory(library)
                albumd.installation.setup.wrapper = Privilege.withFileSystem(at: library, options: options)
                try #require(try albumd.start() == nil)
                try body(albumd)
            }
        }

        private func remount(_ options: String, of albumd: Albumd) throws {
            let pid = "\(albumd.process?.pid ?? 0)"
            let mount = ["mount", "-o", "remount,\(options)", albumd.installation.library]
            let answer = try run(["nsenter", "-t", pid, "-m"] + mount, in: albumd.scratch)
            try #require(answer.end == .code(0), "\(answer.output)")
        }
    }
}

extension Albumd {
    /// Waits until the library has so many assets, woken by its changes and by nothing else.
    fileprivate func awaitAssets(_ count: Int) throws {
        var current = try status()
        while current.assetCount < count {
            // Ends with the first change, or with the daemon at its deadline.
            _ = try client.lines("/v1/changes", query: ["follow": "true", "after": "\(current.token)"]) { _ in false }
            current = try status()
        }
        try flush()
    }
}
