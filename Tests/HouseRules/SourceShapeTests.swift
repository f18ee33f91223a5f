import Testing

/// The shape of the source: short files, a reason above what the compiler no longer checks, and counts that agree with
/// their nouns.
struct SourceShapeTests {
    @Test func aFileHasAtMost300Lines() {
        let findings = SourceTree.swiftFiles.compactMap(lengthFinding)
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func everyUncheckedIsolationHasItsReasonAboveIt() {
        let findings = SourceTree.swiftFiles.flatMap(isolationFindings)
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func aCountAgreesWithItsNoun() {
        let findings = SourceTree.swiftFiles.filter { $0.isBelow(["Sources/"]) }.flatMap(countFindings)
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func theTreeWasFound() {
        #expect(SourceTree.swiftFiles.count > 100)
        #expect(SourceTree.swiftFiles.contains { $0.path == "Tests/HouseRules/SourceShapeTests.swift" })
    }
}

/// The rules above can fail.
struct SourceShapeRuleTests {
    @Test func aLongFileIsFound() {
        let line = "let a = 1\n"
        #expect(lengthFinding(sample(String(repeating: line, count: 300))) == nil)
        #expect(lengthFinding(sample(String(repeating: line, count: 301)))?.line == 301)
    }

    @Test(arguments: [
        "nonisolated(unsafe) var a = 1", "let b = 1\nnonisolated(unsafe) var a = 1",
        "// why\n\nnonisolated(unsafe) var a = 1", "let c = \"// why\"\nnonisolated(unsafe) var a = 1",
    ])
    func isolationWithoutAReasonIsFound(text: String) { #expect(isolationFindings(sample(text)).count == 1) }

    @Test(arguments: [
        "// Written by init only.\nnonisolated(unsafe) var a = 1", "/// nonisolated(unsafe)\nvar a = 1",
        "// One.\nnonisolated(unsafe) var a = 1\n// Two.\nnonisolated(unsafe) var b = 1",
    ])
    func isolationWithAReasonIsNot(text: String) { #expect(isolationFindings(sample(text)).isEmpty) }

    @Test(arguments: [#"say("\(count) files wait")"#, #"say("has \(a.count) entries")"#])
    func aNounThatIsAlwaysManyIsFound(text: String) { #expect(countFindings(sample(text)).count == 1) }

    @Test(arguments: [#"say("\(counted(count, "file")) of it")"#, "/// two files", #"say("\(name) has files")"#])
    func aCountedNounIsNot(text: String) { #expect(countFindings(sample(text)).isEmpty) }

    private func sample(_ text: String) -> ProjectFile { ProjectFile(path: "Sources/A/B.swift", text: text) }
}

private func lengthFinding(_ file: ProjectFile) -> Finding? {
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    let count = lines.last == "" ? lines.count - 1 : lines.count
    return count > 300 ? Finding(path: file.path, line: count, message: "a file has at most 300 lines") : nil
}

/// `1 files`: what follows a number must be made by `counted`.
private func countFindings(_ file: ProjectFile) -> [Finding] {
    let nouns = [
        "albums", "assets", "attempts", "bytes", "changes", "directories", "entries", "files", "folders", "originals",
        "photos", "sightings", "sockets", "sources", "watches",
    ]
    return file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
        guard line.contains("\\("), let noun = nouns.first(where: { line.contains(") \($0)") }) else { return nil }
        return Finding(path: file.path, line: index + 1, message: "'\(noun)' after a number: say it with counted()")
    }
}

private func isolationFindings(_ file: ProjectFile) -> [Finding] {
    let text = file.swift
    return text.code.indices.compactMap { index in
        guard text.code[index].contains("nonisolated(unsafe)") else { return nil }
        let above = index > 0 ? text.comments[index - 1] : ""
        if above.contains("//") { return nil }
        return Finding(path: file.path, line: index + 1, message: "nonisolated(unsafe) needs its reason above it")
    }
}
