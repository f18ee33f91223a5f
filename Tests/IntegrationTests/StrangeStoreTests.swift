import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// A store that is not there, not this library's, or not configured: said, and never believed.
    @BlockingThread struct StrangeStores {
        /// Its volume is not mounted: what is made in its place is not the store, and nothing of it is believed.
        @Test func aStoreThatIsNotThereIsSaidAndGetsNothing() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                _ = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[0])]))
                #expect(try albumd.stop() == .code(0))
                let cloud = albumd.installation.library + "-cloud"
                #expect(rename(cloud, cloud + ".volume") == 0)
                try #require(try albumd.start() == nil)
                // None is made in its place, where the right one would be mounted or moved to.
                #expect(try albumd.status().problems.contains { $0.what.contains("originals should be in it") })
                #expect(access(cloud, F_OK) != 0)
                // It is configured, and not none at all.
                let unusable = try albumd.albumctl("cloud", "status")
                #expect(unusable.code == 3 && unusable.output.hasPrefix("cloud: simulated\n"), "\(unusable.output)")
                #expect(unusable.output.contains("    mount its disk"), "\(unusable.output)")
                let said = try albumd.cloudStatus()
                #expect(said.directory == cloud && said.failure != nil && said.failureFix != nil)
                #expect(try albumd.stop() == .code(0))
                try albumd.other.makeDirectory(cloud)
                try #require(try albumd.start() == nil)
                _ = try albumd.settledCloud()
                let status = try albumd.status()
                #expect(
                    status.problems.contains { $0.what.contains("has nothing of this library") }, "\(status.summary)")
                #expect(status.summary.contains("1 of 2 assets are safe"), "\(status.summary)")
                let plan: CloudPlanReport = try albumd.get("/v1/cloud/plan")
                #expect(plan.obstacle?.fix.contains("mount it") == true)
                #expect(
                    try albumd.albumctl("cloud", "fetch", "--all", "--dry-run").output.contains("the rule") == false)
                let refused = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[1])]))
                #expect(refused.counts == ["failed": 1] && refused.rows.first?.reason == "notOurs")
                // It has nothing, and that means nothing.
                for verb in ["verify", "drill"] {
                    let asked = try albumd.cloud(verb, CloudRequest(all: true))
                    #expect(asked.counts == ["failed": 1], "\(verb)")
                    #expect(asked.rows.last?.fix?.contains("mount it") == true)
                }
                let told = try albumd.albumctl("cloud", "status")
                #expect(told.code == 3 && !told.output.contains("has not answered"), "\(told.output)")
                #expect(try albumd.cloudStatus().doubtCount == 0)
                #expect(try albumd.stop() == .code(0))
                try #require(try run(["rm", "-rf", cloud], in: albumd.scratch).end == .code(0))
                // And one that cannot be a directory keeps no photo out.
                try albumd.other.write(cloud, Array("a file".utf8))
                try #require(try albumd.start() == nil)
                let other = try albumd.drop("other.jpg", SampleMedia.jpeg(7))
                try albumd.flush()
                try expectImported([other], by: albumd)
                #expect(try albumd.status().problems.contains { $0.what.contains("cannot be used") })
                #expect(try albumd.stop() == .code(0))
                #expect(unlink(cloud) == 0 && rename(cloud + ".volume", cloud) == 0)
                try #require(try albumd.start() == nil)
                try albumd.expectWhole(drops + [other])
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// An older copy of the store, or an empty one where nothing is in the cloud alone, is the library's; what came to
        /// the store since is not there, which is found at once and not by who needs it.
        @Test(arguments: [true, false]) func aStoreThatIsBehindIsAskedForWhatCameSince(isEmpty: Bool) throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                func move(_ verb: String, _ drop: Drop) throws {
                    let end = try albumd.cloud(verb, CloudRequest(subjects: [albumd.subject(drop)]))
                    #expect(end.counts.values.reduce(0, +) == 1, "\(end.counts)")
                }
                let cloud = albumd.installation.library + "-cloud"
                try move("evict", drops[0])
                if isEmpty { try move("fetch", drops[0]) }
                #expect(try albumd.stop() == .code(0))
                let copied = isEmpty ? ["mkdir", cloud + ".old"] : ["cp", "-a", cloud, cloud + ".old"]
                try #require(try run(copied, in: albumd.scratch).end == .code(0))
                try #require(try albumd.start() == nil)
                if !isEmpty { try move("evict", drops[1]) }
                _ = try albumd.settledCloud()
                #expect(try albumd.cloudStatus().doubtCount == 0)
                #expect(try albumd.stop() == .code(0))
                #expect(rename(cloud, cloud + ".volume") == 0 && rename(cloud + ".old", cloud) == 0)
                try #require(try albumd.start() == nil)
                _ = try albumd.settledCloud()
                #expect(try albumd.cloudStatus().doubtCount == 1)
                #expect(try albumd.status().isDegraded)
                // What it denied is not promised.
                let dry = try albumd.cloud("fetch", CloudRequest(all: true, isDryRun: true))
                #expect(dry.counts == (isEmpty ? [:] : ["failed": 1, "wouldFetch": 1]), "\(dry.counts)")
                #expect(try albumd.stop() == .code(0))
                #expect(rename(cloud, cloud + ".old") == 0 && rename(cloud + ".volume", cloud) == 0)
                try #require(try albumd.start() == nil)
                #expect(try albumd.cloud("verify", CloudRequest(all: true)).counts["proven"] ?? 0 > 0)
                #expect(try albumd.cloudStatus().doubtCount == 0)
                try albumd.expectWhole(drops)
                #expect(try !albumd.status().isDegraded)
            }
        }

        /// As if they were ten minutes old: by the clock since boot nothing else can be.
        private func ageDoubts(of albumd: Albumd) throws {
            let path = albumd.installation.library + "/doubts"
            let lines = String(decoding: try albumd.other.read(path), as: UTF8.self).split(separator: "\n")
            let older = lines.map { line in
                let words = line.split(separator: " ")
                return "\(words[0]) \(words[1]) \((words.last.flatMap { Int($0) } ?? 0) - 601)\n"
            }
            try albumd.other.write(path, Array(older.joined().utf8))
        }

        /// The disk of the cloud broke: what is here goes to a new one, what was there alone is lost loudly, and comes back from
        /// a source.
        @Test func aStoreThatIsGoneForGoodIsGivenUp() throws {
            try withAlbumd(isStarted: false) { albumd in
                try #require(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<3)
                try albumd.flush()
                for (verb, drop) in [("evict", 0), ("evict", 1), ("fetch", 1)] {
                    _ = try albumd.cloud(verb, CloudRequest(subjects: [albumd.subject(drops[drop])]))
                }
                let known = try albumd.albumctl("cloud", "adopt", "--yes")
                #expect(known.code == 5 && known.output.contains("already"), "\(known.output)")
                // What the old store denied is no first answer of the new one.
                let denied = try albumd.identifier(of: drops[0].path)
                try albumd.simulate { $0.lose = [denied] }
                _ = try albumd.albumctl("cloud", "verify", "\(denied)")
                #expect(try albumd.cloudStatus().doubtCount == 1)
                #expect(try albumd.stop() == .code(0))
                try ageDoubts(of: albumd)
                let cloud = albumd.installation.library + "-cloud"
                #expect(rename(cloud, cloud + ".broken") == 0)
                try albumd.other.makeDirectory(cloud)
                try #require(try albumd.start() == nil)
                _ = try albumd.settledCloud()
                #expect(try albumd.status().problems.contains { $0.fix.contains("albumctl cloud adopt") })
                let dry = try albumd.albumctl("cloud", "adopt", "--dry-run")
                #expect(dry.code == 0 && dry.output.contains("1 original is here"), "\(dry.output)")
                #expect(dry.output.contains(") was in the old cloud alone"), "\(dry.output)")
                #expect(try !albumd.status().problems.isEmpty)
                #expect(try albumd.albumctl("cloud", "adopt").code == 2)
                #expect(try albumd.albumctl("cloud", "adopt", "--yes").code == 0)
                _ = try albumd.settledCloud()
                let adopted = try albumd.cloudStatus()
                #expect(adopted.doubtCount == 2 && adopted.lostCount == 0, "\(adopted)")
                let advice = try #require(try albumd.status().problems.first { $0.what.contains("denied") }).fix
                #expect(advice.contains("albumctl save") && !advice.contains("is mended"), "\(advice)")
                #expect(try albumd.stop() == .code(0))
                try ageDoubts(of: albumd)
                try #require(try albumd.start() == nil)
                _ = try albumd.settledCloud()
                let report = try albumd.cloudStatus()
                #expect(report.lostCount == 1 && report.doubtCount == 0, "\(report)")
                #expect(try albumd.status().problems.contains { $0.what.contains("lost") })
                let gone = try albumd.assets().filter { $0.resources.flatMap(\.versions).contains(where: \.isLost) }
                let lost = "\(try #require(gone.first).localIdentifier)"
                for said in try [
                    albumd.albumctl("cloud", "fetch", lost, "--dry-run"), albumd.albumctl("cloud", "fetch", lost),
                    albumd.albumctl("cloud", "drill"),
                ] {
                    #expect(said.code != 0 && said.output.contains("neither the disk nor the cloud"), "\(said.output)")
                }
                #expect(try albumd.cloudStatus().doubtCount == 0)
                #expect(try albumd.albumctl("repair").code == 0)
                #expect(try !albumd.status().isDegraded)
                try albumd.expectWhole(drops)
            }
        }

        /// The directory of the cloud goes while albumd runs, and nothing is to be moved: it is missed all the same.
        @Test func aStoreThatGoesWhileNothingMovesIsMissed() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                try albumd.evictAll()
                _ = try albumd.settledCloud()
                #expect(try !albumd.status().isDegraded)
                let cloud = albumd.installation.library + "-cloud"
                #expect(rename(cloud, cloud + ".away") == 0)
                // At once, and not with the next round.
                let said = try albumd.cloudStatus()
                #expect(
                    said.failure?.contains("not there any more") == true && said.failureFix?.contains("mount") == true)
                let status = try albumd.status()
                #expect(status.summary.contains("0 of 2 assets are safe"), "\(status.summary)")
                #expect(try albumd.albumctl("cloud", "status").code == 3)
                #expect(rename(cloud + ".away", cloud) == 0)
                #expect(try albumd.cloudStatus().failure == nil)
                #expect(try !albumd.status().isDegraded)
                try albumd.expectWhole(drops)
            }
        }

        /// Two libraries in one store would delete each other's objects.
        @Test func nothingIsEvictedToTheStoreOfAnotherLibrary() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                _ = try albumd.settledCloud()
                #expect(try albumd.stop() == .code(0))
                let identity = albumd.installation.library + "-cloud/objects/library/identity"
                let other = "0C4B1D5E-6A0F-4C52-9C0E-2C1D7E0B9A11\n"
                let replace = ["sh", "-c", "for f in \(identity)/*; do printf '\(other)' > \"$f\"; done"]
                try #require(try run(replace, in: albumd.scratch).end == .code(0))
                try #require(try albumd.start() == nil)
                #expect(try albumd.evictAll() == ["failed": 1])
                #expect(try albumd.cloud("verify", CloudRequest(all: true)).rows.allSatisfy { $0.outcome == .failed })
                #expect(try albumd.residencies() == [.local])
                #expect(try albumd.status().problems.contains { $0.what.contains("belongs to the library") })
                try albumd.expectWhole([drop])
            }
        }

        /// What a dry run says is what would be done.
        @Test func aDryRunRefusesWhatTheCommandRefuses() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                let _: TokenResult = try albumd.post(
                    "/v1/cloud/pin", PinRequest(subjects: [albumd.subject(drops[0])], isPinned: true))
                let dry = try albumd.cloud("evict", CloudRequest(subjects: drops.map(albumd.subject), isDryRun: true))
                #expect(dry.counts == ["refused": 1, "wouldEvict": 1])
                let done = try albumd.cloud("evict", CloudRequest(subjects: drops.map(albumd.subject)))
                #expect(done.counts == ["refused": 1, "evicted": 1])
                // And of a cloud that does not answer it does not say that it would take anything.
                let other = try albumd.drop("other.jpg", SampleMedia.jpeg(8))
                try albumd.flush()
                #expect(try albumd.albumctl("cloud", "simulate", "--offline").code == 0)
                let subjects = [albumd.subject(drops[0]), albumd.subject(other)]
                let away = try albumd.cloud("evict", CloudRequest(subjects: subjects, isDryRun: true))
                #expect(away.counts == ["refused": 1, "failed": 1])
                #expect(try albumd.status().summary.contains("2 of 3 assets are safe"))
                let plan: CloudPlanReport = try albumd.get("/v1/cloud/plan")
                #expect(plan.obstacle?.fix == "albumctl cloud simulate --online")
                #expect(try albumd.albumctl("cloud", "simulate", "--online").code == 0)
                _ = try albumd.settledCloud()
                #expect(try !albumd.status().isDegraded)
            }
        }

        @Test func withoutACloudInTheConfigurationWhatIsThereIsNotCalledSafe() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<1)
                try albumd.flush()
                try albumd.evictAll()
                #expect(try albumd.stop() == .code(0))
                try albumd.installation.writeConfiguration("[cloud]\nengine = \"none\"\n")
                try #require(try albumd.start() == nil)
                let status = try albumd.status()
                #expect(status.problems.contains { $0.what.contains("the configuration has no cloud") })
                // A pin would bring nothing back; its end needs no cloud.
                let asset = "\(try #require(try albumd.assets().first).localIdentifier)"
                let pin = try albumd.albumctl("cloud", "pin", asset)
                #expect(pin.code != 0 && pin.output.contains("put the [cloud] of before back"), "\(pin.output)")
                #expect(try albumd.albumctl("cloud", "unpin", asset).code == 0)
            }
        }
    }
}
