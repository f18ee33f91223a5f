import Control
import FoundationEssentials
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// What the commands of the cloud say of what they did, and of what becomes of it.
    @BlockingThread struct CloudAdvice {
        @Test func aFetchSaysWhichRuleTakesItBackAndItStaysUntilItIsHad() throws {
            try withAlbumd(isStarted: false) { albumd in
                try albumd.installation.writeConfiguration("[cloud]\nkeep_local = \"0B\"\n")
                try #require(try albumd.start() == nil)
                let drops = try albumd.dropPictures(0..<1)
                try albumd.flush()
                _ = try albumd.settledCloud()
                #expect(try albumd.residencies() == [.inCloud])
                let asset = try albumd.identifier(of: drops[0].path)
                let dry = try albumd.albumctl("cloud", "fetch", "--all", "--dry-run")
                #expect(dry.output.contains("keepLocal") && dry.output.contains("albumctl cloud pin \(asset)"))
                let fetched = try albumd.cloud("fetch", CloudRequest(subjects: [albumd.subject(drops[0])]))
                #expect(fetched.rows.first?.reason == "keepLocal" && fetched.counts == ["fetched": 1])
                // A round that wants it away leaves it to who had it brought: without leave its bytes can be had.
                _ = try albumd.settledCloud()
                #expect(try albumd.original(asset) == drops[0].bytes)
                _ = try albumd.albumctl("cloud", "pin", "\(asset)")
                let kept = try albumd.cloud("fetch", CloudRequest(subjects: [albumd.subject(drops[0])]))
                #expect(kept.rows.first?.reason == nil)
            }
        }

        /// Nothing goes on behind a person's back.
        @Test func anEvictionThatFailsSaysThatItsUploadGoesOn() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<1)
                try albumd.flush()
                _ = try albumd.settledCloud()
                try albumd.simulate { $0.quotaByteCount = 1 }
                let failed = try albumd.albumctl("cloud", "evict", "\(albumd.identifier(of: drops[0].path))")
                #expect(failed.code == 1 && failed.output.contains("albumd tries by itself"), "\(failed.output)")
                #expect(try albumd.residencies() == [.local])
                #expect(try albumd.cloudStatus().transfers == ["uploading": 1])
                // The round has met it, too.
                _ = try albumd.settledCloud()
                let dry = try albumd.albumctl("cloud", "evict", "--all", "--dry-run")
                #expect(dry.code == 1 && dry.output.contains("quotaExceeded"), "\(dry.output)")
                try albumd.simulate { $0.quotaByteCount = 0 }
                _ = try albumd.settledCloud()
                // It stays here, as it said.
                #expect(try albumd.residencies() == [.both])
            }
        }

        @Test func theSimulatorSaysWhatItDidToTheObjects() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                _ = try albumd.cloud("evict", CloudRequest(subjects: [albumd.subject(drops[0])]))
                let (there, here) = try (albumd.identifier(of: drops[0].path), albumd.identifier(of: drops[1].path))
                let said = try albumd.albumctl("cloud", "simulate", "--corrupt", "\(there)", "--lose", "\(here)")
                #expect(said.output.contains("1 object got another bit, 1 object was not there."), "\(said.output)")
                // A doubt says when another answer counts.
                let verify = try albumd.albumctl("cloud", "verify", "\(there)")
                #expect(verify.code == 3 && verify.output.contains("in 10 minutes"), "\(verify.output)")
                #expect(try albumd.cloudStatus().doubtDate != nil)
                // To try again at once is no advice.
                let fetched = try albumd.cloud("fetch", CloudRequest(subjects: [albumd.subject(drops[0])]))
                #expect(fetched.rows.last?.fix?.contains("cloud verify \(there), in 10 minutes") == true)
            }
        }

        /// The advice that stands in the API, too, is about the version that was asked for.
        @Test func theVersionThatWasAskedForIsTheOneThatIsAdvised() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<1)
                try albumd.flush()
                let asset = try albumd.identifier(of: drops[0].path)
                try albumd.rewrite(drops[0].path, SampleMedia.jpeg(77))
                try albumd.flush()
                try albumd.evictAll()
                let path = "/v1/assets/\(asset.uuid)/original"
                let reply = try albumd.client.send(.get, path, query: ["version": "original"])
                let fix = try #require(try JSON.decode(Problem.self, from: reply.body).fix)
                #expect(fix == "albumctl original \(asset) --version original --allow-network -o FILE")
                let place = albumd.scratch.path("first.jpg")
                let refused = try albumd.albumctl("original", "\(asset)", "--version", "original", "-o", place)
                #expect(refused.code == 5 && refused.output.contains("--version original"), "\(refused.output)")
                let again = try albumd.albumctl(
                    "original", "\(asset)", "--version", "original", "--allow-network", "-o", place)
                let first = try albumd.other.read(place)
                #expect(again.code == 0 && first == drops[0].bytes)
            }
        }
    }
}
