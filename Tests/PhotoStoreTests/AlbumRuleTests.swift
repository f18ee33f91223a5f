import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What a person did to an album is never undone by a folder (RULES I20).
@Suite struct AlbumRuleTests {
    private let album = Sample.identifier(100)

    private func withAlbum(_ name: String = #function, _ body: @Sendable (isolated PhotoLibrary) throws -> Void) throws
    {
        try withSimulatedLibrary(name) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b", "c"])
                try library.perform(Sample.album(100))
                try body(library)
            }
        }
    }

    @Test func aPersonsRemovalSticks() throws {
        try withAlbum { library in
            try library.perform(Sample.adding(1, to: 100, by: .folder))
            try library.perform(Sample.removing(1, from: 100, by: .person))
            #expect(try library.perform(Sample.adding(1, to: 100, by: .folder)) == nil)
            #expect(try library.read { try $0.membership(of: Sample.identifier(1), in: album) } == nil)
            #expect(try library.read { try $0.wasRemoved(Sample.identifier(1), from: album) })
        }
    }

    @Test func aPersonPutsBackWhatAPersonTookOut() throws {
        try withAlbum { library in
            try library.perform(Sample.adding(1, to: 100, by: .folder))
            try library.perform(Sample.removing(1, from: 100, by: .person))
            try library.perform(Sample.adding(1, to: 100, by: .person))
            #expect(try library.read { try $0.membership(of: Sample.identifier(1), in: album) } == .person)
            #expect(try !library.read { try $0.wasRemoved(Sample.identifier(1), from: album) })
        }
    }

    @Test func aPersonsAdditionSurvivesAFoldersRemoval() throws {
        try withAlbum { library in
            try library.perform(Sample.adding(1, to: 100, by: .folder))
            try library.perform(Sample.adding(1, 2, to: 100, by: .person))
            #expect(try library.perform(Sample.removing(1, 2, from: 100, by: .folder)) == nil)
            #expect(try library.read { try $0.album(album)?.count } == 2)
        }
    }

    @Test func aFoldersRemovalDoesNotKeepTheFolderFromAddingAgain() throws {
        try withAlbum { library in
            try library.perform(Sample.adding(1, to: 100, by: .folder))
            try library.perform(Sample.removing(1, from: 100, by: .folder))
            try library.perform(Sample.adding(1, to: 100, by: .folder))
            #expect(try library.read { try $0.membership(of: Sample.identifier(1), in: album) } == .folder)
        }
    }

    @Test func theOrderIsThatOfAddingAndNobodyIsThereTwice() throws {
        try withAlbum { library in
            try library.perform(Sample.adding(3, 1, to: 100, by: .folder))
            try library.perform(Sample.adding(1, 2, 3, to: 100, by: .person))
            let order = { (library: isolated PhotoLibrary) in
                try library.read { try $0.assets(in: album, after: 0, limit: 10).rows.map(\.localIdentifier) }
            }
            #expect(try order(library) == [3, 1, 2].map(Sample.identifier))
            try library.perform(Sample.removing(3, from: 100, by: .person))
            try library.perform(Sample.adding(3, to: 100, by: .person))
            #expect(try order(library) == [1, 2, 3].map(Sample.identifier))
        }
    }

    @Test func aTitleIsOnlyATitle() throws {
        try withAlbum { library in
            try library.perform(Sample.album(101, "Inbox"))
            let titled = try library.read { try $0.albums(titled: PathBytes("Inbox")).map(\.localIdentifier) }
            #expect(titled == [100, 101].map(Sample.identifier))
            try library.perform(.renameAlbum(AlbumRenaming(localIdentifier: album, title: PathBytes("Other"))))
            #expect(try library.read { try $0.album(album)?.title } == PathBytes("Other"))
            #expect(throws: LibraryError.noSuchAlbum(Sample.identifier(9))) {
                try library.perform(
                    .renameAlbum(AlbumRenaming(localIdentifier: Sample.identifier(9), title: PathBytes("X"))))
            }
        }
    }
}
