import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// What is said of the cloud is so: by verify, purge, plan, tier and status (issue of the cloud).
    @BlockingThread struct CloudTruth {
        /// The first file below a place of the store gets another byte, or as many as it had.
        private func rot(_ place: String, of albumd: Albumd) throws {
            let store = albumd.installation.library + "-cloud/objects/library/" + place
            let find = try run(["find", store, "-type", "f"], in: albumd.scratch).output
            let file = try #require(find.split(separator: "\n").sorted().first.map(String.init))
            let bytes = try albumd.other.read(file)
            try albumd.other.write(file, [UInt8](repeating: UInt8(ascii: "x"), count: bytes.count))
        }

        @Test func aHistoryThatRotInTheStoreIsWrittenAgainAndSaidUntilThen() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<4)
                try albumd.flush()
                try albumd.evictAll()
                _ = try albumd.settledCloud()
                try rot("changes", of: albumd)
                // As long as nothing can be written, it is said.
                try albumd.simulate { $0.lieRate = 1 }
                let bad = try albumd.cloud("verify", CloudRequest(all: true))
                #expect(
                    bad.rows.contains { $0.object?.hasPrefix("library/changes/") == true && $0.outcome == .different })
                #expect(bad.counts == ["proven": 4])
                let problem = try #require(try albumd.status().problems.first { $0.kind == "mirrorDamaged" })
                #expect(problem.fix == "albumctl cloud verify")
                try albumd.simulate { $0.lieRate = 0 }
                _ = try albumd.albumctl("cloud", "drill")
                #expect(try !albumd.status().problems.contains { $0.kind == "mirrorDamaged" })
                let good = try albumd.albumctl("cloud", "verify")
                #expect(good.code == 0 && good.output.contains("history there: proven"), "\(good.output)")
                try restoreElsewhere(albumd, drops)
            }
        }

        private func restoreElsewhere(_ albumd: Albumd, _ drops: [Drop]) throws {
            let before = try albumd.assets().map(\.localIdentifier)
            #expect(try albumd.stop() == .code(0))
            try #require(try run(["rm", "-rf", albumd.installation.library], in: albumd.scratch).end == .code(0))
            let restore = try run(albumd.installation.command(["restore", "--from-cloud"]), in: albumd.scratch)
            #expect(restore.end == .code(0), "\(restore.output)")
            #expect(try albumd.start() == nil)
            try albumd.flush()
            #expect(try albumd.assets().map(\.localIdentifier) == before)
            for drop in drops { #expect(try albumd.fetched(albumd.identifier(of: drop.path)) == drop.bytes) }
        }

        /// It is known over a restart, too (RULES R42).
        @Test func aCopyThatWasDeniedOnceIsADoubt() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                try albumd.evictAll()
                try albumd.fetchAll()
                let asset = try albumd.identifier(of: drops[0].path)
                try albumd.simulate { $0.lose = [asset] }
                let verify = try albumd.albumctl("cloud", "verify")
                #expect(verify.code == 3 && verify.output.contains("in doubt"), "\(verify.output)")
                #expect(try albumd.stop() == .code(0))
                #expect(try albumd.start() == nil)
                #expect(try albumd.cloudStatus().doubtCount == 1)
                #expect(try albumd.status().problems.contains { $0.what.contains("asked again in") })
                let other = try albumd.identifier(of: drops[1].path)
                for command in ["get", "tier"] {
                    #expect(try albumd.albumctl("asset", command, "\(asset)").output.contains("in doubt"))
                    #expect(try !albumd.albumctl("asset", command, "\(other)").output.contains("in doubt"))
                }
                let list = try albumd.albumctl("asset", "list").output.split(separator: "\n")
                #expect(list.filter { $0.contains("in doubt") }.map { $0.contains("\(asset)") } == [true])
                #expect(try albumd.original(asset) == drops[0].bytes)
            }
        }

        /// What may not leave is refused from the catalogue: nothing is sent, and nobody has to answer.
        @Test func whatMayNotLeaveIsRefusedAndNotSent() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<1)
                try albumd.flush()
                let asset = "\(try albumd.identifier(of: drops[0].path))"
                try #require(try albumd.albumctl("album", "ensure", "Our Home").code == 0)
                try #require(try albumd.albumctl("album", "add", "Our Home", asset).code == 0)
                try #require(try albumd.albumctl("cloud", "rule", "Our Home", "--keep-local").code == 0)
                for (command, operand) in [("rule", "Our Home"), ("status", "--json")] {
                    let shown = try albumd.albumctl("cloud", command, operand).output
                    #expect(
                        shown.contains("keeps its originals on the disk") || shown.contains("keepLocal"), "\(shown)")
                }
                #expect(try albumd.albums().first { $0.title == "Our Home" }?.tier == .keepLocal)
                for isOffline in [true, false] {
                    try albumd.simulate { $0.isOffline = isOffline }
                    let refused = try albumd.albumctl("cloud", "evict", asset)
                    #expect(refused.code == 5 && refused.output.contains("refused"), "\(refused.output)")
                    #expect(refused.output.contains("cloud rule 'Our Home' --none"), "\(refused.output)")
                }
                #expect(try albumd.residencies() == [.local])
            }
        }

        @Test func whatWasNotLookedAtIsNotCounted() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                _ = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[0])]))
                let verify = try albumd.albumctl("verify")
                #expect(verify.code == 0 && verify.output.contains("2 originals were looked at"), "\(verify.output)")
                #expect(verify.output.contains("1 original is in the cloud alone"))
                #expect(verify.output.contains("albumctl cloud verify"))
            }
        }

        @Test func aPurgeTellsTheDiskFromTheCloud() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                _ = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[0])]))
                for drop in drops { try albumd.delete(drop) }
                let dry = try albumd.albumctl("trash", "purge", "--all", "--dry-run", "--json")
                let plan = try JSON.decode(TrashResult.self, from: Array(dry.output.utf8))
                #expect(plan.freedByteCount == Int64(drops[1].bytes.count))
                #expect(plan.cloudByteCount == Int64(drops[0].bytes.count))
                let done = try albumd.purgeAll()
                #expect(done.freedByteCount == plan.freedByteCount && done.cloudByteCount == plan.cloudByteCount)
            }
        }

        @Test func aPlanSaysEverythingThatThenMoves() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<5)
                try albumd.flush()
                _ = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[0])]))
                #expect(try albumd.stop() == .code(0))
                try albumd.installation.writeConfiguration("[cloud]\nkeep_local = \"0B\"\n")
                #expect(try albumd.start(environment: [:]) == nil)
                try albumd.simulate { $0.isOffline = true }
                let _: TokenResult = try albumd.post(
                    "/v1/cloud/pin", PinRequest(subjects: [albumd.subject(drops[0])], isPinned: true))
                let plan: CloudPlanReport = try albumd.get("/v1/cloud/plan")
                let short = try albumd.albumctl("cloud", "plan", "--limit", "0")
                #expect(short.code == 3 && short.output.contains("not listed"), "\(short.output)")
                let fetched = plan.rows.filter { $0.move == .fetch }.compactMap(\.localIdentifier)
                let evicted = Set(plan.rows.filter { $0.move == .evict }.compactMap(\.localIdentifier))
                #expect(fetched == [try albumd.identifier(of: drops[0].path)])
                try albumd.simulate { $0.isOffline = false }
                let report = try albumd.settledCloud()
                #expect(report.residencies["both"]?.count == plan.fetches.count)
                let away = try albumd.assets().filter(\.isInCloud).map(\.localIdentifier)
                #expect(evicted.isSubset(of: away))
            }
        }

        @Test func theVersionsOfAnEditAreToldApart() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<1)
                try albumd.flush()
                try albumd.evictAll()
                let asset = try albumd.identifier(of: drops[0].path)
                try albumd.rewrite(drops[0].path, SampleMedia.jpeg(77))
                try albumd.flush()
                for command in [["asset", "tier", "\(asset)"], ["asset", "list"]] {
                    let said = try run(
                        [builtProgram("albumctl"), "--socket", albumd.installation.socket] + command, in: albumd.scratch
                    )
                    #expect(said.output.contains("original inCloud, current local"), "\(said.output)")
                }
                let rows = try albumd.cloud("fetch", CloudRequest(all: true)).rows
                #expect(rows.map(\.version) == ["original"])
            }
        }

        @Test func aDrillIntoADirectoryLeavesTheFilesThere() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                try albumd.evictAll()
                let place = albumd.scratch.path("drill")
                let drill = try albumd.albumctl("cloud", "drill", "--into", place)
                #expect(drill.code == 0 && drill.output.contains("restored 3"), "\(drill.output)")
                let names = try run(["ls", place], in: albumd.scratch).output.split(separator: "\n").map(String.init)
                let found = try Set(names.map { try albumd.other.read(place + "/" + $0) })
                #expect(found == Set(drops.map(\.bytes)))
                #expect(try albumd.residencies() == [.inCloud])
                // Once more: nothing is written over, and what is there is right.
                #expect(try albumd.albumctl("cloud", "drill", "--into", place).code == 0)
                try albumd.other.write(place + "/" + (try #require(names.first)), "other bytes")
                #expect(try albumd.albumctl("cloud", "drill", "--into", place).code == 1)
            }
        }

        @Test func aDirectoryWithoutItsParentIsNotMade() throws {
            try withAlbumd(isStarted: false) { albumd in
                let disk = albumd.scratch.path("disk")
                try albumd.installation.writeConfiguration("[cloud]\ndirectory = \"\(disk)/cloud\"\n")
                #expect(try albumd.start() == nil)
                let problem = try #require(try albumd.status().problems.first)
                #expect(problem.what.contains("\(disk)/cloud") && problem.fix.contains("mount"))
                #expect(access(disk, F_OK) != 0)
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                #expect(try albumd.original(albumd.identifier(of: drop.path)) == drop.bytes)
                #expect(try albumd.stop() == .code(0))
                let restore = try run(albumd.installation.command(["restore", "--from-cloud"]), in: albumd.scratch)
                #expect(restore.end != .code(0) && restore.output.contains("mount its disk"), "\(restore.output)")
                // With it, its last component is made.
                try #require(mkdir(disk, 0o700) == 0)
                #expect(try albumd.start() == nil)
                #expect(try albumd.evictAll() == ["evicted": 1])
            }
        }
    }
}
