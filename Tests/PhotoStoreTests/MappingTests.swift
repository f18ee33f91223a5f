import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// Sources and callers' own identifiers, mapped to assets (A57-A61, RULES I7).
@Suite struct MappingTests {
    private func states(_ library: PhotoLibrary, _ external: String...) throws -> [MappingState] {
        try library.onThread { library in
            try library.read { catalogue in
                try external.map { try catalogue.mappingState(of: try catalogue.externalMapping($0)) }
            }
        }
    }

    @Test func anExternalIdentifierIsAbsentLiveTrashedOrDangling() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b", "c"])
                for (name, number) in [("live", 1), ("trashed", 2), ("purged", 3)] as [(String, UInt8)] {
                    try library.perform(
                        .bindExternal(
                            ExternalBinding(externalIdentifier: name, localIdentifier: Sample.identifier(number))))
                }
            }
            try library.inside { library throws in
                _ = try library.performChanges(origin: "test") {
                    try $0.trash([Sample.identifier(2), Sample.identifier(3)], reason: .person)
                }
                try library.purge([Sample.identifier(3)], origin: "test", reason: .person)
            }
            #expect(try states(library, "live", "trashed", "purged", "never") == [.live, .trashed, .dangling, .absent])
        }
    }

    @Test func anExternalIdentifierIsBoundAnew() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b"])
                for number in [1, 2] as [UInt8] {
                    try library.perform(
                        .bindExternal(
                            ExternalBinding(externalIdentifier: "E", localIdentifier: Sample.identifier(number))))
                }
                #expect(try library.read { try $0.externalMapping("E") } == Sample.identifier(2))
                #expect(try library.read { try $0.externalIdentifiers(of: Sample.identifier(1)) } == [])
                #expect(throws: LibraryError.noSuchAsset(Sample.identifier(9))) {
                    try library.perform(
                        .bindExternal(ExternalBinding(externalIdentifier: "F", localIdentifier: Sample.identifier(9))))
                }
            }
        }
    }

    @Test func namesThatSwiftTakesForOneAreTwoSources() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b"])
                try library.perform(
                    Sample.registration(), Sample.source("caf\u{e9}.jpg", 1), Sample.source("cafe\u{301}.jpg", 2))
                #expect(
                    try library.read { try $0.source(Sample.key("caf\u{e9}.jpg"))?.localIdentifier }
                        == Sample.identifier(1))
                #expect(
                    try library.read { try $0.source(Sample.key("cafe\u{301}.jpg"))?.localIdentifier }
                        == Sample.identifier(2))
            }
        }
    }

    @Test func aSourceComesBackAsItWasRecorded() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try library.perform(Sample.registration(), Sample.source("a.jpg", 1))
                guard case .recordSource(let recorded) = Sample.source("a.jpg", 1) else { return }
                #expect(try library.read { try $0.source(recorded.key) } == recorded)
                #expect(try library.read { try $0.sources(of: Sample.identifier(1)) } == [recorded])
            }
        }
    }

    @Test func aMappedOutcomeNeedsAnAssetAndAFailureMayKeepIts() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try library.perform(Sample.registration())
                #expect(throws: DatabaseError.self) { try library.perform(Sample.source("a.jpg", nil)) }
                try library.perform(Sample.source("a.jpg", 1, outcome: .failed))
                #expect(
                    try library.read { try $0.source(Sample.key("a.jpg"))?.localIdentifier } == Sample.identifier(1))
            }
        }
    }

    @Test func theStoryOfASourceKeepsItsNewestEntries() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.perform(Sample.registration())
                for number in 1...20 as ClosedRange<UInt8> {
                    _ = try library.performChanges(origin: "test") { change in
                        try change.perform(Sample.album(number))
                        change.tell("story \(number)", of: Sample.key("a.jpg"))
                    }
                }
                let stories = try library.read { try $0.decisions(of: Sample.key("a.jpg")).map(\.story) }
                #expect(stories == (5...20).map { "story \($0)" })
            }
        }
    }
}
