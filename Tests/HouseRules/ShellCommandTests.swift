import Testing

/// A command in a text is pasted into a shell: what is put into it is a `shellWord`, and no name between quotes.
struct ShellCommandTests {
    @Test func noCommandHoldsANameBetweenQuotes() {
        let findings = SourceTree.swiftFiles.filter { $0.isBelow(["Sources/"]) }.flatMap(commandFindings)
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test(arguments: [
        #"say("sudo setfacl -m u:a:r '\(printable(path))'")"#, #"say("run albumctl folder check '\(name)'")"#,
        #"say("mkdir -p \(printable(path))")"#, #"say("rm '\(name)/x'")"#,
    ])
    func aNameInACommandIsFound(text: String) { #expect(commandFindings(sample(text)).count == 1) }

    @Test(arguments: [
        #"say("albumctl why \(shellWord(path: path))")"#,
        #"say("'\(printable(path))' is no folder: albumctl folder list")"#,
        #"say("the confirm of '\(name)'")"#, #"/// albumctl why '\(name)'"#, #"say("albumctl why \(identifier)")"#,
        #"case albumctl: "no '\(name)'""#,
    ])
    func aSentenceAndAWordAreNot(text: String) { #expect(commandFindings(sample(text)).isEmpty) }

    private func sample(_ text: String) -> ProjectFile { ProjectFile(path: "Sources/A/B.swift", text: text) }
}

private let programs: Set<Substring> = [
    "albumctl", "chattr", "chmod", "chown", "findmnt", "ls", "mkdir", "rm", "setfacl", "sudo",
]

private func commandFindings(_ file: ProjectFile) -> [Finding] {
    let text = file.swift
    return text.strings.indices.compactMap { index in
        guard hasNameInCommand(text.strings[index], text.code[index]) else { return nil }
        return Finding(path: file.path, line: index + 1, message: "a name in a command: say it with shellWord()")
    }
}

private func hasNameInCommand(_ strings: String, _ code: String) -> Bool {
    // What is string is blank in the code, and the other way round.
    let written = zip(strings.utf8, code.utf8).map { $0 == UInt8(ascii: " ") ? $1 : $0 }
    let line = String(decoding: written, as: UTF8.self)
    return ["'\\(", "\\(printable("].flatMap { line.ranges(of: $0) }.contains { mark in
        let before = strings.utf8.prefix(line[..<mark.lowerBound].utf8.count)
        return String(decoding: Array(before), as: UTF8.self).split { !$0.isLetter }.contains(where: programs.contains)
    }
}
