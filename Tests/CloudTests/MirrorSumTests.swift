import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Lines as an older albumd brought them.
func withoutSums(_ text: String) -> String {
    text.split(separator: "\n").map { line in
        line.ranges(of: #","sum":""#).last.map { line[..<$0.lowerBound] + "}\n" } ?? line + "\n"
    }.joined()
}

/// The same lines, written by this one.
func withSums(_ text: String) -> String {
    text.split(separator: "\n").map { LineSum.sealed(String($0)) + "\n" }.joined()
}

/// Lines in the store have sums like those of the journal; where an older albumd brought them they have none.
@Suite struct MirrorSumTests {
    private func withMirror(
        _ test: String = #function,
        _ body: (_ bench: TierBench, _ newest: Int64, _ segments: [ObjectKey]) throws -> Void
    ) throws {
        try withTier(test) { bench in
            for number in 1...40 { try bench.add("photo \(number)", UInt8(number)) }
            let newest = try mirrored(bench) { try $0.catchUp(from: try $0.newestToken($1), $1) }
            try body(bench, newest, try bench.store.list("library/changes/", after: nil, limit: 100).map(\.key))
        }
    }

    private func mirrored<Value>(
        _ bench: TierBench, _ body: (LibraryMirror, @escaping LibraryMirror.History) throws -> Value
    ) throws -> Value {
        try bench.withCatalogue { catalogue in
            let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
            return try body(mirror, catalogue.history)
        }
    }

    private func restore(_ bench: TierBench, isPartial: Bool = false) throws -> RestoreReport {
        try bench.withSecondDisk("/again") { vfs in
            try CloudRestore(from: bench.store, isPartial: isPartial, machine: bench.simulated.machine)
                .restore(to: Array("/again".utf8), executor: .inline(), vfs: vfs)
        }
    }

    @Test func whatIsBroughtHasSums() throws {
        try withMirror { bench, _, segments in
            for key in segments {
                let text = try bench.store.text(key)
                #expect(withSums(withoutSums(text)) == text && withoutSums(text) != text)
            }
        }
    }

    /// Which segments are of the older one: all, or every other.
    @Test(arguments: [1, 2]) func whatAnOlderAlbumdBroughtIsProvenAndNotWrittenAgain(step: Int) throws {
        try withMirror("older \(step)") { bench, newest, segments in
            for index in stride(from: 0, to: segments.count, by: step) {
                let older = withoutSums(try bench.store.text(segments[index]))
                _ = try bench.store.put(segments[index], body(older))
            }
            let before = try bench.store.list("library/", after: nil, limit: 100)
            try mirrored(bench) { mirror, history in
                #expect(try mirror.newestToken(history) == newest)
                try MirrorCheck(mirror, history, files: bench.simulated.files) { nil }.all(upTo: newest) { finding in
                    #expect(finding.outcome == .proven)
                    return true
                }
            }
            #expect(try bench.store.list("library/", after: nil, limit: 100) == before)
            #expect(try restore(bench).assets == 40)
        }
    }

    /// It leaves JSON that says something else.
    @Test func aRottenNameIsNoNameThatARestoreGivesBack() throws {
        try withMirror { bench, _, segments in
            let text = try bench.store.text(segments[1])
            let rotten = text.replacing(#""originalFilename":"20.jpg""#, with: #""originalFilename":"00.jpg""#)
            try #require(rotten != text)
            _ = try bench.store.put(segments[1], body(rotten))
            let refusal = #expect(throws: MirrorError.self) { try restore(bench) }
            #expect(refusal?.description.contains("lost 1 change ") == true)
            let report = try restore(bench, isPartial: true)
            #expect(report.assets == 39 && report.damagedObjects == [segments[1].text])
        }
    }

    /// A key of the library's own history was renamed by a flipped bit: the store has the change whole.
    @Test func aDamagedHistoryIsNotWrittenOverARightLine() throws {
        try withMirror { bench, newest, segments in
            let before = try segments.map { try bench.store.text($0) }
            try mirrored(bench) { mirror, history in
                let damaged: LibraryMirror.History = { after, limit in
                    try history(after, limit).map { line in
                        var line = line
                        guard [20, newest].contains(line.token) else { return line }
                        line.changes = line.changes.replacing("originalFilename", with: "originalFilenamf")
                        return line
                    }
                }
                _ = try mirror.newestToken(damaged)
                try MirrorCheck(mirror, damaged, files: bench.simulated.files) { nil }.all(upTo: newest) { _ in true }
            }
            #expect(try segments.map { try bench.store.text($0) } == before)
        }
    }
}
