import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A change that the library lost, or the store: a line that stands for it is written over no whole one, and is none.
@Suite struct LostChangeTests {
    private static let lost: Int64 = 5

    private func withMirror(
        _ test: String = #function,
        _ body: (_ bench: TierBench, _ newest: Int64, _ segment: ObjectKey) throws -> Void
    ) throws {
        try withTier(test) { bench in
            for number in 1...20 { try bench.add("photo \(number)", UInt8(number)) }
            let newest = try mirrored(bench, isLost: false) { try $0.catchUp(from: try $0.newestToken($1), $1) }
            let first = try #require(try bench.store.list("library/changes/", after: nil, limit: 100).first)
            try body(bench, newest, first.key)
        }
    }

    /// With the history as a rebuild with `--partial` leaves it, where it is lost.
    private func mirrored<Value>(
        _ bench: TierBench, isLost: Bool = true,
        _ body: (LibraryMirror, @escaping LibraryMirror.History) throws -> Value
    ) throws -> Value {
        try bench.withCatalogue { catalogue in
            let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
            return try body(mirror) { after, limit in
                try catalogue.history(after: after, limit: limit).map {
                    isLost && $0.token == Self.lost ? HistoryLine.lost($0.token, at: Self.otherDate($0)) : $0
                }
            }
        }
    }

    /// As that of the change behind it, which stands in for its own.
    private static func otherDate(_ line: HistoryLine) -> Date { line.date.addingTimeInterval(7) }

    private func check(_ bench: TierBench, upTo newest: Int64, isLost: Bool) throws -> [MirrorFinding] {
        try mirrored(bench, isLost: isLost) { mirror, history in
            if isLost { #expect(try mirror.newestToken(history) == newest) }
            var findings: [MirrorFinding] = []
            try MirrorCheck(mirror, history, files: bench.simulated.files) { nil }.all(upTo: newest) { finding in
                findings.append(finding)
                return true
            }
            return findings
        }
    }

    /// Also where the rest of its segment is cut short.
    @Test(arguments: [true, false]) func itIsNotWrittenOverAWholeLineOfTheStore(isCut: Bool) throws {
        try withMirror("cut \(isCut)") { bench, newest, segment in
            if isCut {
                let lines = try bench.store.text(segment).split(separator: "\n")
                _ = try bench.store.put(segment, body(lines.prefix(6).map { $0 + "\n" }.joined()))
            }
            let before = try bench.store.text(segment)
            _ = try check(bench, upTo: newest, isLost: true)
            #expect(try bench.store.text(segment) == before)
            let found = try mirrored(bench) { mirror, _ in try mirror.changes([Self.lost]) }
            #expect(found.map(\.line.token) == [Self.lost])
        }
    }

    /// The library has it again: the store is no other library's, and gets it.
    @Test func inTheStoreItIsNoOtherHistoryAndIsWrittenAgain() throws {
        try withMirror { bench, newest, segment in
            let before = try bench.store.text(segment)
            var lines = before.split(separator: "\n").map(String.init)
            let line = try mirrored(bench, isLost: false) { try #require(try $1(Self.lost - 1, 1).first) }
            lines[Int(Self.lost) - 1] = HistoryLine.lost(Self.lost, at: Self.otherDate(line)).journalText
            _ = try bench.store.put(segment, body(lines.map { $0 + "\n" }.joined()))
            #expect(try mirrored(bench) { mirror, _ in try mirror.changes([Self.lost]) } == [])
            let findings = try check(bench, upTo: newest, isLost: false)
            #expect(findings.first { $0.key == segment }?.outcome == .writtenAgain)
            #expect(try bench.store.text(segment) == before)
        }
    }

    /// A rebuild asks a store of which nothing is known yet.
    @Test func nothingIsTakenFromAnotherHistory() throws {
        try withMirror { bench, _, _ in
            let ours = try mirrored(bench) { try $0.changes([Self.lost], agreeingWith: $1) }
            #expect(ours.map(\.line.token) == [Self.lost])
            #expect(throws: MirrorError.self) {
                try mirrored(bench) { mirror, history in
                    try mirror.changes(
                        [Self.lost],
                        agreeingWith: { after, limit in
                            try history(after, limit).map { line in
                                var line = line
                                if line.token != Self.lost { line.date = Self.otherDate(line) }
                                return line
                            }
                        })
                }
            }
        }
    }
}
