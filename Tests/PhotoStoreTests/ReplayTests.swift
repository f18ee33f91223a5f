import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// Originals and journal rebuild the catalogue: the journal applied to an empty one gives the same rows.
@Suite struct ReplayTests {
    private struct Refusal: Error {}

    private func catchUp(_ home: SimulatedLibrary) throws -> JournalReader {
        let directory = try home.files.openDirectory(Array("/library/journal".utf8))
        let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
        defer { catalogue.close() }
        try Journal(machine: home.simulated.machine, directory: directory, catalogue: catalogue).catchUp()
        return JournalReader(files: home.files, directory: directory)
    }

    /// A catalogue made from the journal alone.
    private func rebuild(_ home: SimulatedLibrary, from reader: JournalReader) throws -> [String] {
        let catalogue = try Catalogue.openForWriting(at: "/rebuilt.sqlite", vfs: home.disk.name)
        defer { catalogue.close() }
        try catalogue.bringUpToDate { _ in }
        for line in try reader.all(after: 0) {
            try catalogue.replay(line)
        }
        return try home.dump(at: "/rebuilt.sqlite", except: ["decision", "clock"])
    }

    /// Everything that a library can hold, at different times, with what was undone and what changed nothing.
    private func fill(_ home: SimulatedLibrary, _ library: PhotoLibrary) throws {
        let simulated = home.simulated
        try library.inside { library throws in
            try library.perform(
                Sample.registration(), Sample.registration(Sample.otherFolder, path: "/srv/card"),
                Sample.album(100), Sample.album(101, "Inbox"))
            simulated.advance(by: .nanoseconds(1_234_567_891))
            try library.importAssets(["a", "b", "c"])
            try library.perform(
                Sample.source("a.jpg", 1), Sample.source("b.jpg", 2), Sample.source("x.txt", nil, outcome: .skipped),
                Sample.adding(1, 2, 3, to: 100, by: .folder), Sample.adding(3, to: 101, by: .person))
            simulated.advance(by: .seconds(40 * 86_400))
            try library.perform(
                Sample.removing(2, from: 100, by: .person),
                .bindFolderAlbum(
                    FolderAlbumBinding(
                        folder: Sample.folder, directory: PathBytes([0xFF]), title: PathBytes("Inbox"),
                        album: Sample.identifier(100))),
                .bindExternal(ExternalBinding(externalIdentifier: "E/1 \"x\"", localIdentifier: Sample.identifier(2))))
            try library.perform(Sample.adding(2, to: 100, by: .folder))
            #expect(throws: LibraryError.self) {
                try library.perform(Sample.album(110), Sample.adding(99, to: 110, by: .person))
            }
            simulated.advance(by: .milliseconds(1))
            let edit = try library.stage("a edited")
            _ = try library.publish([edit], origin: "import") { change in
                try change.perform(
                    .addVersion(
                        VersionAddition(
                            localIdentifier: Sample.identifier(1), resourceType: .photo, content: edit.content)))
                change.tell("was edited", of: Sample.key("a.jpg"))
            }
            try library.perform(try Sample.facts(of: 2, "b"), try Sample.facts(of: 3, "c", width: 3))
            try library.perform(
                .forgetSource(Sample.key("b.jpg")), Sample.source("moved/b.jpg", 2),
                .renameAlbum(AlbumRenaming(localIdentifier: Sample.identifier(101), title: PathBytes([0xE9]))),
                .setCondition(ConditionChange(hash: try Sample.content("c").hash, condition: .corrupt)),
                .bindExternal(ExternalBinding(externalIdentifier: "E/1 \"x\"", localIdentifier: Sample.identifier(3))))
            // Known bytes under an unsound original: published again, and sound.
            let again = try library.stage("c")
            _ = try library.publish([again], origin: "api uid 0") { try $0.perform(Sample.source("c.jpg", 3)) }
        }
    }

    @Test func theJournalRebuildsEveryTable() throws {
        try withSimulatedLibrary { home in
            try fill(home, try home.open())
            let original = try home.dump(except: ["decision", "clock"])
            #expect(try rebuild(home, from: try catchUp(home)) == original)
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func theJournalOfAnyChangesRebuildsEveryTable(seed: UInt64) throws {
        try withSimulatedLibrary(seed: seed) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.perform(Sample.registration(), Sample.album(100), Sample.album(101))
                try library.importAssets(["content 0", "content 1", "content 2"])
            }
            for step in 0..<60 {
                let simulated = home.simulated
                try library.inside { library throws in
                    var random = SeededRandom(seed: seed &* 1000 &+ UInt64(step))
                    simulated.advance(by: .microseconds(Int.random(in: 1...10_000_000_000, using: &random)))
                    try change(library, &random)
                }
            }
            let original = try home.dump(except: ["decision", "clock"])
            #expect(original.count > 25)
            #expect(try rebuild(home, from: try catchUp(home)) == original, "seed \(seed)")
        }
    }

    /// Some random requests as one change; what the library refuses is undone.
    private func change(_ library: isolated PhotoLibrary, _ random: inout SeededRandom) throws {
        var requests: [ChangeRequest] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            requests.append(try randomRequest(&random))
        }
        do {
            _ = try library.performChanges(origin: "test") { change in
                for request in requests {
                    try change.perform(request)
                }
            }
        } catch is LibraryError {}
    }

    private func randomRequest(_ random: inout SeededRandom) throws -> ChangeRequest {
        let asset = UInt8.random(in: 1...8, using: &random)
        let album = UInt8.random(in: 100...102, using: &random)
        let name = "\(Int.random(in: 0...9, using: &random)).jpg"
        let content = try Sample.content("content \(Int.random(in: 0...12, using: &random))")
        let by: AddedBy = Bool.random(using: &random) ? .folder : .person
        if Int.random(in: 0...9, using: &random) == 0 {
            return try Sample.facts(of: asset, "content \(Int.random(in: 0...12, using: &random))", width: Int(album))
        }
        switch Int.random(in: 0...13, using: &random) {
        case 0, 1: return Sample.asset(asset, content, name: name)
        case 2: return Sample.album(album, name)
        case 3:
            return .addVersion(
                VersionAddition(localIdentifier: Sample.identifier(asset), resourceType: .photo, content: content))
        case 4, 5: return Sample.adding(asset, UInt8.random(in: 1...8, using: &random), to: album, by: by)
        case 6: return Sample.removing(asset, from: album, by: by)
        case 7: return Sample.source(name, asset)
        case 8: return .forgetSource(Sample.key(name))
        case 9:
            return .bindExternal(
                ExternalBinding(externalIdentifier: name, localIdentifier: Sample.identifier(asset)))
        case 10:
            return .trashAssets(
                AssetTrashing(assets: [Sample.identifier(asset)], reason: .person, runningSeconds: Int64(asset)))
        case 11: return .restoreAssets(AssetRestoring(assets: [Sample.identifier(asset)]))
        case 12:
            return .purgeAsset(
                AssetPurge(
                    localIdentifier: Sample.identifier(asset), contents: [content.hash], originalFilenames: [],
                    reason: .person))
        default:
            let condition = Condition.allCases.randomElement(using: &random) ?? .sound
            return .setCondition(ConditionChange(hash: content.hash, condition: condition))
        }
    }

    @Test func aCatalogueThatWasPutBackIsBroughtUpToDateFromTheJournal() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["old"], first: 50) }
            home.close()
            let path = "/library/catalogue.sqlite"
            let backup = try Connection(path: path, mode: .readWrite, vfs: home.disk.name)
            try backup.backup(to: "/backup.sqlite")
            backup.close()
            try fill(home, try home.open())
            _ = try catchUp(home)
            home.close()
            let newest = try home.dump(except: ["decision", "clock"])
            // Putting it back: the backup's bytes over the catalogue's.
            let restored = try Connection(path: "/backup.sqlite", mode: .readWrite, vfs: home.disk.name)
            try restored.backup(to: path)
            restored.close()
            #expect(try home.dump(except: ["decision", "clock"]) != newest)
            _ = try home.open()
            home.close()
            #expect(try home.dump(except: ["decision", "clock"]) == newest)
        }
    }

    @Test func aJournalWithAGapIsRefusedAndSaid() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                for number in 1...3 as ClosedRange<UInt8> {
                    try library.perform(Sample.album(number))
                }
            }
            let reader = try catchUp(home)
            let lines = try reader.all(after: 0)
            let catalogue = try Catalogue.openForWriting(at: "/rebuilt.sqlite", vfs: home.disk.name)
            defer { catalogue.close() }
            try catalogue.bringUpToDate { _ in }
            try catalogue.replay(lines[0])
            #expect(throws: LibraryError.journalIncomplete(upTo: 3)) { try catalogue.replay(lines[2]) }
            #expect(try catalogue.lastToken() == 1)
        }
    }
}
