import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Smart albums that follow from more than one asset's facts.
@Suite struct SmartAlbumTests {
    /// PhotoKit's Bursts are sequences: a picture whose others never came, or are gone for ever, is none.
    @Test func aBurstIsOneWhileTwoPicturesAreInIt() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b", "c"])
                try library.perform(try facts(of: 1, "a", burst: "B"))
                try library.perform(try facts(of: 3, "c", burst: "other"))
                #expect(try albums(of: 1, in: library) == [])
                try library.perform(try facts(of: 2, "b", burst: "B"))
                #expect(try albums(of: 1, in: library) == [.bursts])
                #expect(try albums(of: 2, in: library) == [.bursts])
                #expect(try albums(of: 3, in: library) == [])
                #expect(try counts(in: library, at: 0)[.bursts] == 2)
                // Read again, it says that it is of another one.
                try library.perform(try facts(of: 2, "b", burst: "other"))
                #expect(try albums(of: 1, in: library) == [])
                #expect(try albums(of: 2, in: library) == [.bursts])
                #expect(try albums(of: 3, in: library) == [.bursts])
            }
        }
    }

    @Test func aPurgedPictureLeavesItsBurst() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b"])
                for (number, text) in [(1, "a"), (2, "b")] as [(UInt8, String)] {
                    try library.perform(try facts(of: number, text, burst: "B"))
                }
                _ = try library.performChanges(origin: "test") {
                    try $0.trash([Sample.identifier(2)], reason: .person)
                }
                #expect(try albums(of: 1, in: library) == [.bursts])
                _ = try library.purge([Sample.identifier(2)], origin: "test", reason: .person)
                #expect(try albums(of: 1, in: library) == [])
            }
        }
    }

    @Test func aCamerasOwnFormatIsRaw() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                let raw = try Sample.content("r", contentType: "image/x-canon-cr2", fileExtension: "cr2")
                try library.perform(Sample.asset(1, raw))
                try library.perform(try facts(of: 1, "r", burst: nil))
                #expect(try albums(of: 1, in: library) == [.raw])
            }
        }
    }

    /// Days are whole ones, so that a count stays what it is for a day.
    @Test func recentsAreAllAndRecentlyAddedThoseOfThirtyDays() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b"])
                let added = try #require(try library.read { try $0.asset(Sample.identifier(1)) }).addedDate
                for (days, count) in [(0, 2), (30, 2), (31, nil)] as [(Int64, Int?)] {
                    let now = added.microseconds + days * 86_400_000_000
                    #expect(try counts(in: library, at: now)[.recents] == 2)
                    #expect(try counts(in: library, at: now)[.recentlyAdded] == count)
                    let listed = try library.read {
                        try $0.assets(in: .recentlyAdded, at: Date(microseconds: now), after: 0, limit: 9).rows.count
                    }
                    #expect(listed == count ?? 0)
                }
            }
        }
    }

    private func albums(of number: UInt8, in library: isolated PhotoLibrary) throws -> [SmartAlbum] {
        try library.read { try $0.smartAlbums(of: Sample.identifier(number)) }
    }

    private func counts(in library: isolated PhotoLibrary, at microseconds: Int64) throws -> [SmartAlbum: Int] {
        try library.read { try $0.smartAlbumCounts(at: Date(microseconds: microseconds)) }
    }

    private func facts(of number: UInt8, _ text: String, burst: String?) throws -> ChangeRequest {
        var facts = AssetFacts(playbackStyle: .image)
        facts.burstIdentifier = burst
        return .setFacts(
            FactsChange(
                of: Sample.identifier(number), hash: try Sample.content(text).hash, facts: facts,
                creationDate: Date(microseconds: 1), creationDateSource: .modified))
    }
}
