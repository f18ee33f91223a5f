import Control
import FoundationEssentials
import Glibc
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// "May I erase this?": yes only on proof.
    @BlockingThread struct Safe {
        private static let mirror = TestFolder(
            name: "mirror", album: "Mirror", lines: ["on_source_deleted = \"trash\""])

        private static var both: Setup {
            var setup = Setup()
            setup.folders.append(mirror)
            return setup
        }

        /// A card with copies of some pictures, the rest of them strangers.
        private func makeCard(_ numbers: Range<Int>, by albumd: Albumd) throws -> String {
            let card = albumd.scratch.path("card")
            if access(card, F_OK) != 0 { try albumd.other.makeDirectory(card) }
            for number in numbers { try albumd.drop("DSC_\(number).jpg", SampleMedia.jpeg(number), in: "card") }
            return card
        }

        /// Names count for nothing: the card's files are called otherwise.
        @Test func aCardIsSafeWhenTheLibraryHasAllItsBytes() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<5)
                try albumd.flush()
                let card = try makeCard(0..<5, by: albumd)
                let yes = try albumd.albumctl("safe", card)
                #expect(yes.code == 0 && yes.output == "5 of 5 files are safe to erase.\n", "\(yes.output)")
                _ = try makeCard(5..<6, by: albumd)
                let no = try albumd.albumctl("safe", card)
                #expect(no.code == 1 && no.output.contains("5 of 6 files are safe to erase; not: unknown 1."))
            }
        }

        /// The same name and the same size.
        @Test func anotherPictureOfThatNameAndSizeIsNotSafe() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1, byteCount: 4000))
                try albumd.flush()
                var bytes = drop.bytes
                bytes[2000] ^= 1
                try albumd.other.makeDirectory(albumd.scratch.path("card"))
                let other = try albumd.drop("a.jpg", bytes, in: "card")
                #expect(try albumd.albumctl("safe", other.path).code == 1)
                #expect(try albumd.albumctl("safe", drop.path).code == 0)
            }
        }

        @Test(arguments: ["flip", "truncate", "remove"])
        func anOriginalThatIsNotWhatItWasMakesItANo(fault: String) throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let card = try makeCard(1..<2, by: albumd)
                try albumd.spoil(drop, by: fault)
                let no = try albumd.albumctl("safe", card)
                #expect(no.code == 1)
                #expect(no.output.contains(fault == "remove" ? "missing 1" : "corrupt 1"), "\(no.output)")
                let status = try albumd.status()
                #expect(status.isDegraded && status.problems.contains { $0.fix == "albumctl repair" })
                let metrics = String(decoding: try albumd.client.send(.get, "/v1/metrics").body, as: UTF8.self)
                let condition = fault == "remove" ? "missing" : "corrupt"
                #expect(metrics.contains("albumd_originals_unsound{condition=\"\(condition)\"} 1\n"))
                #expect(try albumd.albumctl("repair").code == 0)
                #expect(try albumd.albumctl("safe", card).code == 0)
                #expect(try !albumd.status().isDegraded)
            }
        }

        @Test func whereTheErasingWouldDeleteThePhotoItIsANoUntilItIsReleased() throws {
            try withAlbumd(Self.both) { albumd in
                let drops = try albumd.dropPictures(0..<3, in: "mirror")
                try albumd.flush()
                let mirror = albumd.scratch.path("mirror")
                let no = try albumd.albumctl("safe", mirror)
                #expect(no.code == 1 && no.output.contains("not: inTrashFolder 3."), "\(no.output)")
                #expect(no.output.contains("albumctl safe --release \(mirror)"))
                let card = try makeCard(0..<3, by: albumd)
                #expect(try albumd.albumctl("safe", card).code == 0)
                #expect(try albumd.albumctl("safe", "--release", mirror).code == 0)
                #expect(try albumd.albumctl("safe", mirror).code == 0)
                let identifiers = try drops.map { try albumd.identifier(of: $0.path) }
                for drop in drops { try albumd.other.unlink(drop.path) }
                try albumd.flush()
                for identifier in identifiers { #expect(try albumd.asset(identifier).state == .live) }
            }
        }

        /// What was not released is deleted, and then the copy on the card is no longer safe.
        @Test func aPhotoInRecentlyDeletedIsNotSafe() throws {
            try withAlbumd(Self.both) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "mirror")
                try albumd.flush()
                let card = try makeCard(1..<2, by: albumd)
                try albumd.other.unlink(drop.path)
                try albumd.flush()
                let no = try albumd.albumctl("safe", card)
                #expect(no.code == 1 && no.output.contains("not: trashed 1."), "\(no.output)")
            }
        }

        /// Missed by one scan, and held because they are so many: both are on their way out.
        @Test(arguments: [1, 25]) func aPhotoWhoseFileIsGoneIsNotSafeAnyMore(count: Int) throws {
            try withAlbumd(Self.both) { albumd in
                let drops = try albumd.dropPictures(0..<count, in: "mirror")
                try albumd.flush()
                let card = try makeCard(0..<count, by: albumd)
                #expect(try albumd.albumctl("safe", card).code == 0)
                #expect(try albumd.stop() == .code(0))
                for drop in drops { try albumd.other.unlink(drop.path) }
                try albumd.start()
                try albumd.flush()
                let no = try albumd.albumctl("safe", card)
                #expect(no.code == 1 && no.output.contains("not: inTrashFolder \(count)."), "\(no.output)")
                for drop in drops { try albumd.other.write(drop.path, drop.bytes) }
                try albumd.flush()
                #expect(try albumd.albumctl("safe", card).code == 0)
            }
        }

        /// The folder is reached through a symlink, and by a hard link.
        @Test func anotherPathIntoAMirroringFolderIsSeenThrough() throws {
            try withAlbumd(Self.both) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "mirror")
                try albumd.flush()
                try albumd.other.makeSymlink(albumd.scratch.path("way"), to: albumd.scratch.path("mirror"))
                try albumd.other.makeHardLink(albumd.scratch.path("link.jpg"), of: drop.path)
                for path in ["way", "way/a.jpg", "link.jpg"] {
                    let no = try albumd.albumctl("safe", albumd.scratch.path(path))
                    #expect(no.code == 1 && no.output.contains("inTrashFolder"), "\(path): \(no.output)")
                }
            }
        }

        @Test func aReleasedFileThatIsEditedIsNotReleasedAnyMore() throws {
            try withAlbumd(Self.both) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "mirror")
                try albumd.flush()
                #expect(try albumd.albumctl("safe", "--release", drop.path).code == 0)
                try albumd.other.append(drop.path, "more")
                let changed = try albumd.albumctl("safe", drop.path)
                #expect(changed.code == 1 && changed.output.contains("unknown"))
                try albumd.flush()
                let no = try albumd.albumctl("safe", drop.path)
                #expect(no.code == 1 && no.output.contains("inTrashFolder"), "\(no.output)")
            }
        }

        @Test func theLibraryItselfIsNeverSafeToErase() throws {
            try withAlbumd { albumd in
                try albumd.dropPictures(0..<2)
                try albumd.flush()
                let no = try albumd.albumctl("safe", albumd.installation.library + "/originals")
                #expect(no.code == 1 && no.output.contains("not: isOriginal 2."), "\(no.output)")
            }
        }

        @Test func hostileNamesAreAnsweredAndShownHarmlessly() throws {
            try withAlbumd { albumd in
                try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let card = try makeCard(0..<0, by: albumd)
                let names: [[UInt8]] = [
                    Array("-rf".utf8), Array("e\u{1B}]0;t\u{7}.jpg".utf8), [0x4A, 0xF1], Array("new\nline".utf8),
                    Array(repeating: UInt8(ascii: "x"), count: 255), Array("$(touch pwned)".utf8),
                ]
                for name in names { try albumd.other.write(Array((card + "/").utf8) + name, SampleMedia.jpeg(1)) }
                try albumd.other.write(Array((card + "/").utf8) + Array("t\u{1B}x\u{9B}.txt".utf8), [1])
                let report = albumd.scratch.path("r.csv")
                let ran = try albumd.albumctl("safe", card, "--all", "--report", report)
                #expect(ran.code == 1 && ran.output.contains("6 of 7 files are safe"), "\(ran.output)")
                let written = String(decoding: try albumd.other.read(report), as: UTF8.self)
                for text in [ran.output, written.replacing("\r\n", with: "\n")] {
                    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
                }
            }
        }

        /// Root without its capabilities, and a file of somebody else.
        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root and setpriv"))
        func whatTheCallerMayNotReadIsANo() throws {
            try withAlbumd { albumd in
                try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let card = try makeCard(1..<3, by: albumd)
                try albumd.other.makeDirectory(card + "/locked")
                for (name, mode) in [("DSC_1.jpg", mode_t(0o600)), ("locked", 0o700)] {
                    chmod("\(card)/\(name)", mode)
                    chown("\(card)/\(name)", Privilege.nobody, Privilege.nobody)
                }
                let weak = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
                let ran = try albumd.albumctl("safe", card, wrapper: weak)
                #expect(ran.code == 1 && ran.output.contains("unreadable 2"), "\(ran.output)")
            }
        }

        @Test func aDaemonThatIsAwayMakesItANo() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                #expect(try albumd.stop() == .code(0))
                let ran = try albumd.albumctl("safe", drop.path)
                #expect(ran.code == 69 && !ran.output.contains("are safe"))
            }
        }

        @Test(.enabled(if: Privilege.canRunAsNobody, "needs root and setpriv"))
        func onlyTheDaemonsUserAsksAndReleases() throws {
            try withAlbumd(Self.both) { albumd in
                let drop = try albumd.drop("a.jpg", SampleMedia.jpeg(1), in: "mirror")
                try albumd.flush()
                chmod(albumd.scratch.path, 0o755)
                chmod(albumd.installation.socket, 0o666)
                let ran = try albumd.albumctl("safe", "--release", drop.path, wrapper: Privilege.asNobody)
                #expect(ran.code == 5, "\(ran.output)")
                #expect(try albumd.albumctl("safe", drop.path).code == 1)
            }
        }
    }
}

extension Albumd {
    /// The stored file of a drop.
    func original(of drop: Drop) -> String {
        let hash = drop.hash.hexadecimal
        return installation.library + "/originals/\(hash.prefix(2))/\(hash).jpg"
    }

    /// What a disk, or somebody, does to an original behind the daemon's back.
    func spoil(_ drop: Drop, by fault: String) throws {
        let path = original(of: drop)
        chmod(path, 0o600)
        switch fault {
        case "flip":
            var bytes = drop.bytes
            bytes[bytes.count / 2] ^= 1
            try other.write(path, bytes)
        case "truncate": try other.write(path, Array(drop.bytes.dropLast()))
        default: try other.unlink(path)
        }
        chmod(path, 0o400)
    }
}
