import Testing

/// Words that stand only where they may.
struct ForbiddenWordTests {
    @Test(arguments: forbiddenWords)
    func aWordStandsOnlyWhereItMay(word: ForbiddenWord) {
        let findings = SourceTree.swiftFiles.flatMap(word.findings)
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
    }

    /// The rule itself can fail: it catches its samples and lets pass what is none.
    @Test(arguments: forbiddenWords)
    func aRuleCatchesItsSamplesAndNothingElse(word: ForbiddenWord) {
        for sample in word.caught { #expect(!word.places(in: SwiftText(sample)).isEmpty, "not caught: \(sample)") }
        for sample in word.passed { #expect(word.places(in: SwiftText(sample)).isEmpty, "caught: \(sample)") }
    }

    /// An exception that nothing needs any more would hide the next mistake.
    ///
    /// The machine's live file is the place of every word of time and identity, used or not.
    @Test(arguments: forbiddenWords)
    func everyExceptionForOneFileIsNeeded(word: ForbiddenWord) {
        for path in word.exceptions.keys where path.hasSuffix(".swift") && !path.hasSuffix("Machine+Live.swift") {
            let file = SourceTree.swiftFiles.first { $0.path == path }
            let isNeeded = file.map { !word.places(in: $0.swift).isEmpty } ?? false
            #expect(isNeeded, "\(path) needs no exception for '\(word.word)'")
        }
    }

    @Test func aPlaceIsToldAsACompilerWould() {
        let forbidden = "try!"  // in a string: a sample of what the rule finds
        let word = ForbiddenWord(word: forbidden, caught: [])
        let file = ProjectFile(path: "Sources/A/B.swift", text: "let a = 1\nlet b = \(forbidden) f()\n")
        #expect(
            word.findings(in: file).map(\.description) == ["Sources/A/B.swift:2: '\(forbidden)' may not stand here"]
        )
        let elsewhere = ProjectFile(path: "Benchmarks/B.swift", text: file.text)
        #expect(word.findings(in: elsewhere).isEmpty)
    }
}
