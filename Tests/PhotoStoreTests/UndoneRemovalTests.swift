import PhotoModel
import PhotoStore
import TestSupport
import Testing

/// Undo where albumd had removed the file: it is put back with its photo, or the photo stays.
@Suite struct UndoneRemovalTests {
    private let key = Sample.key("new.jpg")

    /// A change that makes asset 50 in an album of its own, and the one that removes its file.
    private func imported(_ bench: UndoBench) throws -> Int64 {
        try #require(
            try bench.change([
                Sample.asset(50, try Sample.content("new")), Sample.source("new.jpg", 50), Sample.album(102, "Third"),
                Sample.adding(50, to: 102, by: .folder),
            ]))
    }

    private func removed(_ bench: UndoBench) throws -> Int64 {
        guard case .recordSource(var source) = Sample.source("new.jpg", 50) else { throw UndoBench.NoSuchToken() }
        source.isRemoved = true
        return try #require(try bench.change([.recordSource(source)]))
    }

    private func deleted(_ bench: UndoBench) throws -> Int64 {
        try #require(
            try bench.change([
                .trashAssets(AssetTrashing(assets: [Sample.identifier(50)], reason: .person, runningSeconds: 0))
            ]))
    }

    @Test func thePhotoStaysWhereItsFileCouldNotBePutBack() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            let token = try imported(bench)
            _ = try removed(bench)
            let dry = try bench.undo(token, files: FilesBack(isAsked: true), isDryRun: true).plan
            #expect(dry.removedSources.map(\.key) == [key] && dry.removedSources.allSatisfy(dry.trashes))
            let undone = try bench.undo(token, files: FilesBack(isAsked: true, failed: [key]))
            #expect(undone.plan.requests == [] && undone.token == nil)
            #expect(
                undone.plan.remarks == [
                    "asset \(Sample.identifier(50)) stays in the library: its file could not be put back",
                    "album 'Third' stays: other photos are in it",
                ])
        }
    }

    @Test func theFileThatADeletionTookAlongComesBackWithIt() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            _ = try imported(bench)
            let token = try deleted(bench)
            _ = try removed(bench)
            let told = try bench.undo(token, isDryRun: true).plan
            #expect(told.remarks == ["'new.jpg' was removed: --put-back puts its bytes there again"])
            let undone = try bench.undo(token, files: FilesBack(isAsked: true)).plan
            #expect(undone.removedSources.map(\.key) == [key] && !undone.removedSources.contains(where: undone.trashes))
            #expect(undone.requests.map(\.name) == [.restoreAssets] && undone.remarks == [])
        }
    }

    /// Move mode had removed it long before.
    @Test func whatWasRemovedBeforeADeletionIsNoneOfIt() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            _ = try imported(bench)
            _ = try removed(bench)
            let undone = try bench.undo(try deleted(bench), files: FilesBack(isAsked: true)).plan
            #expect(undone.removedSources == [] && undone.remarks == [])
        }
    }

    @Test func aRemovalIsSaidToStayOnlyWhereItDoes() throws {
        try withSimulatedLibrary { home in
            let bench = try UndoBench(home, seed: 1)
            _ = try imported(bench)
            let token = try removed(bench)
            #expect(try bench.undo(token, isDryRun: true).plan.remarks.count == 1)
            let asked = try bench.undo(token, files: FilesBack(isAsked: true), isDryRun: true).plan
            #expect(asked.remarks == [] && asked.removedSources.map(\.key) == [key])
        }
    }
}
