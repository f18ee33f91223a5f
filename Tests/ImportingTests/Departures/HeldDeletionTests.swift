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
            #expect(answer == .failure(.noSuchToken))
            let rest = try #require(bench.engine?.status.heldDeletions.first)
            #expect(rest.evidence.count == 22)
            #expect(try confirm(rest.token, bench) == .success(22))
            #expect(try state("in/0.jpg", bench) == .live)
        }
    }

    @Test func anOldTokenIsNotTaken() throws {
        try withMirror(pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            let held = try #require(bench.engine?.status.heldDeletions.first)
            try bench.run(for: .seconds(25 * 3600))
            guard case .failure(.tokenExpired(let token)) = try confirm(held.token, bench) else {
                Issue.record("the token should be too old")
                return
            }
            #expect(try trashedCount(bench) == 0)
            #expect(try confirm(token, bench) == .success(25))
        }
    }
}
