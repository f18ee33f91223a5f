import Testing

/// Every mutant fits the sources: one that no longer does would be no test of the tests.
struct MutantTests {
    @Test func everyMutantFitsTheSources() throws {
        let mutants = SourceTree.files(below: "Tests/Mutants").filter { $0.path.hasSuffix(".patch") }
        #expect(mutants.count > 10)
        for mutant in mutants {
            let hunks = hunks(of: mutant.text)
            #expect(!hunks.isEmpty, "\(mutant.path)")
            for hunk in hunks {
                let fits = try SourceTree.file(hunk.path).text.contains(hunk.old)
                #expect(fits, "\(mutant.path) does not fit \(hunk.path)")
            }
        }
    }

    @Test func aPatchIsReadForWhatItTakesAway() {
        let patch = "--- a/x.swift\n+++ b/x.swift\n@@ -1,3 +1,2 @@\n one\n-two\n+TWO\n@@ -9 +8 @@\n-nine\n"
        #expect(hunks(of: patch) == [Hunk(path: "x.swift", old: "one\ntwo\n"), Hunk(path: "x.swift", old: "nine\n")])
    }
}

/// One place that a patch changes: the lines as they have to stand there.
private struct Hunk: Equatable {
    var path: String
    var old = ""
}

private func hunks(of patch: String) -> [Hunk] {
    var hunks: [Hunk] = []
    var path = ""
    for line in patch.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("--- a/") {
            path = String(line.dropFirst(6))
        } else if line.hasPrefix("@@") {
            hunks.append(Hunk(path: path))
        } else if !hunks.isEmpty, line.hasPrefix(" ") || line.hasPrefix("-"), !line.hasPrefix("--- ") {
            hunks[hunks.count - 1].old += line.dropFirst() + "\n"
        }
    }
    return hunks
}
