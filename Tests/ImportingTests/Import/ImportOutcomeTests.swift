import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Testing

/// What becomes of a file that is dropped (RULES R5, R19, R28-R30; I12, I13, I21, I01, I02 of CASES).
@Suite struct ImportOutcomeTests {
    @Test(arguments: BenchDisk.allCases) func aDroppedPictureIsAnAssetOfItsFoldersAlbum(disk: BenchDisk) throws {
        try disk.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(source.outcome == .imported && source.reason == .newContent)
            #expect(source.evidence?.hash == SampleMedia.hash(SampleMedia.picture(1)))
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            #expect(asset.resources.first?.originalFilename == PathBytes("a.jpg"))
            #expect(asset.mediaType == .image)
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox"])
        }
    }

    @Test(arguments: BenchDisk.allCases) func theSameBytesTwiceInOneBatchAreOneAsset(disk: BenchDisk) throws {
        try disk.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.write("in/b.jpg", SampleMedia.picture(1))
            try bench.flush()
            let outcomes = try ["in/a.jpg", "in/b.jpg"].compactMap { try bench.source($0)?.outcome }
            #expect(Set(outcomes) == [.imported, .duplicate])
            #expect(try bench.asset(of: "in/a.jpg") == bench.asset(of: "in/b.jpg"))
            #expect(try bench.catalogue().assetCount() == 1)
        }
    }

    @Test(arguments: BenchDisk.allCases) func theSameBytesInASecondFolderJoinItsAlbum(disk: BenchDisk) throws {
        try disk.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.write("two/b.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.source("two/b.jpg")?.outcome == .duplicate)
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox", "Two"])
            #expect(try bench.catalogue().assetCount() == 1)
        }
    }

    @Test(arguments: BenchDisk.allCases) func hardLinksAreTwoMappingsOfOneAsset(disk: BenchDisk) throws {
        try disk.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.link("in/b.jpg", of: "in/a.jpg")
            try bench.flush()
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            #expect(try bench.asset(of: "in/b.jpg") == asset)
            try bench.remove("in/a.jpg")
            try bench.scan()
            #expect(try bench.asset(of: "in/b.jpg") == asset)
            #expect(try bench.catalogue().sources(of: asset.localIdentifier).count == 2)
        }
    }

    @Test(arguments: BenchDisk.allCases) func namesThatOnlyLookAlikeAreTwoAssets(disk: BenchDisk) throws {
        try disk.withBench { bench in
            let names = ["in/\u{E9}.jpg", "in/e\u{301}.jpg", "in/IMG.MOV.jpg", "in/IMG.mov.jpg", "in/IMG.HEIC"]
            for (number, name) in names.enumerated() {
                try bench.write(name, SampleMedia.picture(number))
            }
            try bench.flush()
            for (number, name) in names.enumerated() {
                #expect(try bench.source(name)?.evidence?.hash == SampleMedia.hash(SampleMedia.picture(number)))
            }
            #expect(try bench.catalogue().assetCount() == names.count)
        }
    }

    @Test(arguments: BenchDisk.allCases) func namesThatAreNoTextKeepTheirBytes(disk: BenchDisk) throws {
        try disk.withBench { bench in
            let names: [[UInt8]] = [
                [0x4A, 0xF1, 0x2E, 0x6A, 0x70, 0x67], [0xFF, 0xFE, 0x2E, 0x6A], [0xFE, 0xFF, 0x2E, 0x6A],
            ]
            for (number, name) in names.enumerated() {
                try bench.write(bench.path("in").appending(name), SampleMedia.picture(number))
            }
            try bench.flush()
            for name in names {
                let key = try #require(try bench.key(bench.path("in").appending(name)))
                let source = try #require(try bench.catalogue().source(key))
                #expect(source.key.path.bytes == name)
                #expect(source.outcome == .imported)
            }
            #expect(try bench.catalogue().assetCount() == 3)
        }
    }

    @Test(arguments: BenchDisk.allCases) func equalNamesInTwoDirectoriesAreTwoAssets(disk: BenchDisk) throws {
        try disk.withBench { bench in
            try bench.makeDirectory("in/x")
            try bench.makeDirectory("in/y")
            try bench.write("in/x/IMG_1.jpg", SampleMedia.picture(1))
            try bench.write("in/y/IMG_1.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    @Test func whatIsNoPictureIsSkippedAndJudgedAgainByNewRules() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/list.jpg", SampleMedia.text(1))
            try bench.flush()
            var row = try #require(try bench.source("in/list.jpg"))
            #expect(row.outcome == .skipped && row.reason == .notMedia)
            let token = try bench.catalogue().lastToken()
            try bench.scan()
            #expect(try bench.catalogue().lastToken() == token)
            row.rulesVersion = 0
            try bench.perform(.recordSource(row))
            try bench.scan()
            #expect(try bench.source("in/list.jpg")?.rulesVersion != 0)
        }
    }

    @Test func withoutEventsEverythingIsFoundByScans() throws {
        let bench = try EngineBench()
        bench.isWatched = false
        try bench.addFolder("in", album: "Inbox")
        try bench.start()
        try bench.write("in/a.jpg", SampleMedia.picture(1))
        try bench.run(for: .seconds(70))
        #expect(try bench.source("in/a.jpg")?.outcome == .imported)
    }
}
