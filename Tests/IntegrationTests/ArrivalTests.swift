import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

extension Integration {
    /// Directories and files that come, go and move while they are watched.
    @BlockingThread struct Arrivals {
        /// W05: a directory and its content made faster than a watch can be set.
        @Test func aFileInADirectoryMadeAMomentBeforeIsFound() throws {
            try withAlbumd { albumd in
                let drops = try (0..<100).map { number in
                    try albumd.makeDirectories("\(number)/a/b/c")
                    return try albumd.drop("\(number)/a/b/c/x.jpg", SampleMedia.jpeg(number))
                }
                try albumd.flush()
                try expectImported(drops, by: albumd)
                #expect(try albumd.assets().count == 100)
            }
        }

        /// W06: deep trees that grow while another process renames a directory in their middle.
        @Test func aTreeRenamedWhileItGrowsIsFoundWhole() throws {
            try withAlbumd { albumd in
                let inbox = albumd.path("")
                let script = """
                    cd '\(inbox)' || exit
                    while [ ! -e ../enough ]; do
                        for tree in *; do mv "$tree/1/2/3" "$tree/1/2/3x"; mv "$tree/1/2/3x" "$tree/1/2/3"; done
                    done 2>/dev/null
                    """
                let mover = try ChildProcess(
                    ["sh", "-c", script], output: albumd.scratch.path("mover.log"), deadline: .seconds(120))
                for number in 0..<50 { try growTree(number, in: inbox) }
                try albumd.other.write(albumd.scratch.path("enough"), "")
                #expect(mover.wait(for: .seconds(60)) == .code(0) || mover.result != nil)
                try albumd.flush()
                let drops = (0..<50).flatMap { tree in
                    (1...12).map { level in
                        let way = (1...level).map(String.init).joined(separator: "/")
                        return Drop(path: "\(inbox)\(tree)/\(way)/x.jpg", bytes: SampleMedia.jpeg(tree * 100 + level))
                    }
                }
                try expectImported(drops, by: albumd)
                #expect(try albumd.assets().count == 600)
            }
        }

        /// Makes twelve levels with a file in each, by descriptors: a rename on the way does not stop it.
        private func growTree(_ number: Int, in inbox: String) throws {
            try PosixProgram().makeDirectory("\(inbox)\(number)")
            var directory = open("\(inbox)\(number)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(directory) }
            for level in 1...12 {
                try #require(mkdirat(directory, "\(level)", 0o755) == 0)
                let next = openat(directory, "\(level)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                // The third may have another name already.
                let found = next >= 0 ? next : openat(directory, "\(level)x", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                try #require(found >= 0)
                close(directory)
                directory = found
                let file = openat(directory, "x.jpg", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
                let bytes = SampleMedia.jpeg(number * 100 + level)
                try #require(write(file, bytes, bytes.count) == bytes.count)
                close(file)
            }
        }

        /// W07: a file that comes by rename from elsewhere on the file system keeps its name.
        @Test func aFileMovedInFromOutsideIsMappedUnderItsName() throws {
            try withAlbumd { albumd in
                let outside = albumd.scratch.path("outside.jpg")
                try albumd.other.write(outside, SampleMedia.jpeg(1))
                try albumd.other.rename(outside, to: albumd.path("inside.jpg"))
                try albumd.flush()
                try expectImported([Drop(path: albumd.path("inside.jpg"), bytes: SampleMedia.jpeg(1))], by: albumd)
                #expect(try albumd.assets().map(\.originalFilename) == ["inside.jpg"])
            }
        }

        /// W08: a tree renamed twice; what then comes deep in it has the path of now.
        @Test func aFileInATreeRenamedTwiceIsMappedUnderTheNewestPath() throws {
            try withAlbumd { albumd in
                for level in 2...9 { try albumd.makeDirectories("a1/a\(level)") }
                try albumd.flush()
                try albumd.other.rename(albumd.path("a1"), to: albumd.path("b1"))
                try albumd.other.rename(albumd.path("b1"), to: albumd.path("c1"))
                try albumd.flush()
                let drops = try (2...9).map { try albumd.drop("c1/a\($0)/x.jpg", SampleMedia.jpeg($0)) }
                try albumd.flush()
                try expectImported(drops, by: albumd)
            }
        }

        /// W10: a directory that is removed and made again.
        @Test func aFileInADirectoryMadeAnewIsMappedUnderItsOwnPath() throws {
            try withAlbumd { albumd in
                try albumd.makeDirectories("d")
                try albumd.drop("d/old.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.other.unlink(albumd.path("d/old.jpg"))
                try albumd.other.removeDirectory(Array(albumd.path("d").utf8))
                try albumd.makeDirectories("d")
                let drop = try albumd.drop("d/new.jpg", SampleMedia.jpeg(2))
                try albumd.flush()
                try expectImported([drop], by: albumd)
            }
        }

        /// W11: a source that is moved out of the tree takes nothing from the library.
        @Test func anAssetStaysWhenItsSourceIsMovedAway() throws {
            try withAlbumd { albumd in
                let drop = try albumd.drop("x.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                let identifier = try albumd.identifier(of: drop.path)
                try albumd.other.rename(drop.path, to: albumd.scratch.path("out.jpg"))
                try albumd.flush()
                try albumd.reconcile()
                #expect(try albumd.asset(identifier).state == .live)
                #expect(try albumd.original(identifier) == drop.bytes)
                #expect(try albumd.album("Inbox").count == 1 && albumd.pending().isEmpty)
            }
        }

        /// W18: links that lead in a circle, and out of the folder.
        @Test func linksAreNamedAndNotFollowed() throws {
            try withAlbumd { albumd in
                try albumd.makeDirectories("sub")
                try albumd.other.makeSymlink(albumd.path("loop"), to: "..")
                try albumd.other.makeSymlink(albumd.path("sub/root"), to: "/")
                try albumd.other.makeSymlink(albumd.path("sub/picture.jpg"), to: "../real.jpg")
                let drop = try albumd.drop("real.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try albumd.reconcile()
                try expectImported([drop], by: albumd)
                for name in ["loop", "sub/root", "sub/picture.jpg"] {
                    let summary = try albumd.why(albumd.path(name)).summary
                    #expect(summary.contains("skipped (symlink)"), "\(name): \(summary)")
                }
                #expect(try albumd.assets().count == 1)
            }
        }

        /// W19: watches are counted by directory, not by file.
        @Test func aThousandFilesCostNoWatchOfTheirOwn() throws {
            try withAlbumd { albumd in
                for directory in ["a", "b"] { try albumd.makeDirectories(directory) }
                let drops = try ["", "a/", "b/"].flatMap { directory in
                    try albumd.dropPictures(0..<333, name: directory + "IMG")
                }
                try albumd.flush()
                #expect(try albumd.status().watches <= 3 + 2)
                #expect(try albumd.status().sources["imported"] == 333)
                #expect(try albumd.status().sources["duplicate"] == drops.count - 333)
            }
        }

        /// W21: five thousand directories that come, move and go leave nothing behind.
        @Test func watchesOfDirectoriesThatAreGoneAreGivenBack() throws {
            try withAlbumd { albumd in
                try albumd.flush()
                let before = try albumd.status().watches
                try churn(albumd, 0..<1000)
                let used = try residentBytes(of: albumd)
                for round in 1..<5 { try churn(albumd, round * 1000..<(round + 1) * 1000) }
                #expect(try albumd.status().watches == before)
                #expect(try residentBytes(of: albumd) < used + 16 << 20)
                let drop = try albumd.drop("after.jpg", SampleMedia.jpeg(1))
                try albumd.flush()
                try expectImported([drop], by: albumd)
            }
        }

        private func churn(_ albumd: Albumd, _ numbers: Range<Int>) throws {
            for number in numbers {
                let (path, moved) = (albumd.path("d\(number)"), albumd.path("m\(number)"))
                try albumd.other.makeDirectory(path)
                try albumd.other.rename(path, to: moved)
                try albumd.other.removeDirectory(Array(moved.utf8))
            }
            try albumd.flush()
        }

        /// The second number of statm is in pages (proc(5)).
        private func residentBytes(of albumd: Albumd) throws -> Int {
            let text = try albumd.other.read("/proc/\(albumd.process?.pid ?? 0)/statm")
            let words = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            return try #require(words.count > 1 ? words[1] : nil) * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
