import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Originals go to the simulated cloud and come back (RULES R39-R45, CASES Tiering).
    @BlockingThread struct Cloud {
        @Test func everythingGoesAndComesBackByteForByte() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<20)
                try albumd.flush()
                let before = try albumd.assets()
                #expect(try albumd.evictAll() == ["evicted": 20])
                #expect(try albumd.residencies() == [.inCloud])
                #expect(try albumd.storedOriginals().isEmpty)
                #expect(try albumd.assets().map(\.localIdentifier) == before.map(\.localIdentifier))
                #expect(try albumd.assets().allSatisfy(\.isInCloud))
                let refused = try albumd.client.send(
                    .get, "/v1/assets/\(before[0].localIdentifier.uuid)/original")
                let problem = try JSON.decode(Problem.self, from: refused.body)
                #expect(
                    problem.code == 3164 && problem.exitCode == 5 && problem.fix?.contains("--allow-network") == true)
                let first = try albumd.identifier(of: drops[0].path)
                #expect(try albumd.fetched(first) == drops[0].bytes)
                #expect(try albumd.cloud("drill", CloudRequest(all: true)).counts == ["restored": 20])
                #expect(try albumd.cloud("verify", CloudRequest(all: true)).counts == ["proven": 20])
                #expect(try albumd.fetchAll() == ["fetched": 19])
                #expect(try albumd.residencies() == [.both])
                try expectImported(drops, by: albumd)
                try albumd.reconcile()
                #expect(try albumd.assets().map(\.localIdentifier) == before.map(\.localIdentifier))
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// `safe`, a thumbnail: they look for a moment, and the person who evicts is not sent away for that.
        @Test func aShortLookByOthersIsWaitedFor() throws {
            try withAlbumd { albumd in
                try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.awaitFacts()
                #expect(try albumd.evictAll() == ["evicted": 1])
                #expect(try albumd.fetchAll() == ["fetched": 1])
                let original = try albumd.storedOriginals().first
                let reader = open(try #require(original), O_RDONLY | O_CLOEXEC)
                try #require(reader >= 0)
                let before = try albumd.status().token
                let evicting = try ChildProcess(
                    [builtProgram("albumctl"), "--socket", albumd.installation.socket, "cloud", "evict", "--all"],
                    output: albumd.scratch.path("evicting"), deadline: Albumd.patience)
                // Begun and withdrawn several times.
                try albumd.awaitStatus { $0.token >= before + 8 || evicting.result != nil }
                close(reader)
                #expect(evicting.wait(for: Albumd.patience) == .code(0))
                #expect(try albumd.residencies() == [.inCloud])
            }
        }

        /// The disk lost it, and no source has it any more.
        @Test func whatOnlyTheCloudHasIsRepairedFromThere() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let asset = try albumd.identifier(of: drop.path)
                #expect(try albumd.evictAll() == ["evicted": 1])
                #expect(try albumd.fetchAll() == ["fetched": 1])
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                try albumd.spoil(drop, by: "remove")
                let dry = try albumd.albumctl("repair", "--dry-run")
                #expect(dry.output.contains("wouldRepair 1"), "\(dry.output)")
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 0 && mended.output.contains("from the cloud"), "\(mended.output)")
                #expect(try albumd.original(asset) == drop.bytes)
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// CASES T06, T01: out of reach is refused, and nothing has changed.
        @Test func offlineNothingLeavesAndNothingIsTakenForGone() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                #expect(
                    try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[0])])).counts == [
                        "evicted": 1
                    ])
                try albumd.simulate { $0.isOffline = true }
                let evicted = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[1])]))
                #expect(evicted.counts == ["failed": 1])
                #expect(evicted.rows.first?.reason == "unreachable" && evicted.rows.first?.fix != nil)
                let gone = try albumd.identifier(of: drops[0].path)
                let reply = try albumd.client.send(
                    .get, "/v1/assets/\(gone.uuid)/original", query: ["allowNetwork": "true"])
                #expect(reply.status == 503)
                #expect(try albumd.cloudStatus().lostCount == 0)
                #expect(try albumd.original(albumd.identifier(of: drops[1].path)) == drops[1].bytes)
                // Over a restart, too: what a failed upload has not brought is still here.
                #expect(try albumd.stop() == .code(0))
                #expect(try albumd.start() == nil)
                #expect(try albumd.original(albumd.identifier(of: drops[1].path)) == drops[1].bytes)
                #expect(try albumd.fetched(gone) == drops[0].bytes)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func aLyingStoreGetsNothingAndWrongBytesAreNotServed() throws {
            try withAlbumd { albumd in
                for (number, lie) in [\Simulation.lieRate, \.truncateRate, \.corruptRate].enumerated() {
                    let drop = try albumd.drop("\(number).jpg", SampleMedia.jpeg(number))
                    try albumd.flush()
                    try albumd.simulate {
                        $0.reset = true
                        $0[keyPath: lie] = 1
                    }
                    let evicted = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drop)]))
                    #expect(evicted.counts == ["failed": 1])
                    #expect(try albumd.original(albumd.identifier(of: drop.path)) == drop.bytes)
                }
                try albumd.simulate { $0.reset = true }
                #expect(try albumd.evictAll() == ["evicted": 3])
                let drop = Drop(path: albumd.path("0.jpg"), bytes: SampleMedia.jpeg(0))
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.simulate { $0.corrupt = [identifier] }
                let reply = try albumd.client.send(
                    .get, "/v1/assets/\(identifier.uuid)/original", query: ["allowNetwork": "true"])
                #expect(reply.status == 502)
                // The bit is turned back.
                try albumd.simulate { $0.corrupt = [identifier] }
                #expect(try albumd.fetched(identifier) == drop.bytes)
            }
        }

        @Test func thePolicyMakesRoomAndPinsAndAlbumsHaveTheirWay() throws {
            try withAlbumd(isStarted: false) { albumd in
                try albumd.installation.writeConfiguration("[cloud]\nkeep_local = \"0B\"\n")
                #expect(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<6)
                try albumd.flush()
                let pinned: TokenResult = try albumd.post(
                    "/v1/cloud/pin", PinRequest(subjects: [albumd.subject(drops[2])], isPinned: true))
                #expect(pinned.token != nil)
                #expect(try albumd.settledCloud().residencies["inCloud"]?.count == 5)
                #expect(try albumd.original(albumd.identifier(of: drops[2].path)) == drops[2].bytes)
                let plan: CloudPlanReport = try albumd.get("/v1/cloud/plan")
                #expect(plan.rows.isEmpty)
                let _: TokenResult = try albumd.post(
                    "/v1/cloud/rule", AlbumTierRequest(album: "Inbox", tier: .keepLocal))
                #expect(try albumd.settledCloud().residencies["inCloud"] == nil)
                try expectImported(drops, by: albumd)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func theSameBytesAnEditAPurgeAndARestoreMeetTheTier() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<4)
                try albumd.flush()
                #expect(try albumd.evictAll() == ["evicted": 4])
                // The same bytes under another name: here again, without an upload.
                let again = try albumd.drop("again.jpg", drops[0].bytes)
                try albumd.flush()
                let first = try albumd.identifier(of: drops[0].path)
                #expect(try albumd.identifier(of: again.path) == first)
                #expect(try albumd.asset(first).resources[0].versions[0].residency == .both)
                // An edit of what is in the cloud: the new version is here, the old one there.
                let edited = SampleMedia.jpeg(77)
                let second = try albumd.identifier(of: drops[1].path)
                try albumd.rewrite(drops[1].path, edited)
                try albumd.flush()
                #expect(try albumd.asset(second).resources[0].versions.map(\.residency) == [.inCloud, .local])
                // Deleted and taken back; deleted for good.
                let third = try albumd.identifier(of: drops[2].path)
                try albumd.delete(drops[2])
                try albumd.restoreAll()
                #expect(try albumd.fetched(third) == drops[2].bytes)
                try albumd.delete(drops[3])
                try albumd.purgeAll()
                #expect(try albumd.cloudStatus().purgedObjectCount == 1)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func anEmptyDirectoryAndTheCloudAreTheLibrary() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<8)
                try albumd.flush()
                let before = try (albumd.assets().map(\.localIdentifier), albumd.albums())
                #expect(try albumd.evictAll() == ["evicted": 8])
                #expect(try albumd.stop() == .code(0))
                let library = albumd.installation.library
                try #require(try run(["rm", "-rf", library], in: albumd.scratch).end == .code(0))
                let restore = try run(
                    albumd.installation.command(["restore", "--from-cloud"]), in: albumd.scratch)
                #expect(restore.end == .code(0), "\(restore.output)")
                #expect(try albumd.start() == nil)
                try albumd.flush()
                #expect(try albumd.assets().map(\.localIdentifier) == before.0)
                #expect(try albumd.albums() == before.1)
                for drop in drops {
                    #expect(try albumd.fetched(albumd.identifier(of: drop.path)) == drop.bytes)
                }
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(library).run()
            }
        }

        nonisolated static let points: Set<Milestone> = Set(crashes.map(\.0) + [.objectDeleted])

        nonisolated static let crashes: [(Milestone, String)] = [
            (.uploadBegun, "evict"), (.objectStored, "evict"), (.evictionCommitted, "evict"), (.downloadBegun, "fetch"),
            (.downloadStaged, "fetch"),
        ]

        /// RULES I1, I3, I18, I19: wherever it dies, the bytes are where the catalogue says.
        @Test(arguments: crashes) func aCrashOnTheWayLosesNothing(milestone: Milestone, verb: String) throws {
            try withAlbumd(test: "\(milestone)") { albumd in
                let drops = try albumd.dropPictures(0..<6)
                try albumd.flush()
                if verb == "fetch" { try albumd.evictAll() }
                #expect(try albumd.stop() == .code(0))
                #expect(try albumd.start(environment: ["ALBUMD_CRASH_AT": "\(milestone.rawValue):3"]) == nil)
                _ = try? albumd.cloud(verb, CloudRequest(all: true))
                try #require(try albumd.awaitEnd(within: .seconds(60)) == .signal(SIGKILL))
                try LibraryCheck(albumd.installation.library).checkOriginals()
                #expect(try albumd.start() == nil)
                _ = try albumd.cloud(verb, CloudRequest(all: true))
                #expect(try albumd.residencies() == [verb == "evict" ? .inCloud : .both])
                for drop in drops {
                    #expect(try albumd.fetched(albumd.identifier(of: drop.path)) == drop.bytes)
                }
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func aCrashWhileObjectsOfPurgedPhotosGoIsFinished() throws {
            try withAlbumd(isStarted: false) { albumd in
                try albumd.installation.writeConfiguration("[cloud]\ndelete_purged = \"0d\"\n")
                let crash = ["ALBUMD_CRASH_AT": "\(Milestone.objectDeleted.rawValue):1"]
                #expect(try albumd.start(environment: crash) == nil)
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.evictAll()
                try albumd.delete(drops[0])
                _ = try? albumd.purgeAll()
                // The next round of the tier deletes it.
                _ = try? albumd.settledCloud()
                try #require(try albumd.awaitEnd(within: .seconds(60)) == .signal(SIGKILL))
                #expect(try albumd.start() == nil)
                #expect(try albumd.settledCloud().purgedObjectCount == 0)
                for drop in drops[1...] {
                    #expect(try albumd.fetched(albumd.identifier(of: drop.path)) == drop.bytes)
                }
                #expect(try albumd.stop() == .code(0))
            }
        }
    }
}

extension Albumd {
    /// The files below originals.
    func storedOriginals() throws -> [String] {
        let found = try run(["find", installation.library + "/originals", "-type", "f"], in: scratch)
        return found.output.split(separator: "\n").map(String.init)
    }

    /// Writes a file anew in place: the same inode.
    func rewrite(_ path: String, _ bytes: [UInt8]) throws {
        let other = try drop("new-bytes", bytes, in: "run")
        try #require(try run(["cp", "--no-preserve=all", other.path, path], in: scratch).end == .code(0))
    }
}
