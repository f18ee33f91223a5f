import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Power cuts on real file systems, with what was acknowledged noted outside the disk (RULES R9, I2, I21).
    @BlockingThread struct PowerCuts {
        private static let setup = Setup(folders: [
            TestFolder(), TestFolder(name: "moving", album: "Moved", lines: ["mode = \"move\""]),
        ])

        @Test(.enabled(if: Privilege.canMake("ext4"), "needs root, loop devices and mkfs.ext4"))
        func aPowerCutOnExt4LosesNothingThatWasAcknowledged() throws { try cutPower(on: "ext4") }

        @Test(.enabled(if: Privilege.canMake("xfs"), "needs root, loop devices and mkfs.xfs"))
        func aPowerCutOnXFSLosesNothingThatWasAcknowledged() throws { try cutPower(on: "xfs") }

        /// ALBUMD_CUTS makes it as long as one likes.
        private func cutPower(on fileSystem: String) throws {
            let cuts = number("ALBUMD_CUTS") ?? 10
            let seed = UInt64(number("ALBUMD_SEED") ?? 1)
            print("\(fileSystem): ALBUMD_SEED=\(seed)")
            var generator = SeededRandom(seed: seed)
            try withAlbumd(Self.setup, isStarted: false, test: "powerCut\(fileSystem)") { albumd in
                let image = albumd.scratch.path("image")
                let disk = try PrivateDisk(at: albumd.installation.library, in: albumd.scratch)
                // XFS takes nothing smaller (mkfs.xfs(8)).
                try disk.sh("truncate -s 320M '\(image)' && mkfs.\(fileSystem) -q '\(image)'")
                albumd.installation.setup.wrapper = disk.wrapper
                var oracle = Oracle()
                for cut in 0..<cuts {
                    try disk.mount("-o loop '\(image)'")
                    try #require(try albumd.start() == nil)
                    try oracle.expectTruth(of: albumd)
                    if cut % 4 == 3 { try checkWhole(albumd, disk) }
                    let moment = Duration.milliseconds(Int64(generator.next() % 700))
                    try cutPower(of: disk, after: moment, albumd, &oracle, round: cut)
                    try disk.unmount()
                }
                try disk.mount("-o loop '\(image)'")
                try #require(try albumd.start() == nil)
                try oracle.expectTruth(of: albumd)
                #expect(oracle.acknowledged.count == oracle.drops.count)
                try checkWhole(albumd, disk)
            }
        }

        /// Drops files, and asks for what is imported until well after the cut, which comes at its own moment.
        private func cutPower(
            of disk: PrivateDisk, after moment: Duration, _ albumd: Albumd, _ oracle: inout Oracle, round: Int
        ) throws {
            let numbers = round * 12..<(round + 1) * 12
            oracle.drops += try albumd.dropPictures(numbers, byteCount: 20_000)
            oracle.drops += try albumd.dropPictures(
                (numbers.lowerBound + 1000)..<(numbers.upperBound + 1000), in: "moving", byteCount: 5_000)
            let began = Machine.bootTime()
            while Machine.bootTime() - began < moment { try oracle.listen(to: albumd) }
            try disk.cutPower()
            // It may still answer, and must not say more than the disk has.
            try? oracle.listen(to: albumd)
            _ = try? albumd.flush(within: 1)
            try? oracle.listen(to: albumd)
            try albumd.killUnlessEnded()
        }

        /// The library, stopped and looked at from outside, is whole (I1, I5-I8, I10, I11, I20 and the journal).
        private func checkWhole(_ albumd: Albumd, _ disk: PrivateDisk) throws {
            // 74 says that the disk failed (RULES R10), and the log why: what it left is checked all the same.
            let end = try albumd.stop()
            #expect(
                end == .code(0) || end == .code(74) && albumd.log.contains("albumd ends"),
                "\(end): \(albumd.log.suffix(3000))")
            try LibraryCheck(try disk.copyOut(to: "copy")).run()
            try #require(try albumd.start() == nil)
        }

        private func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
    }
}

/// What albumd has said so far, kept where no power cut reaches it.
private struct Oracle {
    var drops: [Drop] = []
    private(set) var acknowledged: [LocalIdentifier: ContentHash] = [:]

    /// Notes every asset that it now says it has.
    mutating func listen(to albumd: Albumd) throws {
        for asset in try albumd.assets() {
            acknowledged[asset.localIdentifier] = asset.resources.first?.versions.first?.sha256
        }
    }

    /// What was acknowledged is there under its identifier, what was dropped is imported, and nothing twice.
    mutating func expectTruth(of albumd: Albumd) throws {
        for (identifier, hash) in acknowledged {
            let bytes = try? albumd.original(identifier)
            #expect(bytes.map(sha256) == hash, "\(identifier) was acknowledged, and is lost")
        }
        try albumd.flush()
        try expectImported(drops, by: albumd)
        try listen(to: albumd)
        #expect(try albumd.assets().count == drops.count)
    }
}
