import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// "May I erase this?" in a folder that mirrors deletions, of files that albumd passes over there.
    @BlockingThread struct PassedOver {
        /// Neither text nor anything that libmagic knows: a photo by its name alone.
        private static let strange = (0..<5000).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 3) }

        private static var ignoring: Setup {
            var setup = Setup()
            let lines = ["on_source_deleted = \"trash\"", "ignore = [\"*.bak\", \".*\"]"]
            setup.folders.append(TestFolder(name: "mirror", album: "Mirror", lines: lines))
            return setup
        }

        /// What albumd takes no notice of goes without a trace: `safe` says so, and it is so.
        @Test func whatAMirroringFolderPassesOverIsSafeWhereTheLibraryHasItsBytes() throws {
            try withAlbumd(Self.ignoring) { albumd in
                let known = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                let strange = try albumd.drop("b.arw", Self.strange)
                try albumd.flush()
                try albumd.makeDirectories(".cache", in: "mirror")
                let passed = [
                    try albumd.drop("a.bak", known.bytes, in: "mirror"),
                    try albumd.drop(".cache/a.jpg", known.bytes, in: "mirror"),
                    try albumd.drop("b.bin", strange.bytes, in: "mirror"),
                ]
                try albumd.flush()
                let identifiers = try [known, strange].map { try albumd.identifier(of: $0.path) }
                for drop in passed {
                    let ran = try albumd.albumctl("safe", drop.path)
                    #expect(ran.code == 0, "\(drop.path): \(ran.output)")
                }
                // Nothing has them any more then but the library.
                for drop in passed + [known, strange] { try albumd.other.unlink(drop.path) }
                try albumd.reconcile()
                try albumd.flush()
                #expect(try albumd.trash().isEmpty)
                for identifier in identifiers { #expect(try albumd.asset(identifier).state == .live) }
            }
        }

        /// Not dealt with yet, changed since it was judged, or known by another name: never safe.
        @Test func whatOnlySeemsToBePassedOverIsNotSafe() throws {
            var setup = Self.ignoring
            setup.folders[1].settle = "1h"
            try withAlbumd(setup) { albumd in
                let known = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let mirror = albumd.scratch.path("mirror")
                // Judged as no photo, and then written over.
                let outside = try albumd.drop("b.bin", Self.strange, in: "run")
                try albumd.other.rename(outside.path, to: "\(mirror)/b.bin")
                try albumd.flush()
                #expect(try albumd.why("\(mirror)/b.bin").summary.contains("notMedia"))
                let over = try albumd.drop("b.bin", known.bytes, in: "mirror")
                #expect(try safety(of: over, named: over.path, albumd) == .inTrashFolder)
                try albumd.makeDirectories("real", in: "mirror")
                let real = try albumd.drop("real/a.jpg", known.bytes, in: "mirror")
                try albumd.other.makeSymlink("\(mirror)/.way", to: "\(mirror)/real")
                try albumd.other.makeSymlink("\(mirror)/a.bak", to: real.path)
                let names = [
                    "real/a.jpg", ".way/a.jpg", ".way/../real/a.jpg", "real/./a.jpg", "x.bak/../real/a.jpg", "a.bak",
                    "/.bak/../real/a.jpg",
                ]
                for name in names {
                    #expect(try safety(of: real, named: "\(mirror)/\(name)", albumd) == .inTrashFolder, "\(name)")
                }
            }
        }

        /// While they are evicted: each is somewhere, and the answer says so.
        @Test func whatMovesToTheCloudMeanwhileIsSafe() throws {
            try withAlbumd { albumd in
                let drops = try albumd.dropPictures(0..<30)
                try albumd.flush()
                let questions = drops.map {
                    SafetyQuestion(sha256: $0.hash, byteCount: Int64($0.bytes.count), path: PathBytes($0.path))
                }
                let command = [
                    builtProgram("albumctl"), "--socket", albumd.installation.socket, "cloud", "evict", "--all",
                ]
                let evicting = try ChildProcess(
                    command, output: albumd.scratch.path("evicting"), deadline: Albumd.patience)
                while evicting.result == nil {
                    let page: PageOf<SafetyRow> = try albumd.post("/v1/safe", SafetyRequest(files: questions))
                    #expect(page.rows.filter { !$0.isSafe && $0.reason != .changed }.map(\.detail) == [])
                }
                #expect(evicting.result == .code(0))
                #expect(try Set(albumd.residencies()) == [.inCloud])
                let page: PageOf<SafetyRow> = try albumd.post("/v1/safe", SafetyRequest(files: questions))
                #expect(page.rows.filter { !$0.isSafe }.map(\.detail) == [])
            }
        }

        /// As the API says it of the file's bytes and inode, under any name.
        private func safety(of drop: Drop, named name: String, _ albumd: Albumd) throws -> UnsafeReason? {
            var status = stat()
            try #require(stat(drop.path, &status) == 0)
            let question = SafetyQuestion(
                sha256: drop.hash, byteCount: Int64(drop.bytes.count), path: PathBytes(name),
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            let page: PageOf<SafetyRow> = try albumd.post("/v1/safe", SafetyRequest(files: [question]))
            return try #require(page.rows.first).reason
        }
    }
}
