import Testing

/// The shape of the source: short files, and a reason above what the compiler no longer checks.
struct SourceShapeTests {
    @Test func aFileHasAtMost300Lines() {
        let findings = SourceTree.swiftFiles.compactMap(lengthFinding)
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func everyUncheckedIsolationHasItsReasonAboveIt() {
        let findings = SourceTree.swiftFiles.flatMap(isolationFindings)
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

    private func sample(_ text: String) -> ProjectFile { ProjectFile(path: "Sources/A/B.swift", text: text) }
}

private func lengthFinding(_ file: ProjectFile) -> Finding? {
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    let count = lines.last == "" ? lines.count - 1 : lines.count
    return count > 300 ? Finding(path: file.path, line: count, message: "a file has at most 300 lines") : nil
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
