import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Testing

@Suite struct SourceMergeTests {
    /// A library that knows these paths of one folder, and a merge over them.
    private func merge(_ names: [String], _ body: (inout SourceMerge) throws -> Void) throws {
        let bench = try EngineBench()
        try bench.addFolder("in", album: "Inbox")
        try bench.start()
        try bench.run(for: .seconds(1))
        guard let folder = try bench.key("in/x")?.folder else { throw TookTooLong() }
        try bench.perform(
            names.map { name in
                .recordSource(
                    Source(key: SourceKey(folder: folder, path: PathBytes(name)), outcome: .skipped, reason: .notMedia))
            })
        var merge = SourceMerge(folder: folder, catalogue: try bench.catalogue())
        try body(&merge)
    }

    private func names(_ rows: [SourceGlance]) -> [String] {
        rows.map { String(decoding: $0.path.bytes, as: UTF8.self) }
    }

    @Test func rowsThatWerePassedAreAbsent() throws {
        try merge(["a", "b", "c", "d"]) { merge in
            let first = try merge.advance(to: PathBytes("b"))
            #expect(first.row?.path == PathBytes("b"))
            #expect(names(first.absent) == ["a"])
            let second = try merge.advance(to: PathBytes("bb"))
            #expect(second.row == nil)
            #expect(second.absent.isEmpty)
            let rest = try merge.rest()
            #expect(names(rest) == ["c", "d"])
        }
    }

    @Test func aPathBeforeEveryRowPassesNone() throws {
        try merge(["b"]) { merge in
            let found = try merge.advance(to: PathBytes("a"))
            #expect(found.row == nil && found.absent.isEmpty)
            let rest = try merge.rest()
            #expect(names(rest) == ["b"])
        }
    }

    @Test func aFolderWithoutRowsHasNothingToPass() throws {
        try merge([]) { merge in
            let found = try merge.advance(to: PathBytes("a"))
            let rest = try merge.rest()
            #expect(found.row == nil && rest.isEmpty)
        }
    }

    @Test func moreRowsThanOnePageAreAllMet() throws {
        let many = (0..<4500).map { "f\(10_000 + $0)" }
        try merge(many) { merge in
            let first = try merge.advance(to: PathBytes("f12000"))
            let second = try merge.advance(to: PathBytes("f12001"))
            let rest = try merge.rest()
            #expect(first.absent.count == 2000 && second.row != nil && rest.count == 2498)
        }
    }
}
