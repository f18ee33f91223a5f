import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import TestSupport
import Testing

/// Changed bytes at a known path (RULES R19; I22 of CASES).
@Suite struct EditTests {
    private func hashes(_ bench: EngineBench, _ asset: LocalIdentifier) throws -> [ContentHash] {
        try bench.catalogue().asset(asset)?.resources.flatMap(\.versions).map(\.content.hash) ?? []
    }

    private func picture(_ number: Int) throws -> ContentHash {
        try #require(SampleMedia.hash(SampleMedia.picture(number)))
    }

    @Test(arguments: BenchDisk.allCases) func aRewriteInPlaceIsAnEditThatKeepsBothVersions(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(source.localIdentifier == asset)
            #expect(source.outcome == .updated && source.reason == .edited)
            #expect(try hashes(bench, asset) == [picture(1), picture(2)])
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox"])
        }
    }

    /// The program that edits it renames it before anybody has looked.
    @Test(arguments: BenchDisk.allCases, ["in/b.jpg", "two/a.jpg"])
    func aRewriteAndARenameAtOnceAreAnEdit(disk: BenchDisk, path: String) throws {
        try imported(on: disk, "edit and rename \(path)") { bench, asset in
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.rename("in/a.jpg", to: path)
            try bench.flush()
            let source = try #require(try bench.source(path))
            #expect(source.localIdentifier == asset)
            #expect(source.outcome == .updated && source.reason == .edited)
            #expect(try bench.source("in/a.jpg") == nil)
            #expect(try hashes(bench, asset) == [picture(1), picture(2)])
            #expect(try bench.albums(of: path) == [path.hasPrefix("in/") ? "Inbox" : "Two"])
        }
    }

    /// A hard link: whichever name the writer uses, and whether the other was looked at before or not.
    @Test(arguments: BenchDisk.allCases, [true, false])
    func aRewriteUnderAnotherNameOfTheFileIsAnEdit(disk: BenchDisk, isKnown: Bool) throws {
        try imported(on: disk, "linked \(isKnown)") { bench, asset in
            try bench.link("in/link.jpg", of: "in/a.jpg")
            if isKnown { try bench.flush() }
            try bench.write("in/link.jpg", SampleMedia.picture(2))
            try bench.flush()
            for name in ["in/a.jpg", "in/link.jpg"] {
                let source = try #require(try bench.source(name))
                #expect(source.localIdentifier == asset, "\(name)")
                #expect(try source.evidence?.hash == picture(2), "\(name)")
            }
            #expect(try hashes(bench, asset) == [picture(1), picture(2)])
        }
    }

    /// A file that was made in advance, and written later.
    @Test(arguments: BenchDisk.allCases, [false, true])
    func whatNothingKnewBecomesWhatIsWrittenIntoIt(disk: BenchDisk, isVideo: Bool) throws {
        try disk.withBench("filled \(isVideo)") { bench in
            try bench.write("in/a.jpg", Array(repeating: 0, count: 4096))
            try bench.flush()
            let made = try #require(try bench.asset(of: "in/a.jpg"))
            #expect(made.mediaType == .unknown)
            try bench.write("in/a.jpg", isVideo ? TestSupport.SampleMedia.movie(1) : SampleMedia.picture(1))
            try bench.flush()
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            #expect(asset.localIdentifier == made.localIdentifier)
            #expect(asset.mediaType == (isVideo ? .video : .image))
            #expect(asset.resources.map(\.type) == [isVideo ? .video : .photo])
            #expect(asset.resources.first?.versions.count == 2)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aRewriteUnderASecondNameIsAnotherPhotoWhileTheFirstIsThere(
        disk: BenchDisk
    ) throws {
        try imported(on: disk) { bench, asset in
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.source("in/b.jpg")?.localIdentifier != asset)
            #expect(try bench.source("in/a.jpg")?.localIdentifier == asset)
        }
    }

    @Test(arguments: BenchDisk.allCases) func anEditWithTheOldTimeIsSeenAllTheSame(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            let modified = try #require(try bench.source("in/a.jpg")?.evidence?.modified)
            try bench.write("in/a.jpg", SampleMedia.picture(3))
            try bench.touch("in/a.jpg", modified: modified)
            try bench.scan()
            #expect(try hashes(bench, asset) == [picture(1), picture(3)])
        }
    }

    @Test(arguments: BenchDisk.allCases) func goingBackToTheOldBytesMakesThemCurrent(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try hashes(bench, asset) == [picture(1), picture(2), picture(1)])
            #expect(try bench.source("in/a.jpg")?.outcome == .updated)
        }
    }

    @Test(arguments: BenchDisk.allCases) func anotherFileAtThePathIsANewAssetAndTheOldOneStays(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.write("in/saving.part", SampleMedia.picture(2))
            try bench.rename("in/saving.part", to: "in/a.jpg")
            try bench.flush()
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(source.localIdentifier != asset)
            #expect(source.reason == .sourceReplaced)
            #expect(try hashes(bench, asset) == [picture(1)])
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    @Test(arguments: BenchDisk.allCases) func bytesOfAnotherAssetJoinIt(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.localIdentifier == bench.source("in/b.jpg")?.localIdentifier)
            #expect(try hashes(bench, asset) == [picture(1)])
        }
    }

    @Test(arguments: BenchDisk.allCases) func aTouchedFileIsNoEdit(disk: BenchDisk) throws {
        try imported(on: disk) { bench, asset in
            try bench.touch("in/a.jpg", modified: 1_500_000_000_000_000_000)
            try bench.flush()
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(source.outcome == .imported && source.reason == .newContent)
            #expect(source.evidence?.modified == 1_500_000_000_000_000_000)
            #expect(try hashes(bench, asset) == [picture(1)])
        }
    }

    /// A mode, an owner or a number of links that changes makes a new ctime and nothing else.
    ///
    /// The bytes are read, since a writer can set its time back, and not copied.
    @Test(arguments: BenchDisk.allCases, ["touch", "link"]) func aNewStatusAloneMakesNoCopy(
        disk: BenchDisk, act: String
    ) throws {
        try imported(on: disk, "status \(act)") { bench, asset in
            let before = try #require(try bench.source("in/a.jpg"))
            let evidence = try #require(before.evidence)
            let (created, read) = (
                bench.simulation.files.callCount(.create), bench.simulation.files.callCount(.read)
            )
            if act == "touch" {
                try bench.touch("in/a.jpg", modified: evidence.modified)
            } else {
                try bench.program.makeHardLink(bench.path("elsewhere.jpg").bytes, of: bench.path("in/a.jpg").bytes)
            }
            try bench.scan()
            var source = try #require(try bench.source("in/a.jpg"))
            #expect(source.evidence?.changed != evidence.changed)
            source.evidence = evidence
            #expect(source == before)
            #expect(bench.simulation.files.callCount(.create) == created)
            #expect(disk == .real || bench.simulation.files.callCount(.read) > read)
            #expect(try hashes(bench, asset) == [picture(1)])
        }
    }

    /// RULES R5: an original that is not there is stored again, whenever its source is read.
    @Test func aNewStatusOfASourceWhoseOriginalIsGoneStoresItAgain() throws {
        try imported(on: .simulated) { bench, asset in
            let source = try #require(try bench.source("in/a.jpg"))
            let name = "library/originals/\(try picture(1).hexadecimal.prefix(2))/\(try picture(1).hexadecimal).jpg"
            try bench.program.unlink(bench.path(name).bytes)
            try bench.touch("in/a.jpg", modified: try #require(source.evidence?.modified))
            try bench.flush()
            #expect(try bench.program.read(bench.path(name).bytes) == SampleMedia.picture(1))
            #expect(try bench.source("in/a.jpg")?.localIdentifier == asset)
        }
    }

    @Test func anEditThroughOneHardLinkIsFoundUnderTheOther() throws {
        try imported(on: .simulated) { bench, asset in
            try bench.link("in/b.jpg", of: "in/a.jpg")
            try bench.flush()
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.scan()
            #expect(try bench.source("in/b.jpg")?.localIdentifier == asset)
            #expect(try bench.source("in/b.jpg")?.evidence?.hash == picture(2))
            #expect(try hashes(bench, asset) == [picture(1), picture(2)])
        }
    }
}
