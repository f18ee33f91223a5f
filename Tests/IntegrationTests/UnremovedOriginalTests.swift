import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// What was deleted for good and cannot be removed from the disk (RULES R38): named until it is gone.
    @BlockingThread struct UnremovedOriginals {
        /// Its directory is immutable: what is still on the disk was not freed, and status says so until it is gone.
        @Test func whatCannotBeRemovedIsNotCalledFreed() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                let hash = sha256(drops[0].bytes).hexadecimal
                let shard = "\(albumd.installation.library)/originals/\(hash.prefix(2))"
                let chattr = { try run(["chattr", $0, shard], in: albumd.scratch).end == .code(0) }
                guard try chattr("+i") else { return print("skipped: chattr(1) does not work here") }
                defer { _ = try? chattr("-i") }
                try albumd.delete(drops[0])
                let (code, said) = try albumd.albumctl("trash", "purge", "--all", "--yes")
                #expect(code == 3 && said.contains("freed 0 bytes"), "\(said)")
                #expect(said.contains("could not be removed"), "\(said)")
                #expect(try albumd.status().problems.contains { $0.fix.contains("chattr -i") })
                // Saved again, it is nobody's leftover any more.
                let bytes = albumd.scratch.path("again.jpg")
                try albumd.other.write(bytes, drops[0].bytes)
                #expect(try albumd.albumctl("save", bytes).code == 0)
                #expect(try !albumd.status().isDegraded)
                try albumd.delete(drops[1])
                #expect(try chattr("-i"))
                let purge: TrashResult = try albumd.post("/v1/trash/purge", AssetsRequest(subjects: nil, all: true))
                #expect(purge.freedByteCount == Int64(drops[1].bytes.count) && purge.stuckByteCount == nil)
            }
        }

        /// The file itself is immutable: each command names it, and what mends it; saved again it is kept as it is.
        @Test func anImmutableOriginalIsNamedUntilItIsGone() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<2)
                try albumd.flush()
                let files = drops.map { drop in
                    let hash = sha256(drop.bytes).hexadecimal
                    return "\(albumd.installation.library)/originals/\(hash.prefix(2))/\(hash).jpg"
                }
                let chattr = { try run(["chattr", $0] + files, in: albumd.scratch).end == .code(0) }
                guard try chattr("+i") else { return print("skipped: chattr(1) does not work here") }
                defer { _ = try? chattr("-i") }
                try albumd.delete(drops[0])
                try albumd.delete(drops[1])
                try albumd.purgeAll()
                let first = try #require(files.min())
                #expect(try albumd.status().problems.contains { $0.fix.contains(first) })
                let (verified, found) = try albumd.albumctl("verify")
                #expect(verified == 0 && found.contains("2 deleted originals could not be removed"), "\(found)")
                #expect(found.contains(first), "\(found)")
                let (planned, plan) = try albumd.albumctl("repair", "--dry-run")
                #expect(planned == 0 && plan.contains("wouldDiscard 2"), "\(plan)")
                let (repaired, said) = try albumd.albumctl("repair")
                #expect(repaired == 3 && said.contains("failed 2") && said.contains("chattr -i -a"), "\(said)")
                let (purged, freed) = try albumd.albumctl("trash", "purge", "--all", "--yes")
                #expect(purged == 3 && freed.contains("could not be removed"), "\(freed)")
                // The same bytes anew: they are there.
                let again = try albumd.drop("again.jpg", drops[0].bytes)
                try albumd.flush()
                try albumd.expectLive([again], [albumd.identifier(of: again.path)])
                #expect(try albumd.status().waiting.isEmpty)
                #expect(try chattr("-i"))
                let (mended, told) = try albumd.albumctl("repair")
                #expect(mended == 0 && told.contains("discarded 1"), "\(told)")
                #expect(try !albumd.status().isDegraded)
            }
        }

        @Test func aRepairRemovesWhatCouldNotBeRemoved() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let hash = sha256(drop.bytes).hexadecimal
                let shard = "\(albumd.installation.library)/originals/\(hash.prefix(2))"
                let chattr = { try run(["chattr", $0, shard], in: albumd.scratch).end == .code(0) }
                guard try chattr("+i") else { return print("skipped: chattr(1) does not work here") }
                defer { _ = try? chattr("-i") }
                try albumd.delete(drop)
                try albumd.purgeAll()
                #expect(try albumd.status().problems.first?.fix.contains("albumctl repair") == true)
                #expect(try chattr("-i"))
                #expect(try albumd.albumctl("repair").code == 0)
                #expect(try !albumd.status().isDegraded)
                #expect(try run(["ls", shard], in: albumd.scratch).output.isEmpty)
            }
        }
    }
}
