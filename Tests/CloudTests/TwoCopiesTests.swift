import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Two copies of one library on one store: each stops as soon as it meets the other.
@Suite struct TwoCopiesTests {
    /// A library whose history is in the store up to its last change, and a copy of it that went its own way since.
    private func withCopies(
        _ name: String, _ body: (_ first: TierBench, _ second: TierBench, _ newest: Int64) throws -> Void
    ) throws {
        try withTier(name) { first in
            try withTier("\(name)-copy") { second in
                for bench in [first, second] {
                    for number in 1...20 { try bench.add("photo \(number)", UInt8(number)) }
                }
                let newest = try mirrored(first, in: first.store) { mirror, history in
                    try mirror.catchUp(from: try mirror.newestToken(history), history)
                }
                second.simulated.advance(by: .seconds(5))
                for number in 21...24 { try second.add("their photo \(number)", UInt8(number)) }
                for number in 21...24 { try first.add("photo \(number)", UInt8(number)) }
                try body(first, second, newest)
            }
        }
    }

    private func mirrored<Value>(
        _ bench: TierBench, in store: SimulatedStore,
        _ body: (LibraryMirror, @escaping LibraryMirror.History) throws -> Value
    ) throws -> Value {
        try bench.withCatalogue { catalogue in
            try body(LibraryMirror(store: store, library: store.owner), catalogue.history)
        }
    }

    private func check(_ bench: TierBench, upTo token: Int64) throws -> [MirrorFinding] {
        try mirrored(bench, in: bench.store) { mirror, history in
            var found: [MirrorFinding] = []
            try MirrorCheck(mirror, history, files: bench.simulated.files) { nil }.all(upTo: token) { finding in
                found.append(finding)
                return true
            }
            return found
        }
    }

    /// The second one's changes, as a segment with these tokens.
    private func text(_ second: TierBench, _ tokens: ClosedRange<Int64>) throws -> String {
        try second.withCatalogue { catalogue in
            try catalogue.history(after: tokens.lowerBound - 1, limit: tokens.count).map { $0.json + "\n" }.joined()
        }
    }

    @Test func theOneThatWritesSecondWritesNothing() throws {
        try withCopies("writes") { first, second, newest in
            _ = try mirrored(first, in: first.store) { try $0.catchUp(from: newest, $1) }
            let before = try first.store.list("library/", after: nil, limit: 100)
            #expect(throws: MirrorError.self) {
                try mirrored(second, in: first.store) { try $0.catchUp(from: newest, $1) }
            }
            #expect(try first.store.list("library/", after: nil, limit: 100) == before)
        }
    }

    /// Under another name than its own, and with changes of its own after it.
    @Test func aSegmentThatOverlapsWithOtherChangesIsFound() throws {
        try withCopies("overlaps") { first, second, newest in
            _ = try mirrored(first, in: first.store) { try $0.catchUp(from: newest, $1) }
            let tokens = newest + 1...newest + 2
            let foreign = try key("library/changes/\(digits(tokens.lowerBound))-\(digits(tokens.upperBound))")
            let theirs = try text(second, tokens)
            _ = try first.store.put(foreign, body(theirs))
            #expect(throws: MirrorError.ahead(token: tokens.upperBound)) { try check(first, upTo: newest + 4) }
            #expect(throws: MirrorError.ahead(token: tokens.upperBound)) {
                try mirrored(first, in: first.store) { try $0.newestToken($1) }
            }
            #expect(try first.store.text(foreign) == theirs)
        }
    }

    /// The second one's, written over a segment of the first, which has newer ones.
    @Test func aSegmentOfTheSameTokensWithOtherChangesIsFound() throws {
        try withCopies("same") { first, second, newest in
            let ours = newest + 1...newest + 2
            for tokens in [ours, newest + 3...newest + 4] {
                _ = try first.store.put(
                    try key("library/changes/\(digits(tokens.lowerBound))-\(digits(tokens.upperBound))"),
                    body(try text(tokens == ours ? second : first, tokens)))
            }
            #expect(throws: MirrorError.ahead(token: ours.upperBound)) { try check(first, upTo: newest + 4) }
            #expect(throws: MirrorError.ahead(token: ours.upperBound)) {
                try mirrored(first, in: first.store) { try $0.newestToken(suspect: ours.upperBound, $1) }
            }
        }
    }

    @Test func aSegmentBeyondTheHistoryIsNotProven() throws {
        try withCopies("beyond") { first, second, newest in
            for number in 25...30 { try second.add("their photo \(number)", UInt8(number)) }
            _ = try mirrored(first, in: first.store) { try $0.catchUp(from: newest, $1) }
            let tokens = newest + 5...newest + 10
            _ = try first.store.put(
                try key("library/changes/\(digits(tokens.lowerBound))-\(digits(tokens.upperBound))"),
                body(try text(second, tokens)))
            #expect(throws: MirrorError.ahead(token: tokens.upperBound)) { try check(first, upTo: newest + 4) }
        }
    }

    private func digits(_ token: Int64) -> String {
        let text = String(token)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

extension SimulatedStore {
    /// Whose it says that it is.
    fileprivate var owner: UUID {
        let text = try? text(key("library/identity"))
        return text.flatMap { UUID(uuidString: String($0.prefix(36))) } ?? TierBench.identifier(0).uuid
    }
}
