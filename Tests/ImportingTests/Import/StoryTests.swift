import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import TestSupport
import Testing

/// The story of a file, wherever it was, and of what is passed over (RULES I9).
@Suite struct StoryTests {
    private func stories(_ bench: EngineBench, _ name: String) throws -> [String] {
        let key = try #require(try bench.key(name))
        return try bench.catalogue().story(of: key).map { "\($0.key.path.utf8 ?? ""): \($0.story)" }
    }

    @Test(arguments: BenchDisk.allCases) func theStoryGoesAlongWithAFileThatIsMoved(disk: BenchDisk) throws {
        try disk.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.rename("in/a.jpg", to: "in/b.jpg")
            try bench.flush()
            try bench.rename("in/b.jpg", to: "two/c.jpg")
            try bench.flush()
            let told = try stories(bench, "two/c.jpg")
            #expect(told.count == 5)
            #expect(told.first?.hasPrefix("a.jpg: ") == true && told.first?.contains("newContent") == true)
            #expect(told.contains { $0.hasPrefix("a.jpg: moved to '") && $0.hasSuffix("/in/b.jpg'") })
            #expect(told.contains { $0.hasPrefix("b.jpg: ") && $0.contains("imported (moved)") })
            #expect(told.last?.hasPrefix("c.jpg: ") == true)
        }
    }

    @Test func theStoryGoesAlongWithAFileThatIsRewrittenAndRenamedAtOnce() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.rename("in/a.jpg", to: "in/b.jpg")
            try bench.flush()
            #expect(try bench.source("in/b.jpg")?.reason == .edited)
            let told = try stories(bench, "in/b.jpg")
            #expect(told.first?.hasPrefix("a.jpg: ") == true && told.count == 3)
        }
    }

    @Test func aFileThatCameToTheOldPathLaterIsNotInTheStory() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.rename("in/a.jpg", to: "in/b.jpg")
            try bench.flush()
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try stories(bench, "in/b.jpg").count == 3)
        }
    }

    @Test func theStoryOfAnAssetHasThePathsWhereItWas() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let asset = try #require(try bench.source("in/a.jpg")?.localIdentifier)
            try bench.remove("in/a.jpg")
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            let told = try bench.catalogue().story(of: asset)
            #expect(told.contains { $0.story.contains("newContent") })
            #expect(told.allSatisfy { $0.story.contains("\(asset)") })
        }
    }

    @Test(arguments: [("symlink", "symbolic link"), ("notRegular", "FIFO")])
    func whatIsPassedOverIsToldOnce(reason: String, words: String) throws {
        try BenchDisk.simulated.withBench { bench in
            let path = bench.path("in/x.jpg").bytes
            if reason == "symlink" {
                try bench.program.makeSymlink(path, to: Array("a".utf8))
            } else {
                try bench.program.makeFIFO(path)
            }
            try bench.scan()
            try bench.scan()
            let told = try stories(bench, "in/x.jpg")
            #expect(told.count == 1)
            #expect(told.first?.contains("skipped (\(reason))") == true && told.first?.contains(words) == true)
        }
    }

    @Test func aPictureThatAFIFOReplacedHasThatInItsStory() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let asset = try #require(try bench.source("in/a.jpg")?.localIdentifier)
            try bench.program.unlink(bench.path("in/a.jpg").bytes)
            try bench.program.makeFIFO(bench.path("in/a.jpg").bytes)
            try bench.scan()
            let told = try stories(bench, "in/a.jpg")
            #expect(told.last?.contains("skipped (notRegular)") == true)
            #expect(told.last?.contains("stays in the library as \(asset)") == true)
        }
    }

    @Test func aFileThatMoveModeRemovedStaysNoOtherAssetThanItsOwn() throws {
        let rules: (EngineBench) throws -> Void = { try $0.addFolder("in", album: "Inbox") { $0.mode = .move } }
        try BenchDisk.simulated.withBench(rules: rules) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.isRemoved == true)
            #expect(try stories(bench, "in/a.jpg").allSatisfy { !$0.contains("what was here before") })
        }
    }
}
