import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Counts that are remembered are those of the catalogue as it is now.
@Suite struct CountMemoTests {
    private struct Counts: Equatable {
        var assets: Int
        var purged: Int
        var contents: [Int64]
        var sources: [String]
        var residencies: [Residency: Int]
        var lost: Int
        var unsafeAssets: Int

        init(_ catalogue: Catalogue) throws {
            (assets, purged) = (try catalogue.assetCount(), try catalogue.purgedCount())
            let all = try catalogue.contentCounts()
            contents = [Int64(all.all), Int64(all.unsound), all.byteCount]
            sources = try catalogue.sourceCounts().map { "\($0.outcome) \($0.reason) \($0.count)" }
            residencies = try catalogue.residencyCounts().mapValues(\.count)
            (lost, unsafeAssets) = (try catalogue.lostCount(), try catalogue.unsafeAssetCount())
        }
    }

    @Test func everyChangeIsCounted() throws {
        try withScratchFolder(#function) { scratch in
            let home = RealLibrary(in: scratch)
            let library = try home.open()
            let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
            let hash = try Sample.content("a").hash
            let now = home.machine.now()
            let copy = CloudCopy(key: "k", versionID: nil, uploadedDate: now, verifiedDate: now)
            let steps: [@Sendable (isolated PhotoLibrary) throws -> Void] = [
                { try $0.perform(Sample.registration(), Sample.album(100)) },
                { try $0.importAssets(["a", "b", "c"]) },
                { try $0.perform(Sample.source("1.jpg", 1), Sample.source("2.jpg", nil, outcome: .blocked)) },
                { try $0.perform(.setResidency(ResidencyChange(hash: hash, residency: .both, copy: copy))) },
                { try $0.perform(.setResidency(ResidencyChange(hash: hash, residency: .inCloud, copy: copy))) },
                { try $0.perform(.setCondition(ConditionChange(hash: hash, condition: .missing))) },
                { library in
                    _ = try library.performChanges(origin: "test") {
                        try $0.trash([Sample.identifier(2)], reason: .person)
                    }
                },
                { _ = try $0.purge([Sample.identifier(2)], origin: "test", reason: .person) },
            ]
            var seen = [try Counts(reader)]
            for step in steps {
                try library.inside(step)
                let fresh = try Catalogue.openForReading(at: library.directory.cataloguePath)
                let counts = try Counts(reader)
                #expect(try counts == Counts(fresh) && counts == Counts(reader))
                fresh.close()
                seen.append(counts)
            }
            #expect(seen.last != seen.first && seen.last?.purged == 1 && seen.last?.lost == 1)
            reader.close()
            library.onThread { $0.close() }
        }
    }
}
