import Glibc
import Importing
import PhotoModel
import Platform
import TestSupport
import Testing

@Suite struct ScanWalkTests {
    @Test func everyFileIsFoundOnceAndDirectoriesAreNone() throws {
        let bench = try ScanBench()
        try bench.make("a", "a.jpg", "b/c", "b/d/e", "z")
        var walk = try bench.walk()
        #expect(bench.items(&walk).map(\.text) == ["a", "a.jpg", "b/c", "b/d/e", "z"])
        #expect(walk.isComplete)
        #expect(walk.entryCount == 7)
    }

    @Test func ignoredNamesAndDirectoriesAreNotLookedInto() throws {
        let bench = try ScanBench()
        try bench.make("a.part", ".thumbs/x", "b/.hidden", "b/c", ".albumd-folder")
        var walk = try bench.walk(ignore: [".*"])
        #expect(bench.items(&walk).map(\.text) == ["b/c"])
        #expect(walk.isComplete)
    }

    @Test func symlinksAndOddFilesAreSkippedWithTheirReason() throws {
        let bench = try ScanBench()
        try bench.program.makeSymlink(bench.path("loop"), to: Array("..".utf8))
        try bench.program.makeSymlink(bench.path("root"), to: Array("/".utf8))
        try bench.program.makeFIFO(bench.path("pipe.jpg"))
        try bench.make("real.jpg")
        var walk = try bench.walk()
        let found = ["loop: symlink", "pipe.jpg: notRegular", "real.jpg", "root: symlink"]
        #expect(bench.items(&walk).map(\.text) == found)
        #expect(walk.isComplete)
    }

    @Test func whatLiesTooDeepIsSkipped() throws {
        let bench = try ScanBench()
        let deep = (0..<64).map { _ in "d" }.joined(separator: "/")
        try bench.make(deep + "/x.jpg")
        var walk = try bench.walk()
        #expect(bench.items(&walk).map(\.text) == ["\(deep): tooDeep"])
    }

    @Test func aPathThatIsTooLongIsSkipped() throws {
        let bench = try ScanBench()
        let long = (0..<17).map { _ in String(repeating: "n", count: 250) }.joined(separator: "/")
        try bench.make(long + "/x.jpg")
        var walk = try bench.walk()
        let items = bench.items(&walk)
        #expect(items.count == 1)
        #expect(items.first?.text.hasSuffix(": pathTooLong") == true)
    }

    /// Each that is looked into ahead of its turn holds a descriptor (RULES I36).
    @Test func aWideAndDeepTreeTakesFewDescriptors() throws {
        let bench = try ScanBench()
        let names = (0..<40).map { ($0 < 10 ? "0" : "") + "\($0)" }
        for depth in 1...8 {
            let above = String(repeating: "00/", count: depth - 1)
            try bench.make(names.map { Array((above + $0 + (depth < 8 && $0 == "00" ? "/f" : "/g/f")).utf8) })
        }
        var walk = try bench.walk(beginLoop: Machine.live(log: .silent).beginLoop)
        var most = 0
        while !walk.isFinished {
            _ = walk.advance(limit: 1)
            most = max(most, bench.files.openCount)
        }
        #expect(walk.entryCount > 800)
        #expect(most > 8 && most < 150)
    }

    @Test func aDirectoryThatCannotBeReadIsUnknownAndNotEmpty() throws {
        let bench = try ScanBench()
        try bench.make("a/x", "b/y", "c/z")
        try bench.files.breakNode(at: bench.path("b"), EIO)
        var walk = try bench.walk()
        #expect(bench.items(&walk).map(\.text) == ["a/x", "b: errno \(EIO)", "c/z"])
        #expect(!walk.isComplete)
    }

    @Test func aListingThatFailsHalfWayIsNone() throws {
        let bench = try ScanBench()
        try bench.make("a/x", "b/y")
        var walk = try bench.walk()
        bench.files.failNext(.list, EIO)
        #expect(bench.items(&walk).map(\.text) == ["a: errno \(EIO)", "b/y"])
        #expect(!walk.isComplete)
    }

    @Test func aRootThatCannotBeListedIsAnError() throws {
        let bench = try ScanBench()
        bench.files.failNext(.list, EIO)
        #expect(throws: FileError.self) { try bench.walk() }
    }

    @Test func whatGoesBetweenTheListingAndTheLookIsNoFault() throws {
        let bench = try ScanBench()
        try bench.make("a", "b", "d/x")
        var walk = try bench.walk()
        try bench.program.unlink(bench.path("b"))
        try bench.program.unlink(bench.path("d/x"))
        try bench.program.removeDirectory(bench.path("d"))
        #expect(bench.items(&walk).map(\.text) == ["a"])
        #expect(walk.isComplete)
    }

    @Test func aFileThatBecameADirectoryMeansThatNothingCanBeSaidOfAbsence() throws {
        let bench = try ScanBench()
        try bench.make("a", "b")
        var walk = try bench.walk()
        try bench.program.unlink(bench.path("a"))
        try bench.make("a/x")
        #expect(bench.items(&walk).map(\.text) == ["a/x", "b"])
        #expect(!walk.isComplete)
    }
}
