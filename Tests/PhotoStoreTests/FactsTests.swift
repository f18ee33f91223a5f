import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What was read of an asset is a change as any other; how far the reading has come is not.
@Suite struct FactsTests {
    @Test func theDateOfAnAssetFollowsFromItsFactsAndTheHistoryHasIt() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b"])
                let token = try #require(try library.perform(try Sample.facts(of: 1, "a")))
                let asset = try #require(try library.read { try $0.asset(Sample.identifier(1)) })
                #expect(asset.creationDate.rfc3339 == "2019-01-01T00:00:00.000000Z")
                #expect(asset.creationDateSource == .captured)
                #expect(try library.read { try $0.smartAlbums(of: Sample.identifier(1)) } == [.screenshots])
                #expect(try library.read { try $0.factsCounts() } == FactsCounts(known: 1, waiting: 1, unreadable: 0))
                let line = try #require(try library.read { try $0.history(after: token - 1, limit: 1) }.first)
                #expect(try changeRequests(fromHistory: line.changes) == [try Sample.facts(of: 1, "a")])
                // The same once more is no change.
                #expect(try library.perform(try Sample.facts(of: 1, "a")) == nil)
            }
        }
    }

    private func page(
        of library: isolated PhotoLibrary, _ album: SmartAlbum, after cursor: Int64
    ) throws -> ([LocalIdentifier], next: Int64?) {
        try library.read { catalogue in
            let page = try catalogue.assets(in: album, at: Date(microseconds: 0), after: cursor, limit: 1)
            return (page.rows.map(\.localIdentifier), page.next)
        }
    }

    @Test func aSmartAlbumHasTheLiveAssetsWhoseFactsSaySo() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b", "c", "d"])
                for (number, text) in [(1, "a"), (2, "b"), (3, "c")] as [(UInt8, String)] {
                    try library.perform(try Sample.facts(of: number, text))
                }
                _ = try library.performChanges(origin: "test") {
                    try $0.trash([Sample.identifier(2)], reason: .person)
                }
                #expect(try library.read { try $0.smartAlbumCounts(at: Date(microseconds: 0))[.screenshots] } == 2)
                let first = try page(of: library, .screenshots, after: 0)
                #expect(first.0 == [Sample.identifier(1)])
                #expect(
                    try page(of: library, .screenshots, after: try #require(first.next)).0 == [Sample.identifier(3)])
                #expect(try page(of: library, .panoramas, after: 0).0 == [])
            }
        }
    }

    /// They are of other bytes than those that are there now.
    @Test func factsOfAnEarlierVersionLeaveTheNewOneToBeRead() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                let edit = try library.stage("edited")
                _ = try library.publish([edit], origin: "import") { change in
                    try change.perform(
                        .addVersion(
                            VersionAddition(
                                localIdentifier: Sample.identifier(1), resourceType: .photo, content: edit.content)))
                }
                try library.perform(try Sample.facts(of: 1, "a"))
                #expect(try library.read { try $0.factsCounts().waiting } == 1)
                try library.perform(try Sample.facts(of: 1, "edited"))
                #expect(try library.read { try $0.factsCounts().waiting } == 0)
            }
        }
    }

    /// Where a photo was taken is not kept of one that was deleted for good.
    @Test func aPurgeForgetsWhatWasRead() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                let hash = try Sample.content("a").hash
                _ = try library.performChanges(origin: "facts") { change in
                    try change.keep(ContentReading(hash: hash, reader: 1, facts: "{}", unreadable: nil, tries: 1))
                    try change.perform(try Sample.facts(of: 1, "a"))
                }
                #expect(try library.read { try $0.reading(of: hash) } != nil)
                _ = try library.performChanges(origin: "test") {
                    try $0.trash([Sample.identifier(1)], reason: .person)
                }
                _ = try library.purge([Sample.identifier(1)], origin: "test", reason: .person)
                #expect(try library.read { try $0.facts(of: Sample.identifier(1)) } == nil)
                #expect(try library.read { try $0.smartAlbums(of: Sample.identifier(1)) } == [])
                #expect(try library.read { try $0.reading(of: hash) } == nil)
                #expect(try library.read { try $0.factsCounts() } == FactsCounts(known: 0, waiting: 0, unreadable: 0))
                #expect(try library.perform(try Sample.facts(of: 1, "a")) == nil)
            }
        }
    }

    /// RULES S3: not more than three times.
    @Test func whatWasTriedThreeTimesIsNoWorkAnyMore() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                let hash = try Sample.content("a").hash
                for tries in 1...3 {
                    #expect(try library.read { try $0.factsWork(in: 0...Int64.max, limit: 9) }.count == 1)
                    _ = try library.performChanges(origin: "facts") { change in
                        try change.keep(
                            ContentReading(hash: hash, reader: 1, facts: nil, unreadable: "it is cut", tries: tries))
                    }
                }
                #expect(try library.read { try $0.factsCounts() } == FactsCounts(known: 0, waiting: 0, unreadable: 1))
            }
        }
    }

    /// Nothing of it is fetched for the sake of its facts.
    @Test func whatIsInTheCloudAloneOrDamagedWaits() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b", "c"])
                let (away, damaged) = (try Sample.content("a").hash, try Sample.content("b").hash)
                let copy = CloudCopy(
                    key: "k", versionID: nil, uploadedDate: Date(microseconds: 1), verifiedDate: Date(microseconds: 1))
                try library.perform(
                    .setResidency(ResidencyChange(hash: away, residency: .both, copy: copy)),
                    .setResidency(ResidencyChange(hash: away, residency: .inCloud, copy: copy)),
                    .setCondition(ConditionChange(hash: damaged, condition: .corrupt)))
                let work = try library.read { try $0.factsWork(in: 0...Int64.max, limit: 9) }
                #expect(work.map(\.localIdentifier) == [Sample.identifier(3)])
                #expect(try library.read { try $0.factsCounts().waiting } == 3)
            }
        }
    }

    @Test func anUndoOfThemSaysThatTheyStay() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            try bench.change([Sample.asset(50, try Sample.content("new"))])
            let token = try #require(try bench.change([try Sample.facts(of: 50, "new")]))
            let undone = try bench.undo(token)
            #expect(undone.plan.requests == [])
            #expect(
                undone.plan.remarks == [
                    "asset \(Sample.identifier(50)) keeps its facts: they are what its file says"
                ])
        }
    }
}
