import Control
import FoundationEssentials
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

/// One way in which the simulated store misbehaves.
struct CloudFault: Sendable, CustomTestStringConvertible {
    let name: String
    let set: @Sendable (inout Simulation) -> Void

    var testDescription: String { name }

    /// What may be while every request still ends by itself within a moment.
    static let all = [
        CloudFault("offline") { $0.isOffline = true },
        CloudFault("slow") { ($0.latencyMilliseconds, $0.bytesPerSecond) = (20, 20_000) },
        CloudFault("errors") { $0.errorRate = 0.3 },
        CloudFault("throttled") { $0.throttleRate = 0.3 },
        CloudFault("broken") { $0.breakRate = 0.7 },
        CloudFault("lies") { $0.lieRate = 1 },
        CloudFault("truncates") { $0.truncateRate = 1 },
        CloudFault("corrupts") { $0.corruptRate = 1 },
        CloudFault("outages") { ($0.outageEveryMilliseconds, $0.outageForMilliseconds) = (50, 300) },
        CloudFault("full") { $0.quotaByteCount = 1 },
        CloudFault("late lists") { $0.listDelayMilliseconds = 3_600_000 },
    ]

    init(_ name: String, _ set: @escaping @Sendable (inout Simulation) -> Void) { (self.name, self.set) = (name, set) }
}

extension Integration {
    /// Each fault of the simulated store at each step of the way, on the real daemon: what it says is so, and no byte is
    /// lost (RULES I1, I3, I17-I19, I29, I30).
    @BlockingThread struct CloudFaults {
        @Test(arguments: CloudFault.all) func atUploadVerifyAndEvict(fault: CloudFault) throws {
            try withAlbumd(test: "evict \(fault.name)") { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                try albumd.under(fault) {
                    let (rows, counts) = try albumd.cloud("evict", CloudRequest(all: true))
                    #expect(Set(counts.keys).isSubset(of: ["evicted", "failed"]))
                    #expect(rows.allSatisfy { $0.outcome == .evicted || $0.detail != nil && $0.fix != nil })
                    let gone = try albumd.assets().filter(\.isInCloud)
                    #expect(gone.count == counts["evicted", default: 0])
                }
                try LibraryCheck(albumd.installation.library).checkOriginals()
                try albumd.crashAndStart()
                try albumd.evictAll()
                #expect(try albumd.residencies() == [.inCloud])
                try albumd.expectWhole(drops)
            }
        }

        @Test(arguments: CloudFault.all) func atFetch(fault: CloudFault) throws {
            try withAlbumd(test: "fetch \(fault.name)") { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                #expect(try albumd.evictAll() == ["evicted": 2])
                try albumd.under(fault) {
                    let (rows, counts) = try albumd.cloud("fetch", CloudRequest(all: true))
                    #expect(Set(counts.keys).isSubset(of: ["fetched", "failed"]))
                    #expect(rows.allSatisfy { $0.outcome == .fetched || $0.detail != nil && $0.fix != nil })
                    let here = try albumd.assets().filter { !$0.isInCloud }
                    #expect(here.count == counts["fetched", default: 0])
                }
                #expect(try albumd.cloudStatus().lostCount == 0)
                try albumd.crashAndStart()
                try albumd.expectWhole(drops)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// And its restore from Recently Deleted.
        @Test(arguments: CloudFault.all) func atPurge(fault: CloudFault) throws {
            try withAlbumd(isStarted: false, test: "purge \(fault.name)") { albumd in
                try albumd.installation.writeConfiguration("[cloud]\ndelete_purged = \"0d\"\n")
                #expect(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                #expect(try albumd.evictAll() == ["evicted": 2])
                let ours = try albumd.identifier(of: drops[1].path)
                try albumd.under(fault) {
                    for drop in drops { try albumd.delete(drop) }
                    let trash = try albumd.trash().map(\.localIdentifier)
                    #expect(trash.contains(ours))
                    let _: TrashResult = try albumd.post(
                        "/v1/trash/restore", AssetsRequest(subjects: [SubjectRequest(localIdentifier: ours)]))
                    try albumd.purgeAll()
                }
                try albumd.crashAndStart()
                #expect(try albumd.settledCloud().purgedObjectCount == 0)
                #expect(try albumd.fetched(ours) == drops[1].bytes)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// Faults that a restore gets over, all at once.
        @Test func atRestore() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<4)
                try albumd.flush()
                #expect(try albumd.evictAll() == ["evicted": 4])
                #expect(try albumd.stop() == .code(0))
                let library = albumd.installation.library
                try #require(try run(["rm", "-rf", library], in: albumd.scratch).end == .code(0))
                try albumd.installation.writeConfiguration(
                    """
                    [cloud.simulator]
                    latency = "5ms"
                    error_rate = 0.2
                    break_rate = 0.3
                    throttle_rate = 0.05
                    outage_every = "300ms"
                    outage_for = "100ms"

                    """)
                let restore = try run(
                    albumd.installation.command(["restore", "--from-cloud"]), in: albumd.scratch)
                #expect(restore.end == .code(0), "\(restore.output)")
                #expect(try albumd.start() == nil)
                try albumd.expectWhole(drops)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(library).run()
            }
        }

        /// CASES T01, T02: a put that never succeeds, and more refusals than anybody counts, over a restart.
        @Test(arguments: ["error_rate", "throttle_rate"])
        func aStoreThatNeverTakesAnythingLosesNothing(key: String) throws {
            try withAlbumd(isStarted: false, test: key) { albumd in
                try albumd.installation.writeConfiguration(
                    "[cloud]\nkeep_local = \"0B\"\n[cloud.simulator]\n\(key) = 1.0\n")
                #expect(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let evicted = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[0])]))
                #expect(evicted.counts == ["failed": 1])
                try albumd.crashAndStart()
                #expect(try albumd.residencies() == [.local])
                try expectImported(drops, by: albumd)
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        /// CASES T03: two daemons, one library and its cloud.
        @Test func aSecondDaemonDoesNotTouchTheCloud() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                try albumd.evictAll()
                let second = try run(albumd.installation.command([]), in: albumd.scratch)
                #expect(second.end == .code(69), "\(second.output)")
                let restore = try run(
                    albumd.installation.command(["restore", "--from-cloud"]), in: albumd.scratch)
                #expect(restore.end != .code(0) && !restore.output.isEmpty)
                try albumd.expectWhole(drops)
            }
        }

        @Test func aFetchThatWasKilledGoesOn() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("large.jpg", SampleMedia.jpeg(1) + [UInt8](repeating: 7, count: 6 << 20))
                try albumd.flush()
                #expect(try albumd.evictAll() == ["evicted": 1])
                // The third MiB is never whole.
                try albumd.simulate { $0.breakRate = 1 }
                #expect(try albumd.fetchAll() == ["failed": 1])
                #expect(try albumd.stagedCount() == 1)
                try albumd.crashAndStart()
                #expect(try albumd.stagedCount() == 1)
                let fetched = try albumd.cloud("fetch", CloudRequest(all: true))
                #expect(fetched.counts == ["fetched": 1])
                try albumd.expectWhole([drop])
                #expect(try albumd.stop() == .code(0))
                try LibraryCheck(albumd.installation.library).run()
            }
        }

        @Test func whatNothingHereHasIsRepairedFromTheCloud() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                let identifiers = try drops.map { try albumd.identifier(of: $0.path) }
                try albumd.evictAll()
                try albumd.fetchAll()
                for (drop, fault) in zip(drops, ["flip", "truncate", "remove"]) {
                    try albumd.spoil(drop, by: fault)
                    try albumd.other.unlink(drop.path)
                }
                try albumd.flush()
                #expect(try albumd.albumctl("verify", "--deep").code == 3)
                try albumd.simulate { $0.isOffline = true }
                let offline = try albumd.albumctl("repair")
                #expect(offline.code == 3 && offline.output.contains("In all: failed 3"), "\(offline.output)")
                try albumd.simulate { $0.isOffline = false }
                let dry = try albumd.albumctl("repair", "--dry-run")
                #expect(dry.code == 0 && dry.output.contains("In all: wouldRepair 3"), "\(dry.output)")
                let mended = try albumd.albumctl("repair")
                #expect(mended.code == 0 && mended.output.contains("In all: repaired 3"), "\(mended.output)")
                for (identifier, drop) in zip(identifiers, drops) {
                    #expect(try albumd.original(identifier) == drop.bytes)
                }
                #expect(try !albumd.status().isDegraded)
            }
        }
    }
}
