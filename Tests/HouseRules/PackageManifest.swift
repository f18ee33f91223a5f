/// The targets of a Package.swift and what each depends on, as it is written: `module("A", ["B"])` or
/// `.target(name: "A", dependencies: ["B"])`.
///
/// The manifest is read as text, for SwiftPM holds its own lock while tests run.
func packageTargets(in manifest: SwiftText, of label: String) -> [String: Set<String>] {
    let lines = zip(manifest.code, manifest.strings).map(merged)
    let text = lines.joined(separator: "\n")
    guard let start = text.firstRange(of: label)?.upperBound else { return [:] }
    var targets: [String: Set<String>] = [:]
    for call in calls(in: text[start...]) {
        let words = literals(in: call.text)
        guard let name = words.first else { continue }
        targets[name] = Set(dependencies(of: call))
    }
    return targets
}

private struct Call {
    var name: String
    /// What stands between its parentheses.
    var text: Substring
}

/// The calls at the top of a list, without those within their arguments.
private func calls(in text: Substring) -> [Call] {
    var calls: [Call] = []
    var rest = text
    while let open = rest.firstIndex(of: "(") {
        let name = rest[..<open].reversed().prefix { $0.isLetter }.reversed()
        let inside = balanced(rest[open...], "(", ")")
        calls.append(Call(name: String(name), text: inside))
        rest = rest[inside.endIndex...]
    }
    return calls
}

/// A helper's second argument, or what is labelled `dependencies`.
private func dependencies(of call: Call) -> [String] {
    var rest = call.text
    if !["module", "tests"].contains(call.name) {
        guard let label = rest.firstRange(of: "dependencies:") else { return [] }
        rest = rest[label.upperBound...]
    }
    guard let open = rest.firstIndex(of: "[") else { return [] }
    return literals(in: balanced(rest[open...], "[", "]"))
}

/// What stands between the first sign and the one that closes it.
private func balanced(_ text: Substring, _ open: Character, _ close: Character) -> Substring {
    var depth = 0
    for index in text.indices {
        if text[index] == open { depth += 1 }
        if text[index] == close { depth -= 1 }
        if depth == 0 { return text[text.index(after: text.startIndex)..<index] }
    }
    return text.dropFirst()
}

private func literals(in text: Substring) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
}

/// Code and strings of one line, comments left out.
private func merged(_ code: String, _ strings: String) -> String {
    String(decoding: zip(code.utf8, strings.utf8).map { $0 == UInt8(ascii: " ") ? $1 : $0 }, as: UTF8.self)
}
