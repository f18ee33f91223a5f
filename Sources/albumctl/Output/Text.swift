import FoundationEssentials
import Platform

/// A sentence that may hold names which are printable already: nothing in it that a terminal would obey, on one line.
///
/// Unlike `printable` it keeps backslashes, for those are escapes that somebody made before.
func inert(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard !bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
    let parts = bytes.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
    return parts.map { printable(Array($0)) }.joined(separator: "\\")
}

/// A name out of JSON, for a person: the text, or the bytes beside it where they are not UTF-8.
func shown(_ text: String, _ base64: String? = nil) -> String {
    guard let base64, let data = Data(base64Encoded: base64) else { return printable(text) }
    return printable(Array(data))
}

/// The act that mends something, below the sentence that says what: one line or several.
func indented(_ text: String) -> [String] {
    text.split(separator: "\n").map { "    " + $0 }
}

/// `settling 3, permission 1`: the most first.
func listed(_ counts: [String: Int]) -> String {
    let sorted = counts.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return sorted.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
}

/// Bytes as a person reads them, in powers of a thousand.
func size(_ byteCount: Int64) -> String {
    guard byteCount >= 1000 else { return counted(Int(byteCount), "byte") }
    var (value, units) = (Double(byteCount) / 1000, ["kB", "MB", "GB", "TB", "PB"][...])
    while value >= 999.95, units.count > 1 {
        value /= 1000
        units = units.dropFirst()
    }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units.first ?? "EB")"
}
