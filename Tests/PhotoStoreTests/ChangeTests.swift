import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// `performChanges`: the one way to change a library.
@Suite struct ChangeTests {
    private struct Refusal: Error {}

    @Test func aChangeIsOneTokenAndOneLineOfTheHistory() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                let first = try library.perform(Sample.album(1))
                let second = try library.perform(
                    Sample.registration(),
                    .renameAlbum(AlbumRenaming(localIdentifier: Sample.identifier(1), title: PathBytes("B"))))
                #expect([first, second] == [1, 2])
                let lines = try library.read { try $0.history(after: 0, limit: 10) }
                #expect(lines.map(\.token) == [1, 2])
                #expect(lines.map(\.origin) == ["test", "test"])
                #expect(try changeRequests(fromHistory: lines[0].changes) == [Sample.album(1)])
                #expect(
                    try changeRequests(fromHistory: lines[1].changes).map(\.name) == [.registerFolder, .renameAlbum])
            }
        }
    }

    @Test func whatIsThrownUndoesAllOfTheChange() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            let before = try home.dump()
            try library.inside { library throws in
                #expect(throws: Refusal.self) {
                    try library.performChanges(origin: "test") { change in
                        try change.perform(Sample.album(1))
                        try change.perform(Sample.registration())
                        change.tell("a story", of: Sample.key("a.jpg"))
                        throw Refusal()
                    }
                }
                #expect(throws: LibraryError.noSuchAsset(Sample.identifier(9))) {
                    try library.perform(Sample.album(1), Sample.adding(9, to: 1, by: .person))
                }
            }
            #expect(try home.dump() == before)
            #expect(library.feed.newest == 0)
        }
    }

    @Test func aChangeThatChangesNothingHasNoToken() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try library.perform(
                    Sample.album(10), Sample.registration(), Sample.source("a.jpg", 1),
                    Sample.adding(1, to: 10, by: .folder),
                    .bindExternal(ExternalBinding(externalIdentifier: "E", localIdentifier: Sample.identifier(1))))
            }
            let before = try home.dump()
            try library.inside { library throws in
                #expect(try library.performChanges(origin: "test") { _ in 7 }.value == 7)
                let again = try library.perform(
                    Sample.registration(), Sample.source("a.jpg", 1), Sample.adding(1, to: 10, by: .folder),
                    .renameAlbum(AlbumRenaming(localIdentifier: Sample.identifier(10), title: PathBytes("Inbox"))),
                    .removeAssets(AlbumRemoval(album: Sample.identifier(10), assets: [], removedBy: .person)),
                    .bindExternal(ExternalBinding(externalIdentifier: "E", localIdentifier: Sample.identifier(1))),
                    .addVersion(
                        VersionAddition(
                            localIdentifier: Sample.identifier(1), resourceType: .photo,
                            content: try Sample.content("a"))),
                    .forgetSource(Sample.key("never.jpg")),
                    .setCondition(ConditionChange(hash: try Sample.content("a").hash, condition: .sound)))
                #expect(again == nil)
            }
            #expect(try home.dump() == before)
        }
    }

    @Test func aRequestSeesWhatThoseBeforeItDid() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                let seen = try library.performChanges(origin: "test") { change in
                    try change.perform(Sample.album(1, "A"))
                    return try change.catalogue.albums(titled: PathBytes("A")).map(\.localIdentifier)
                }.value
                #expect(seen == [Sample.identifier(1)])
            }
        }
    }

    @Test func aChangeWithinAChangeIsRefused() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { inside throws in
                #expect(throws: LibraryError.nestedChange) {
                    try inside.performChanges(origin: "test") { change in
                        try change.perform(Sample.album(1))
                        _ = try library.onThread { try $0.perform(Sample.album(2)) }
                    }
                }
            }
            #expect(try library.onThread { try $0.perform(Sample.album(3)) } == 1)
        }
    }

    @Test func anIdentifierIsGivenOutOnce() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try library.perform(Sample.album(2))
                let content = try Sample.content("b")
                #expect(throws: LibraryError.assetExists(Sample.identifier(1))) {
                    try library.perform(Sample.asset(1, content))
                }
                #expect(throws: LibraryError.albumExists(Sample.identifier(2))) { try library.perform(Sample.album(2)) }
            }
        }
    }

    @Test func everyRowOfAChangeHasItsInstant() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            home.simulated.advance(by: .nanoseconds(1_234_567_891))
            try library.inside { library throws in
                try library.importAssets(["a"])
                let date = try #require(try library.read { try $0.history(after: 0, limit: 1) }.first).date
                let asset = try #require(try library.read { try $0.asset(Sample.identifier(1)) })
                #expect(asset.addedDate == date)
                #expect(asset.modificationDate == date)
                #expect(asset.resources.first?.versions.first?.addedDate == date)
                #expect(date.rfc3339 == "2023-11-14T22:13:21.234568Z")
            }
        }
    }
}
