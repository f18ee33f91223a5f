import EngineSupport
import PhotoModel
import Testing

/// What a person was told may be erased deletes nothing when it is (RULES R35).
@Suite struct ReleaseTests {
    @Test func aReleasedSourceTakesNothingWithIt() throws {
        try withMirror { bench in
            var source = try #require(try bench.source("in/0.jpg"))
            source.isReleased = true
            try bench.perform(.recordSource(source))
            try bench.remove("in/0.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .live)
            #expect(try bench.source("in/0.jpg")?.departure != nil)
        }
    }

    /// A release is about the bytes: it goes where the file goes.
    @Test(arguments: BenchDisk.allCases, ["in/done.jpg", "in/done/0.jpg"])
    func aReleasedFileThatIsMovedStaysReleased(disk: BenchDisk, name: String) throws {
        try withMirror(disk, "released \(name)") { bench in
            var source = try #require(try bench.source("in/0.jpg"))
            source.isReleased = true
            try bench.perform(.recordSource(source))
            try bench.makeDirectory("in/done")
            try bench.rename("in/0.jpg", to: name)
            try bench.flush()
            #expect(try bench.source(name)?.isReleased == true)
            try bench.remove(name)
            try bench.flush()
            #expect(try state(name, bench) == .live)
        }
    }

    /// What was erased was an edited photo, and a file with the bytes before the edit is not it come back.
    @Test(arguments: BenchDisk.allCases) func aReleaseOutlivesAFileWithOtherBytesOfThePhoto(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.write("in/0.jpg", SampleMedia.picture(7))
            try bench.flush()
            var source = try #require(try bench.source("in/0.jpg"))
            source.isReleased = true
            try bench.perform(.recordSource(source))
            try bench.remove("in/0.jpg")
            try bench.flush()
            try bench.write("in/first.jpg", SampleMedia.picture(0))
            try bench.flush()
            #expect(try bench.source("in/first.jpg")?.localIdentifier == asset)
            #expect(try bench.source("in/0.jpg")?.isReleased == true)
            try bench.remove("in/first.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .live)
        }
    }
}
