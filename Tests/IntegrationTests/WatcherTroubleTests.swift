import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// The watcher overflows, runs out of watches, or dies.
    @BlockingThread struct WatcherTrouble {
        /// W01: events that the kernel dropped are made good by a scan.
        @Test func whatAnOverflowSwallowedIsFoundByAScan() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<1)
                try albumd.flush()
                albumd.process?.send(SIGSTOP)
                try overflow(albumd)
                let drops = try albumd.dropPictures(1..<501)
                albumd.process?.send(SIGCONT)
                try albumd.flush()
                #expect(try albumd.status().overflows >= 1)
                try expectImported(drops, by: albumd)
                #expect(try albumd.assets().count == 501)
            }
        }

        /// W03: one overflow after the other does not make one scan after the other.
        @Test func overflowsInARowAreAnsweredWithFewScans() throws {
            try withAlbumd { albumd in
                try albumd.flush()
                let began = Machine.bootTime()
                var scans: Set<Date> = []
                for round in 1...4 {
                    albumd.process?.send(SIGSTOP)
                    try overflow(albumd)
                    albumd.process?.send(SIGCONT)
                    repeat {
                        for folder in try albumd.status().folders { folder.lastScan.map { _ = scans.insert($0) } }
                    } while try albumd.status().overflows < round
                }
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try expectImported([drop], by: albumd)
                // One at the start, then after 1, 3, 7, 15, 31 seconds.
                let elapsed = (Machine.bootTime() - began) / .seconds(1)
                #expect(Double(scans.count) <= 2 + log2(elapsed + 1), "\(scans.count) scans in \(elapsed) s")
            }
        }

        /// Makes more events than the queue holds, two in turn, because the kernel joins equal neighbours (inotify(7)).
        ///
        /// Twice as many, for a process that is told to stop may go on for a moment. The files are passed over, so
        /// nothing else comes of it.
        private func overflow(_ albumd: Albumd) throws {
            let text = try albumd.other.read("/proc/sys/fs/inotify/max_queued_events")
            let limit = try #require(Int(String(decoding: text, as: UTF8.self).filter(\.isNumber)))
            let names = [albumd.path("one.part"), albumd.path("two.part")]
            for name in names { try albumd.other.write(name, "") }
            for turn in 0...2 * limit { chmod(names[turn % 2], turn % 4 < 2 ? 0o600 : 0o644) }
        }

        /// W04: a folder with more directories than the kernel gives watches.
        @Test(.enabled(if: Privilege.canUnshareUsers, "needs user namespaces"))
        func aFolderBeyondTheWatchLimitIsPolledAndSaysSo() throws {
            let wrapper = Privilege.inUserNamespace(setting: "user/max_inotify_watches", to: 12)
            try withAlbumd(Setup(wrapper: wrapper)) { albumd in
                for number in 0..<50 { try albumd.makeDirectories("d\(number)") }
                try albumd.flush()
                let drops = try (0..<50).map { try albumd.drop("d\($0)/x.jpg", SampleMedia.jpeg($0)) }
                try albumd.flush()
                try expectImported(drops, by: albumd)
                let status = try albumd.status()
                #expect(status.isDegraded && status.folders.first?.watching == "polling")
                #expect(status.problems.contains { $0.what.contains("max_user_watches") }, "\(status.problems)")
                try raise("max_inotify_watches", of: albumd)
                albumd.process?.send(SIGHUP)
                try expectWatchedAgain("d49/y.jpg", albumd)
            }
        }

        /// RULES R24, R26, I29: the kernel gives no instance at the start, and one later.
        @Test(.enabled(if: Privilege.canUnshareUsers, "needs user namespaces"))
        func foldersArePolledUntilTheKernelGivesAnInstance() throws {
            let wrapper = Privilege.inUserNamespace(setting: "user/max_inotify_instances", to: 0)
            try withAlbumd(Setup(wrapper: wrapper)) { albumd in
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try expectImported([drop], by: albumd)
                let status = try albumd.status()
                #expect(status.isDegraded && status.watches == 0 && status.folders.first?.watching == "polling")
                #expect(status.problems.contains { $0.what.contains("max_user_instances") }, "\(status.problems)")
                try raise("max_inotify_instances", of: albumd)
                try albumd.reconcile()
                try expectWatchedAgain("y.jpg", albumd)
            }
        }

        /// A limit of the daemon's own namespace: nothing else on the machine has it.
        private func raise(_ limit: String, of albumd: Albumd) throws {
            let pid = try #require(albumd.process?.pid)
            let write = "echo 1000 > /proc/sys/user/\(limit)"
            let answer = try run(["nsenter", "--user", "-t", "\(pid)", "sh", "-c", write], in: albumd.scratch)
            try #require(answer.end == .code(0), "\(answer.output)")
        }

        private func expectWatchedAgain(_ name: String, _ albumd: Albumd) throws {
            while try albumd.status().folders.first?.watching != "inotify" {}
            let drop = try albumd.drop(name, SampleMedia.jpeg(1000))
            try albumd.flush()
            try expectImported([drop], by: albumd)
            let status = try albumd.status()
            #expect(!status.isDegraded && status.folders.first?.watching == "inotify", "\(status.problems)")
        }

        /// W22: the inotify descriptor is closed behind the daemon's back.
        @Test(.enabled(if: Privilege.canAttachDebugger, "needs root and gdb"))
        func aDeadWatcherIsReplaced() throws {
            try withAlbumd { albumd in
                try albumd.flush()
                let pid = try #require(albumd.process?.pid)
                let descriptor = try #require(ProcessFacts(pid: pid).inotifyDescriptor)
                let close = ["-ex", "call (int) close(\(descriptor))"]
                let gdb = ["gdb", "-nx", "-batch", "-p", "\(pid)"] + close
                let answer = try run(gdb, in: albumd.scratch)
                try #require(answer.output.contains("$1 = 0"), "gdb did not close it: \(answer.output)")
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try expectImported([drop], by: albumd)
                #expect(try albumd.status().watcherRestarts >= 1)
            }
        }
    }
}
