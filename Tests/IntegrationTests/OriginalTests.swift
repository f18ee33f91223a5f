import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// What the daemon finds out about stored originals while it runs.
    @BlockingThread struct StoredOriginals {
        private func path(of drop: Drop, in albumd: Albumd) -> String {
            let name = drop.hash.hexadecimal
            return "\(albumd.installation.library)/originals/\(name.prefix(2))/\(name).jpg"
        }

        enum Damage: CaseIterable {
            case gone
            case short
            case flipped
        }

        @Test(arguments: Damage.allCases) func aDamagedOriginalIsToldAndRemembered(damage: Damage) throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                let stored = path(of: drop, in: albumd)
                try albumd.other.unlink(stored)
                switch damage {
                case .gone: break
                case .short: try albumd.other.write(stored, Array(drop.bytes.dropLast()))
                case .flipped: try albumd.other.write(stored, [0] + drop.bytes.dropFirst())
                }
                let reply = try albumd.client.send(.get, "/v1/assets/\(identifier.uuid)/original")
                let problem = try JSON.decode(Problem.self, from: reply.body)
                #expect(reply.status == 410 && problem.detail.contains(stored) && problem.fix?.isEmpty == false)
                let condition = try albumd.asset(identifier).resources.first?.versions.first?.condition
                #expect(condition == (damage == .gone ? .missing : .corrupt))
                #expect(try albumd.status().problems.contains { $0.what.contains("missing, corrupt or unreadable") })
                try albumd.other.write(stored, drop.bytes)
                try albumd.stop()
                try #require(try albumd.start() == nil)
                #expect(try albumd.original(identifier) == drop.bytes && !albumd.status().isDegraded)
            }
        }

        @Test func anOrphanThatIsAdoptedIsCountedNoMore() throws {
            try withAlbumd { albumd in
                try albumd.stop()
                let (kept, other) = (SampleMedia.jpeg(1), SampleMedia.jpeg(2))
                for bytes in [kept, other] {
                    let stored = path(of: Drop(path: "", bytes: bytes), in: albumd)
                    mkdir(String(stored.dropLast(69)), 0o700)
                    try albumd.other.write(stored, bytes)
                }
                try #require(try albumd.start() == nil)
                // After an orderly stop the originals are looked at beside everything else, before a verify begins.
                _ = try albumd.albumctl("verify")
                #expect(try albumd.status().orphanCount == 2)
                let drop = try albumd.drop("a.jpg", kept)
                try albumd.flush()
                try expectImported([drop], by: albumd)
                #expect(try albumd.status().orphanCount == 1)
            }
        }
    }
}
