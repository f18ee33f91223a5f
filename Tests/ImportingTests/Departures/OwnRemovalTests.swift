import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// What albumd removes itself is never taken for a person's deletion, whatever ends it in between (RULES R15, R35).
@Suite struct OwnRemovalTests {
    /// How the folder is configured when albumd is up again.
    enum Rule: CaseIterable {
        case same
        case copy
    }

    private func withBench(
        mode: FolderRule.Mode = .copy, onAssetDeleted: FolderRule.OnAssetDeleted = .keep, _ test: String = #function,
        _ body: (EngineBench) throws -> Void
    ) throws {
        let rules = { (bench: EngineBench) in
            try bench.addFolder("in", album: "Inbox") { rule in
                rule.onSourceDeleted = .trash
                (rule.mode, rule.onAssetDeleted) = (mode, onAssetDeleted)
            }
        }
        try BenchDisk.simulated.withBench(test, rules: rules, body)
    }

    private func isThere(_ name: String, _ bench: EngineBench) -> Bool {
        (try? bench.program.read(bench.path(name).bytes)) != nil
    }

    @Test(
        arguments: [Milestone.afterCatalogueCommit, .beforeSourceRemoval, .afterSourceRemoval], Rule.allCases)
    func aCrashAroundRemovalsTrashesNothing(milestone: Milestone, rule: Rule) throws {
        try withBench(mode: .move) { bench in
            for number in 0..<3 { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            bench.crashes.arm(.kill, at: milestone)
            #expect(throws: SimulatedCrash.self) { try bench.run(for: .seconds(10)) }
            if rule == .copy { bench.rules[0].mode = .copy }
            try bench.restart()
            try bench.run(for: .seconds(300))
            try expectAllLive(3, bench)
        }
    }

    /// A card may be taken out when the barrier has passed (RULES S2).
    @Test func nothingThatWasRemovedIsOpenWhenAFlushIsAnswered() throws {
        let closed = Atomic(0)
        let rules = { (bench: EngineBench) in
            bench.machine.runApart = { close in
                NamedThread.start("apart") {
                    // The engine gets further than this, where it does not wait.
                    for _ in 0..<1000 { sched_yield() }
                    closed.add(1, ordering: .relaxed)
                    close()
                }.detach()
            }
            try bench.addFolder("in", album: "Inbox") { $0.mode = .move }
        }
        try BenchDisk.simulated.withBench(#function, rules: rules) { bench in
            for number in 0..<20 { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            try bench.flush()
            #expect(closed.load(ordering: .relaxed) == 20)
        }
    }

    /// Files that were copied until now.
    @Test func aCrashAfterTheModeBecameMoveTrashesNothing() throws {
        try withBench { bench in
            for number in 0..<3 { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            try bench.flush()
            bench.rules[0].mode = .move
            bench.post(.setFolders(bench.rules))
            bench.crashes.arm(.kill, at: .afterSourceRemoval, count: 2)
            #expect(throws: SimulatedCrash.self) { try bench.scan() }
            bench.rules[0].mode = .copy
            try bench.restart()
            try bench.run(for: .seconds(300))
            try expectAllLive(3, bench)
        }
    }

    @Test func aRemovalThatCannotBeSyncedTrashesNothing() throws {
        try withBench(mode: .move) { bench in
            let files = bench.simulation.files
            bench.meddle(at: .beforeSourceRemoval) { _ in files.failNext(.syncOfDirectory, EIO) }
            try bench.write("in/0.jpg", SampleMedia.picture(0))
            try bench.run(atMost: .seconds(10)) { !isThere("in/0.jpg", bench) }
            bench.noteRemoval(of: bench.path("in/0.jpg"))
            try bench.run(for: .seconds(300))
            try expectAllLive(1, bench)
            #expect(try bench.source("in/0.jpg")?.isRemoved == true)
            #expect(try bench.flush().waiting == [:])
        }
    }

    @Test func aDeletedPhotoThatIsRestoredAfterACrashStays() throws {
        try withBench(onAssetDeleted: .remove) { bench in
            try bench.write("in/0.jpg", SampleMedia.picture(0))
            try bench.flush()
            let key = try #require(try bench.key("in/0.jpg"))
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.change { try $0.delete([asset], removingSourcesIn: [key.folder]) }
            bench.post(.assetsDeleted)
            bench.crashes.arm(.kill, at: .afterSourceRemoval)
            #expect(throws: SimulatedCrash.self) { try bench.run(for: .seconds(10)) }
            try bench.restart()
            try bench.change { try $0.restore([asset]) }
            try bench.run(for: .seconds(300))
            try expectAllLive(1, bench)
        }
    }

    /// What may not be read for a while keeps its release, as it keeps its mapping.
    @Test func aReleasedFileThatMayNotBeReadStaysReleased() throws {
        try withBench { bench in
            try bench.write("in/0.jpg", SampleMedia.picture(0))
            try bench.flush()
            var source = try #require(try bench.source("in/0.jpg"))
            source.isReleased = true
            try bench.perform(.recordSource(source))
            let file = bench.path("in/0.jpg").bytes
            try bench.simulation.files.breakNode(at: file, EACCES)
            try bench.touch("in/0.jpg", modified: 9)
            try bench.run(atMost: .seconds(60)) { try bench.source("in/0.jpg")?.outcome == .blocked }
            try bench.simulation.files.heal(at: file)
            try bench.remove("in/0.jpg")
            try bench.flush()
            try expectAllLive(1, bench)
        }
    }

    private func expectAllLive(_ count: Int, _ bench: EngineBench) throws {
        #expect(try trashedCount(bench) == 0)
        #expect(try bench.catalogue().assetCount() == count)
        #expect(bench.engine?.status.heldDeletions.isEmpty == true)
        for number in 0..<count { #expect(try state("in/\(number).jpg", bench) == .live) }
    }
}
