/// `1 file`, `2 files`; `1 directory`, `2 directories`; `1 watch`, `2 watches`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(count == 1 ? noun : plural(of: noun))" }

/// The same with its verb: `1 file waits`, `2 files wait`.
package func counted(_ count: Int, _ noun: String, one verb: String, many verbs: String) -> String {
    "\(counted(count, noun)) \(count == 1 ? verb : verbs)"
}

private func plural(of noun: String) -> String {
    if noun.hasSuffix("y") { return noun.dropLast() + "ies" }
    return noun + (["ch", "sh", "s", "x"].contains { noun.hasSuffix($0) } ? "es" : "s")
}
