import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

/// The power goes at each named point on the way of a batch into the library (RULES I1, I2, I10, I11, I21).
@Suite struct CrashPointTests {
    private struct PowerCut: Error {}

    private static let points: [Milestone] = [
        .renamedIntoOriginals, .originalsDurable, .beforeCatalogueCommit, .afterCatalogueCommit,
    ]

    private static var cases: [(Milestone, UInt64)] {
        points.flatMap { point in (1...6 as ClosedRange<UInt64>).map { (point, $0) } }
    }

    @Test(arguments: cases)
    func whatWasAcknowledgedIsThereAndTheRestIsWholeOrAbsent(point: Milestone, seed: UInt64) throws {
        try withSimulatedLibrary(point.rawValue, seed: seed) { home in
            let acknowledged = (1...3).map { "acknowledged \($0)" }
            // Few are synced one by one, many at once.
            let interrupted = (1...(seed.isMultiple(of: 2) ? 3 : 12)).map { "interrupted \($0)" }
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(acknowledged) }
            cutPower(of: home, at: point, seed: seed)
            #expect(throws: PowerCut.self) {
                try library.inside { library throws in _ = try library.importAssets(interrupted, first: 100) }
            }
            home.simulated.onReach(nil)
            home.close()
            home.files.restart()
            try check(
                home, acknowledged: acknowledged, interrupted: interrupted, isCommitted: point == .afterCatalogueCommit)
        }
    }

    private func cutPower(of home: SimulatedLibrary, at point: Milestone, seed: UInt64) {
        let (files, disk) = (home.files, home.disk)
        home.simulated.onReach { milestone in
            guard milestone == point else { return }
            files.cutPower(.seeded)
            disk.cutPower(seed: seed)
            throw PowerCut()
        }
    }

    private func check(
        _ home: SimulatedLibrary, acknowledged: [String], interrupted: [String], isCommitted: Bool
    ) throws {
        let library = try home.open()
        let expected = acknowledged + (isCommitted ? interrupted : [])
        try library.inside { library throws in
            #expect(try library.read { try $0.assetCount() } == expected.count)
            for text in expected {
                #expect(try library.condition(of: text) == .sound)
                #expect(try library.directory.originals.isSound(try Sample.content(text)), "\(text)")
            }
            // What is left over can be brought in again, torn or not.
            _ = try library.importAssets(isCommitted ? ["later"] : interrupted, first: 100 + UInt8(interrupted.count))
            for text in interrupted {
                #expect(try library.directory.originals.isSound(try Sample.content(text)), "\(text)")
            }
            #expect(try library.recover().orphans == [])
        }
        #expect(try home.names("staging") == [])
        home.close()
        let connection = try Connection(path: "/library/catalogue.sqlite", mode: .readWrite, vfs: home.disk.name)
        defer { connection.close() }
        #expect(try connection.integrityCheck() == [])
        #expect(try connection.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aFreshLibraryWhosePowerGoesIsTakenOnOrMadeAnew(seed: UInt64) throws {
        try withSimulatedLibrary(seed: seed) { home in
            home.simulated.onReach { if $0 == .recoverySwept { throw PowerCut() } }
            #expect(throws: PowerCut.self) { try home.open() }
            home.files.cutPower(.seeded)
            home.disk.cutPower(seed: seed)
            home.simulated.onReach(nil)
            home.files.restart()
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            home.cutPower()
            #expect(try home.open().onThread { try $0.condition(of: "a") } == .sound)
        }
    }
}
