import EngineSupport
import FoundationEssentials
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// So many deletions at once that a person must confirm them (RULES R34, I15).
@Suite struct HeldDeletionTests {
    @Test(arguments: BenchDisk.allCases) func manyAtOnceWaitForAPerson(disk: BenchDisk) throws {
        try withMirror(disk, pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            #expect(try trashedCount(bench) == 0)
            let held = try #require(bench.engine?.status.heldDeletions.first)
            #expect(held.evidence.count == 25)
            #expect(try confirm("wrong", bench) == .failure(.noSuchToken))
            #expect(try confirm(held.token, bench) == .success(25))
            #expect(try trashedCount(bench) == 25)
            #expect(bench.engine?.status.heldDeletions == [])
        }
    }

    /// A person said which directory it is, and nothing of what should be in it.
    @Test func whatIsMissingInAConfirmedFolderWaitsHoweverLittleItIs() throws {
        try withMirror(pictures: 3) { bench in
            try bench.program.rename(bench.path("in").bytes, to: bench.path("away").bytes)
            try bench.program.makeDirectory(bench.path("in").bytes)
            try bench.scan()
            bench.post(.confirm(bench.path("in")) { _ in })
            try bench.run(for: .seconds(300))
            #expect(try trashedCount(bench) == 0)
            let held = try #require(bench.engine?.status.heldDeletions.first)
            #expect(try confirm(held.token, bench) == .success(3))
            // From then on few are few.
            try bench.write("in/new.jpg", SampleMedia.picture(9))
            try bench.flush()
            try bench.remove("in/new.jpg")
            try bench.flush()
            #expect(try trashedCount(bench) == 4)
        }
    }

    /// A deletion by a person is none that waits any more, at once.
    @Test func theListIsWhatItSaysWhenAPersonDeletesOneOfIt() throws {
        try withMirror(pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.change { try $0.delete([asset], removingSourcesIn: []) }
            bench.post(.assetsDeleted)
            try bench.run(for: .milliseconds(10))
            let held = try #require(bench.engine?.status.heldDeletions.first)
            #expect(held.evidence.count == 24)
            #expect(try confirm(held.token, bench) == .success(24))
        }
    }

    /// RULES I15: many small deletions within an hour are a mass deletion, too.
    @Test func fewAtATimeAreCountedTogether() throws {
        try withMirror(pictures: 30) { bench in
            for number in 0..<15 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            #expect(try trashedCount(bench) == 15)
            for number in 15..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            #expect(try trashedCount(bench) == 15)
            #expect(bench.engine?.status.heldDeletions.first?.evidence.count == 10)
        }
    }

    @Test func whatComesBackLeavesTheListAndChangesTheToken() throws {
        try withMirror(pictures: 30) { bench in
            try bench.makeDirectory("away")
            for number in 0..<25 { try bench.rename("in/\(number).jpg", to: "away/\(number).jpg") }
            try bench.flush()
            let held = try #require(bench.engine?.status.heldDeletions.first)
            for number in 0..<3 { try bench.rename("away/\(number).jpg", to: "in/\(number).jpg") }
            try bench.flush()
            let answer = try confirm(held.token, bench)
            let rest = try #require(bench.engine?.status.heldDeletions.first)
            #expect(answer == .failure(.listChanged(rest.token)))
            #expect(rest.evidence.count == 22)
            #expect(try confirm(rest.token, bench) == .success(22))
            #expect(try state("in/0.jpg", bench) == .live)
        }
    }

    @Test func aTokenThatWasWrittenDownStaysGood() throws {
        try withMirror(pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            let held = try #require(bench.engine?.status.heldDeletions.first)
            try bench.run(for: .seconds(25 * 3600))
            #expect(try confirm(held.token, bench) == .success(25))
        }
    }

    /// What was held is found again by two looks; until then its token is known for what it is, and deletes nothing.
    @Test(arguments: BenchDisk.allCases) func theSameListHasTheSameTokenAfterARestart(disk: BenchDisk) throws {
        try withMirror(disk, pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            let held = try #require(bench.engine?.status.heldDeletions.first)
            bench.end()
            try bench.start()
            try bench.flush()
            #expect(try confirm(held.token, bench) == .failure(.notLookedThrough(bench.path("in"))))
            try lookAgain(bench)
            #expect(bench.engine?.status.heldDeletions.first?.token == held.token)
            #expect(try trashedCount(bench) == 0)
            #expect(try confirm(held.token, bench) == .success(25))
        }
    }

    @Test(arguments: BenchDisk.allCases) func anotherListAfterARestartIsNotConfirmedByItsToken(disk: BenchDisk) throws {
        try withMirror(disk, pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            let held = try #require(bench.engine?.status.heldDeletions.first)
            bench.end()
            try bench.program.unlink(bench.path("in/25.jpg").bytes)
            try bench.start()
            try bench.flush()
            try lookAgain(bench)
            let longer = try #require(bench.engine?.status.heldDeletions.first)
            #expect(longer.evidence.count == 26 && longer.token != held.token)
            #expect(try confirm(held.token, bench) == .failure(.listChanged(longer.token)))
            #expect(try trashedCount(bench) == 0)
        }
    }

    /// A camera that counts from the beginning again gives other photos the same names.
    @Test func otherPhotosOfTheSameNamesAreAnotherList() {
        let key = SourceKey(folder: fixedUUID(1), path: PathBytes("a.jpg"))
        let tokens = (2...3).map { number in
            HeldDeletion(
                folder: key.folder, evidence: [key: .unlinkSeen],
                assets: [key: LocalIdentifier(fixedUUID(UInt8(number)))], since: Date(timeIntervalSince1970: 0)
            ).token
        }
        #expect(tokens[0] != tokens[1])
        #expect(tokens.allSatisfy { HeldDeletion.isToken($0, of: key.folder) })
    }

    @Test func aFolderInWhichNothingIsMissingIsKnownAfterOneLook() throws {
        try withMirror { bench in
            #expect(bench.engine?.status.folders.allSatisfy { !$0.owesDeletionLook } == true)
            bench.end()
            try bench.program.unlink(bench.path("in/0.jpg").bytes)
            try bench.start()
            try bench.flush()
            #expect(owing(bench) == ["in"])
            try lookAgain(bench)
            #expect(owing(bench) == [])
            #expect(try trashedCount(bench) == 1)
        }
    }

    /// What a scan missed once and its name has since been given to nothing: it is not looked for for ever.
    @Test func whatIsNoSourceAnyMoreIsNotMissed() throws {
        try withMirror { bench in
            bench.end()
            try bench.program.rename(bench.path("in/0.jpg").bytes, to: bench.path("in/other.jpg").bytes)
            try bench.start()
            try bench.flush()
            try lookAgain(bench)
            #expect(owing(bench) == [] && bench.engine?.status.folders.allSatisfy { $0.missedCount == 0 } == true)
            #expect(try trashedCount(bench) == 0)
        }
    }

    /// What was held before a start counts with what goes after it, before it is known again.
    @Test(arguments: BenchDisk.allCases) func whatGoesBeforeTheSecondLookIsJudgedWithWhatWentBefore(
        disk: BenchDisk
    ) throws {
        try withMirror(disk, pictures: 40) { bench in
            for number in 0..<15 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            for number in 15..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            bench.end()
            try bench.start()
            try bench.flush()
            try bench.remove("in/30.jpg")
            try bench.flush()
            try bench.run(for: .seconds(20))
            #expect(try trashedCount(bench) == 15)
            try lookAgain(bench)
            #expect(try trashedCount(bench) == 15)
            #expect(bench.engine?.status.heldDeletions.first?.evidence.count == 11)
        }
    }

    @Test func whatGoesWhileFewAreMissingIsNotHeldUp() throws {
        try withMirror(pictures: 10) { bench in
            bench.end()
            try bench.program.unlink(bench.path("in/0.jpg").bytes)
            try bench.start()
            try bench.flush()
            try bench.remove("in/1.jpg")
            try bench.flush()
            #expect(try trashedCount(bench) == 1)
        }
    }

    /// A list that nobody has to confirm any more is none.
    @Test(arguments: ["moved", "deleted", "released"]) func whatHasItsAnswerLeavesTheList(how: String) throws {
        try withMirror(pictures: 30) { bench in
            try bench.makeDirectory("away")
            for number in 0..<25 { try bench.rename("in/\(number).jpg", to: "away/\(number).jpg") }
            try bench.flush()
            let keys = try #require(bench.engine?.status.heldDeletions.first).evidence.keys.sorted()
            #expect(keys.count == 25)
            switch how {
            case "moved": for number in 0..<25 { try bench.rename("away/\(number).jpg", to: "in/new \(number).jpg") }
            case "deleted":
                let assets = try keys.compactMap { try bench.catalogue().source($0)?.localIdentifier }
                try bench.change { try $0.delete(assets, removingSourcesIn: []) }
            default:
                for var source in try keys.compactMap({ try bench.catalogue().source($0) }) {
                    source.isReleased = true
                    try bench.perform(.recordSource(source))
                }
            }
            try bench.flush()
            try bench.run(for: .seconds(40))
            #expect(bench.engine?.status.heldDeletions == [])
            #expect(try trashedCount(bench) == (how == "deleted" ? 25 : 0))
        }
    }

    private func lookAgain(_ bench: EngineBench) throws {
        try bench.run(for: .seconds(70))
        try bench.flush()
    }

    private func owing(_ bench: EngineBench) -> [String] {
        let folders = bench.engine?.status.folders.filter(\.owesDeletionLook) ?? []
        return folders.map { String(decoding: PathBytes($0.rule.path).name.bytes, as: UTF8.self) }
    }
}
