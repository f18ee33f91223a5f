import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Testing

/// What an undo reversed stays so while the files lie where they lay: no scan, start or touch does it again.
@Suite struct UndoneImportTests {
    private func picture(_ number: Int) throws -> ContentHash {
        try #require(SampleMedia.hash(SampleMedia.picture(number)))
    }

    private func current(_ name: String, _ bench: EngineBench) throws -> ContentHash? {
        try bench.asset(of: name)?.resources.first?.versions.last?.content.hash
    }

    /// Undoes the newest change in which `isMeant` finds a request.
    private func undo(_ bench: EngineBench, _ isMeant: (ChangeRequest) -> Bool) throws {
        let lines = try bench.catalogue().history(after: 0, limit: .max)
        let line = try lines.last { try changeRequests(fromHistory: $0.changes).contains(where: isMeant) }
        try bench.undo(try #require(line).token)
    }

    /// All that may lead to a second look.
    private func comeAround(_ bench: EngineBench, touching name: String) throws {
        try bench.scan()
        try bench.restart()
        try bench.scan()
        try bench.touch(name, modified: 7)
        try bench.flush()
    }

    @Test(arguments: BenchDisk.allCases) func anEditThatIsUndoneDoesNotComeBack(disk: BenchDisk) throws {
        try imported(on: disk) { bench, _ in
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            try undo(bench) { if case .addVersion = $0 { true } else { false } }
            #expect(try current("in/a.jpg", bench) == picture(1))
            try comeAround(bench, touching: "in/a.jpg")
            #expect(try current("in/a.jpg", bench) == picture(1))
            try bench.write("in/a.jpg", SampleMedia.picture(3))
            try bench.flush()
            #expect(try current("in/a.jpg", bench) == picture(3))
        }
    }

    @Test func aDuplicateThatIsUndoneDoesNotComeBackIntoItsAlbum() throws {
        try imported(on: .simulated) { bench, _ in
            try bench.write("two/copy.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.albums(of: "two/copy.jpg") == ["Inbox", "Two"])
            try undo(bench) { if case .recordSource(let source) = $0 { source.outcome == .duplicate } else { false } }
            try bench.scan()
            try bench.restart()
            try bench.scan()
            #expect(try bench.albums(of: "in/a.jpg") == ["Inbox"])
        }
    }

    /// The album that the undo took along is still the one that its folder is bound to.
    @Test func aFileLeavesAFolderWhoseAlbumWentWithAnUndoneImport() throws {
        try imported(on: .simulated) { bench, _ in
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            try undo(bench) { if case .createAlbum = $0 { true } else { false } }
            try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).isEmpty)
            try bench.rename("in/a.jpg", to: "two/b.jpg")
            try bench.scan()
            #expect(try bench.albums(of: "two/b.jpg") == ["Two"])
        }
    }

    @Test func aReturnThatIsUndoneStaysUndone() throws {
        try withMirror { bench in
            try bench.makeDirectory("away")
            try bench.rename("in/0.jpg", to: "away/0.jpg")
            try bench.flush()
            try bench.rename("away/0.jpg", to: "in/0.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .live)
            try undo(bench) { if case .restoreAssets = $0 { true } else { false } }
            #expect(try state("in/0.jpg", bench) == .trashed)
            try comeAround(bench, touching: "in/0.jpg")
            #expect(try state("in/0.jpg", bench) == .trashed)
        }
    }

    @Test func theFolderKeepsTheAlbumThatOthersAreIn() throws {
        try imported(on: .simulated) { bench, _ in
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            let album = try #require(try bench.catalogue().albums(titled: PathBytes("Inbox")).first).localIdentifier
            try bench.perform(.renameAlbum(AlbumRenaming(localIdentifier: album, title: PathBytes("Mine"))))
            try undo(bench) { if case .createAlbum = $0 { true } else { false } }
            try bench.write("in/c.jpg", SampleMedia.picture(3))
            try bench.flush()
            #expect(try bench.albums(of: "in/c.jpg") == ["Mine"])
            #expect(try bench.albums(of: "in/b.jpg") == ["Mine"])
        }
    }
}

extension EngineBench {
    /// Undoes a change, as the daemon does it.
    func undo(_ token: Int64) throws {
        let lines = try catalogue().history(after: 0, limit: .max)
        guard let line = lines.first(where: { $0.token == token }) else { throw TookTooLong() }
        var basis = try UndoBasis(undoing: line)
        for line in lines { try basis.take(line) }
        try library?.onThread { [basis] library in
            _ = try library.undo(basis, origin: "test", isDryRun: false)
        }
    }
}
