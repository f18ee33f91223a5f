import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What rots in the store is found before a restore needs it, and written again from the library.
@Suite struct MirrorCheckTests {
    @discardableResult
    private func mirror(_ bench: TierBench) throws -> Int64 {
        try bench.withCatalogue { catalogue in
            let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
            return try mirror.catchUp(from: try mirror.newestToken(catalogue.history), catalogue.history)
        }
    }

    private func withCheck<Value>(_ bench: TierBench, _ body: (MirrorCheck) throws -> Value) throws -> Value {
        try bench.withCatalogue { catalogue in
            let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
            return try body(MirrorCheck(mirror, catalogue.history, files: bench.simulated.files) { nil })
        }
    }

    private func check(_ bench: TierBench, upTo token: Int64) throws -> [MirrorFinding] {
        var found: [MirrorFinding] = []
        try withCheck(bench) { check in
            try check.all(upTo: token) { finding in
                found.append(finding)
                return true
            }
        }
        return found
    }

    private func restore(_ bench: TierBench, to path: String) throws -> RestoreReport {
        try bench.withSecondDisk(path) { vfs in
            try CloudRestore(from: bench.store, machine: bench.simulated.machine)
                .restore(to: Array(path.utf8), executor: .inline(), vfs: vfs)
        }
    }

    @Test func aHistoryThatIsWholeIsProvenAndNothingIsWritten() throws {
        try withTier { bench in
            for number in 1...40 { try bench.add("photo \(number)", UInt8(number)) }
            let token = try mirror(bench)
            let before = try bench.store.list("library/", after: nil, limit: 100)
            let found = try check(bench, upTo: token)
            #expect(found.count == before.count && found.allSatisfy { $0.outcome == .proven })
            #expect(try bench.store.list("library/", after: nil, limit: 100) == before)
        }
    }

    /// The same number of bytes, so that no list shows it.
    @Test func aSegmentThatRotAfterItWasProvenIsWrittenAgain() throws {
        try withTier { bench in
            for number in 1...60 { try bench.add("photo \(number)", UInt8(number)) }
            let token = try mirror(bench)
            let segments = try bench.store.list("library/changes/", after: nil, limit: 100).map(\.key)
            try #require(segments.count > 2)
            for key in segments { _ = try bench.store.corrupt(key) }
            _ = try bench.store.corrupt(try key("library/identity"))
            let found = try check(bench, upTo: token)
            #expect(found.filter { $0.outcome == .writtenAgain }.count == segments.count + 1)
            #expect(try check(bench, upTo: token).allSatisfy { $0.outcome == .proven })
            #expect(try restore(bench, to: "/again").assets == 60)
        }
    }

    /// Its history tells whose it is, at the start of the daemon, too.
    @Test func anIdentityThatRotMakesItNobodyElses() throws {
        try withTier { bench in
            for number in 1...20 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let identity = try key("library/identity")
            let text = try bench.store.text(identity)
            _ = try bench.store.corrupt(identity)
            try mirror(bench)
            #expect(try bench.store.text(identity) == text)
            // Another library's, with a history of its own.
            for segment in try bench.store.list("library/changes/", after: nil, limit: 100) {
                _ = try bench.store.lose(segment.key)
            }
            let other = TierBench.identifier(0xEE).uuid.uuidString
            _ = try bench.store.put(identity, body(other + "\n"))
            #expect(throws: MirrorError.otherLibrary(other)) { try mirror(bench) }
        }
    }

    /// Rot in the first object of a store that has no other: nobody's history or originals are there.
    @Test func anIdentityThatIsNoneAndAloneIsWrittenAgain() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            let identity = try key("library/identity")
            let text = try bench.store.text(identity)
            _ = try bench.store.put(identity, body("rot\n"))
            // Originals should be there: it is not this store, or its history is lost.
            try bench.withCatalogue { catalogue in
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                #expect(throws: MirrorError.self) { try mirror.newestToken(isExpected: true, catalogue.history) }
            }
            // Somebody's original.
            let foreign = try key("originals/another")
            _ = try bench.store.put(foreign, body("a photo of another library"))
            #expect(throws: MirrorError.otherLibrary("rot")) { try mirror(bench) }
            _ = try bench.store.lose(foreign)
            try mirror(bench)
            #expect(try bench.store.text(identity) == text)
        }
    }

    @Test func whatIsWantingIsWrittenAgainTheNewestToo() throws {
        try withTier { bench in
            for number in 1...60 { try bench.add("photo \(number)", UInt8(number)) }
            let token = try mirror(bench)
            let segments = try bench.store.list("library/changes/", after: nil, limit: 100).map(\.key)
            for key in [segments[1], try #require(segments.last)] { _ = try bench.store.lose(key) }
            let found = try check(bench, upTo: token)
            #expect(found.filter { $0.outcome == .writtenAgain }.count == 2)
            #expect(try restore(bench, to: "/again").assets == 60)
        }
    }

    @Test func whatCannotBeWrittenNowIsSaidAndWrittenLater() throws {
        try withTier { bench in
            for number in 1...20 { try bench.add("photo \(number)", UInt8(number)) }
            let token = try mirror(bench)
            let segment = try #require(try bench.store.list("library/changes/", after: nil, limit: 1).first?.key)
            _ = try bench.store.corrupt(segment)
            bench.store.faults.lieRate = 1
            let bad = try #require(try check(bench, upTo: token).first { !$0.isSound })
            #expect(bad.key == segment && bad.outcome == .different && bad.why != nil)
            bench.store.faults.lieRate = 0
            #expect(try withCheck(bench) { try $0.look(at: segment)?.outcome } == .writtenAgain)
        }
    }

    /// A later library's history is never written over, in the newest segment or before.
    @Test(arguments: [true, false]) func aLaterHistoryIsLeftAlone(hasSums: Bool) throws {
        try withTier("later \(hasSums)") { bench in
            for number in 1...20 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let last = try #require(try bench.store.list("library/changes/", after: nil, limit: 100).last?.key)
            let plain = withoutSums(try bench.store.text(last)).replacing("\"date\":\"2", with: "\"date\":\"3")
            let theirs = hasSums ? withSums(plain) : plain
            _ = try bench.store.put(last, body(theirs))
            #expect(throws: MirrorError.self) { try withCheck(bench) { try $0.look(at: last) } }
            #expect(try bench.store.text(last) == theirs)
        }
    }

    @Test func theBackgroundComesToEveryObjectInTurn() throws {
        try withTier { bench in
            for number in 1...40 { try bench.add("photo \(number)", UInt8(number)) }
            try mirror(bench)
            let keys = try bench.store.list("library/", after: nil, limit: 100).map(\.key)
            let seen = try withCheck(bench) { check in
                var (seen, last): ([ObjectKey], ObjectKey?) = ([], nil)
                while let next = try check.next(after: last) {
                    seen.append(next.key)
                    last = next.key
                }
                return seen
            }
            #expect(seen == keys)
        }
    }
}
