import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// One change reversed by another (F: undo a batch).
@Suite struct UndoTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func aChangeAndItsUndoLeaveEverythingAsItWasAndTheUndoOfThatMakesItAgain(seed: UInt64) throws {
        try withSimulatedLibrary(seed: seed) { home in
            var bench = try UndoBench(home, seed: seed)
            for _ in 0..<30 {
                let before = try bench.visible()
                guard let token = try bench.randomChange() else { continue }
                let after = try bench.visible()
                let undone = try bench.undo(token)
                let difference = try bench.visible().difference(from: before)
                #expect(
                    difference.isEmpty, "seed \(seed), token \(token): \(undone.plan.requests) \(undone.plan.remarks)")
                guard let again = undone.token else { continue }
                _ = try bench.undo(again)
                #expect(try bench.visible() == after, "seed \(seed), undo of \(again)")
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func anyEarlierChangeCanBeUndoneAsFarAsNothingCameAfter(seed: UInt64) throws {
        try withSimulatedLibrary(seed: seed) { home in
            var bench = try UndoBench(home, seed: seed)
            var newest: Int64 = 1
            for step in 0..<60 {
                if let token = try bench.randomChange() { newest = token }
                guard step.isMultiple(of: 3) else { continue }
                let token = bench.number(in: 1...newest)
                let dry = try bench.undo(token, isDryRun: true)
                #expect(dry.token == nil)
                let undone = try bench.undo(token)
                newest = undone.token ?? newest
                let remarks = undone.plan.remarks
                #expect(Set(remarks).count == remarks.count, "\(remarks)")
            }
            home.close()
            let connection = try Connection(path: "/library/catalogue.sqlite", mode: .readWrite, vfs: home.disk.name)
            defer { connection.close() }
            #expect(try connection.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
        }
    }

    /// Its resource has another type since.
    @Test func theFirstKnownBytesOfAnAssetAreUndoneAsAnyEdit() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            let made = try Sample.content("zeroes", contentType: "application/octet-stream")
            let written = try Sample.content("a movie", contentType: "video/mp4")
            try bench.change([
                .createAsset(
                    AssetCreation(
                        localIdentifier: Sample.identifier(50), mediaType: .unknown,
                        creationDate: Date(microseconds: 1), creationDateSource: .modified, resourceType: .photo,
                        originalFilename: PathBytes("a.jpg"), content: made))
            ])
            let token = try #require(
                try bench.change([
                    .addVersion(
                        VersionAddition(
                            localIdentifier: Sample.identifier(50), resourceType: .video, content: written))
                ]))
            _ = try bench.undo(token)
            try bench.library.inside { library throws in
                let resources = try library.read { try $0.asset(Sample.identifier(50))?.resources }
                #expect(resources?.map(\.type) == [.video])
                #expect(resources?.first?.versions.map(\.content.hash) == [made.hash, written.hash, made.hash])
            }
        }
    }

    @Test func anImportThatIsUndoneGoesToRecentlyDeletedAndItsSourceStaysATombstone() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            let token = try #require(
                try bench.change([
                    Sample.asset(50, try Sample.content("new")), Sample.source("new.jpg", 50),
                    Sample.adding(50, to: 100, by: .folder),
                ]))
            let undone = try bench.undo(token)
            #expect(undone.plan.requests.map(\.name) == [.trashAssets])
            try bench.library.inside { library throws in
                let asset = try #require(try library.read { try $0.asset(Sample.identifier(50)) })
                #expect(asset.trashing?.reason == .undone)
                #expect(
                    try library.read { try $0.source(Sample.key("new.jpg"))?.localIdentifier } == Sample.identifier(50))
                #expect(try library.read { try $0.sourcesOfDeletedAssets(in: Sample.folder, limit: 9) } == [])
                let line = try library.read { try $0.history(after: token, limit: 1) }
                #expect(line.first?.origin == "undo \(token), test")
            }
        }
    }

    @Test func whatCannotBeUndoneIsSaidAndTheRestIsDone() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            try bench.change([
                .trashAssets(
                    AssetTrashing(assets: [Sample.identifier(1)], reason: .person, runningSeconds: 0))
            ])
            let token = try #require(
                try bench.change([
                    .purgeAsset(
                        AssetPurge(
                            localIdentifier: Sample.identifier(1), contents: [], originalFilenames: [], reason: .person)
                    ), Sample.registration(Sample.otherFolder, path: "/srv/card"), Sample.album(102, "Third"),
                ]))
            let undone = try bench.undo(token)
            #expect(undone.plan.requests.map(\.name) == [.deleteAlbum])
            #expect(undone.plan.remarks.count == 2)
        }
    }

    /// An edit is not undone to bytes that nobody has any more.
    @Test(arguments: [Condition.missing, .corrupt])
    func anEditStaysWhereTheBytesBeforeItAreDamaged(condition: Condition) throws {
        try withSimulatedLibrary("edit-\(condition)") { home in
            let bench = try UndoBench(home, seed: 1)
            let first = try Sample.content("first")
            try bench.change([Sample.asset(50, first)])
            let edit = VersionAddition(
                localIdentifier: Sample.identifier(50), resourceType: .photo, content: try Sample.content("edited"))
            let token = try #require(try bench.change([.addVersion(edit)]))
            try bench.change([.setCondition(ConditionChange(hash: first.hash, condition: condition))])
            let undone = try bench.undo(token)
            #expect(undone.token == nil)
            #expect(undone.plan.remarks.contains { $0.contains("keeps its edit") })
            try bench.change([.setCondition(ConditionChange(hash: first.hash, condition: .sound))])
            #expect(try bench.undo(token).plan.requests.map(\.name) == [.addVersion])
        }
    }

    /// It was purged because its file went: were its row there again, the file could come back and would not be imported.
    @Test func noRowOfAPhotoThatWasDeletedForGoodComesBack() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            try bench.change([
                Sample.asset(50, try Sample.content("new")), Sample.source("new.jpg", 50),
                .trashAssets(
                    AssetTrashing(
                        assets: [Sample.identifier(50)], reason: .sourceDeleted, folder: Sample.folder,
                        runningSeconds: 0)),
            ])
            let token = try #require(
                try bench.change([
                    .forgetSource(Sample.key("new.jpg")),
                    .purgeAsset(
                        AssetPurge(
                            localIdentifier: Sample.identifier(50), contents: [try Sample.content("new").hash],
                            originalFilenames: [], reason: .person)),
                ]))
            let undone = try bench.undo(token)
            #expect(undone.plan.requests == [])
            #expect(undone.plan.remarks == ["asset \(Sample.identifier(50)) was deleted for good"])
            try bench.library.inside { library throws in
                #expect(try library.read { try $0.source(Sample.key("new.jpg")) } == nil)
            }
        }
    }

    @Test func anAlbumIntoWhichSomethingElseWasPutStays() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            let token = try #require(
                try bench.change([Sample.album(102, "Third"), Sample.adding(1, to: 102, by: .person)]))
            try bench.change([Sample.adding(2, to: 102, by: .person)])
            let undone = try bench.undo(token)
            #expect(undone.plan.requests.map(\.name) == [.setMembership])
            #expect(undone.plan.remarks == ["album 'Third' stays: other photos are in it"])
        }
    }

    @Test func anOrderIsPutBackInTheMiddle() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            try bench.change([Sample.adding(1, 2, 3, 4, to: 101, by: .person)])
            let before = try bench.visible()
            let token = try #require(try bench.change([Sample.removing(2, 3, from: 101, by: .person)]))
            _ = try bench.undo(token)
            #expect(try bench.visible() == before)
        }
    }
}
