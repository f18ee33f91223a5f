import EngineSupport
import FoundationEssentials
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What becomes of a source when a person deletes its asset: `on_asset_deleted`.
@Suite struct DeletedAssetTests {
    private func withBench(
        _ rule: FolderRule.OnAssetDeleted, _ disk: BenchDisk = .simulated, _ test: String = #function,
        _ body: (EngineBench) throws -> Void
    ) throws {
        try disk.withBench(test, rules: { try $0.addFolder("in", album: "Inbox") { $0.onAssetDeleted = rule } }) {
            bench in
            for number in 0..<2 { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            try bench.flush()
            try body(bench)
        }
    }

    /// As the daemon does it.
    @discardableResult
    private func delete(_ name: String, _ bench: EngineBench) throws -> LocalIdentifier {
        let asset = try #require(try bench.asset(of: name)?.localIdentifier)
        let folder = try #require(try bench.key(name)).folder
        let folders: Set<UUID> = bench.rules.first?.onAssetDeleted == .remove ? [folder] : []
        try bench.change { try $0.delete([asset], removingSourcesIn: folders) }
        bench.post(.assetsDeleted)
        return asset
    }

    private func set(_ rule: FolderRule.OnAssetDeleted, _ bench: EngineBench) throws {
        bench.rules[0].onAssetDeleted = rule
        bench.post(.setFolders(bench.rules))
        try bench.scan()
    }

    private func isThere(_ name: String, _ bench: EngineBench) -> Bool {
        (try? bench.program.read(bench.path(name).bytes)) != nil
    }

    @Test(arguments: BenchDisk.allCases) func itIsRemovedWhereTheRuleSaysSo(disk: BenchDisk) throws {
        try withBench(.remove, disk) { bench in
            let asset = try delete("in/0.jpg", bench)
            try bench.flush()
            #expect(!isThere("in/0.jpg", bench) && isThere("in/1.jpg", bench))
            #expect(try bench.source("in/0.jpg")?.isRemoved == true)
            #expect(try bench.catalogue().asset(asset)?.state == .trashed)
        }
    }

    @Test func anotherRuleIsForLaterDeletions() throws {
        try withBench(.keep) { bench in
            try delete("in/0.jpg", bench)
            try bench.flush()
            try set(.remove, bench)
            try bench.restart()
            try bench.run(for: .seconds(7200))
            #expect(isThere("in/0.jpg", bench))
            try delete("in/1.jpg", bench)
            try bench.flush()
            #expect(isThere("in/0.jpg", bench) && !isThere("in/1.jpg", bench))
        }
    }

    @Test func whatCouldNotBeRemovedStaysOnceTheRuleIsKeep() throws {
        try withBench(.remove) { bench in
            bench.simulation.files.failNext(.unlink, EPERM)
            try delete("in/0.jpg", bench)
            try bench.flush()
            try set(.keep, bench)
            try set(.remove, bench)
            try bench.run(for: .seconds(7200))
            #expect(isThere("in/0.jpg", bench))
        }
    }

    @Test func aRestoredAssetsFileIsRemovedForNothing() throws {
        try withBench(.remove) { bench in
            bench.simulation.files.failNext(.unlink, EPERM)
            let asset = try delete("in/0.jpg", bench)
            try bench.flush()
            try bench.change { try $0.restore([asset]) }
            #expect(try bench.source("in/0.jpg")?.reason == .sameContent)
            try bench.run(for: .seconds(7200))
            #expect(isThere("in/0.jpg", bench))
        }
    }

    /// RULES R15: it stays, somebody is told, and it goes when it can; a restart and a touch change nothing of that.
    @Test(arguments: ["wait", "retry", "restart", "touch"]) func aRemovalThatFailedIsTriedAgain(how: String) throws {
        try withBench(.remove) { bench in
            for _ in 0..<3 { bench.simulation.files.failNext(.unlink, EPERM) }
            try delete("in/0.jpg", bench)
            #expect(try bench.flush().waiting == [.permission: 1])
            switch how {
            case "retry": bench.post(.retry(nil) { _ in })
            case "restart": try bench.restart()
            case "touch": try bench.touch("in/0.jpg", modified: 9)
            default: break
            }
            try bench.run(for: .seconds(120))
            #expect(!isThere("in/0.jpg", bench))
            #expect(try bench.source("in/0.jpg")?.isRemoved == true)
            #expect(try bench.flush().waiting == [:])
        }
    }
}
