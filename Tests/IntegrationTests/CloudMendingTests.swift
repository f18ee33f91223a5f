import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// The bytes, wherever they are: an original that is damaged or missing here is given out from its copy.
    @BlockingThread struct CloudMending {
        @Test(arguments: [true, false]) func anOriginalThatIsNotSoundHereComesFromTheCloud(isKnown: Bool) throws {
            try withAlbumd(test: "\(isKnown)") { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.evictAll()
                #expect(try albumd.fetched(identifier) == drop.bytes)
                unlink(albumd.original(of: drop))
                if isKnown {
                    #expect(try albumd.albumctl("verify").code == 3)
                    let id = "\(identifier)"
                    #expect(try albumd.albumctl("asset", "list").output.contains("both, missing"))
                    #expect(try albumd.albumctl("asset", "tier", id).output.contains("(missing)"))
                    #expect(try albumd.albumctl("asset", "get", id).output.contains("live, missing"))
                }
                let refused = try albumd.albumctl("original", "\(identifier)", "-o", albumd.scratch.path("no.jpg"))
                #expect(refused.code != 0, "\(refused.output)")
                let path = albumd.scratch.path("copy.jpg")
                let given = try albumd.albumctl("original", "\(identifier)", "--allow-network", "-o", path)
                #expect(given.code == 0, "\(given.output)")
                #expect(try albumd.other.read(path) == drop.bytes)
                #expect(try !albumd.status().isDegraded)
                #expect(try albumd.albumctl("verify").code == 0)
            }
        }

        /// What only the cloud of before has is not forgotten, and both commands say it.
        @Test func aConfigurationWithoutItsCloudIsSaidAlike() throws {
            try withAlbumd { albumd in
                _ = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.evictAll()
                #expect(try albumd.stop() == .code(0))
                try albumd.installation.writeConfiguration("[cloud]\nengine = \"none\"\n")
                try #require(try albumd.start() == nil)
                let (code, said) = try albumd.albumctl("cloud", "status")
                #expect(code == 3 && said.contains("the configuration has no cloud"), "\(said)")
                #expect(try albumd.status().problems.contains { $0.what.contains("the configuration has no cloud") })
            }
        }
    }
}
