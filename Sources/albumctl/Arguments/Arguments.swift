import Control
import PhotoModel
import Platform

/// What stood on the command line, sorted: options with their values, and the rest in order.
///
/// Everything is bytes, because a name is not text (RULES R28).
struct Arguments: Sendable {
    var operands: [[UInt8]] = []
    var options: [String: [[UInt8]]] = [:]

    func has(_ option: String) -> Bool { options[option] != nil }

    /// The value of an option as it was given.
    func bytes(_ option: String) -> [UInt8]? { options[option]?.last }

    func text(_ option: String) throws(Problem) -> String? {
        guard let bytes = bytes(option) else { return nil }
        return try text(of: bytes, "--\(option)")
    }

    func texts(_ option: String) throws(Problem) -> [String] {
        var texts: [String] = []
        for bytes in options[option] ?? [] { texts.append(try text(of: bytes, "--\(option)")) }
        return texts
    }

    /// A whole number that is at least 0.
    func number(_ option: String) throws(Problem) -> Int64? {
        guard let text = try text(option) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw .usage("--\(option) wants a whole number, and '\(printable(text))' is none")
        }
        return number
    }

    /// A time as the configuration writes it: `500ms`, `60s`, `5m`, `1h`; a bare number is seconds.
    func duration(_ option: String) throws(Problem) -> Duration? {
        guard let text = try text(option) else { return nil }
        guard let duration = DurationText.parse(text) ?? DurationText.parse(text + "s") else {
            throw .usage("--\(option) wants \(DurationText.wanted); '\(printable(text))' is no time")
        }
        return duration
    }

    /// The operand at `index` as text: for titles and words.
    func operandText(_ index: Int, _ what: String) throws(Problem) -> String {
        try text(of: operands[index], what)
    }

    func identifier(_ index: Int) throws(Problem) -> LocalIdentifier { try identifier(in: operands[index]) }

    private func identifier(in bytes: [UInt8]) throws(Problem) -> LocalIdentifier {
        guard let identifier = LocalIdentifier(String(decoding: bytes, as: UTF8.self)) else {
            throw .usage(
                "'\(printable(bytes))' is no identifier: those look like 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001",
                fix: "albumctl asset list, albumctl album list and albumctl why PATH show identifiers")
        }
        return identifier
    }

    func identifiers(from start: Int) throws(Problem) -> [LocalIdentifier] {
        var identifiers: [LocalIdentifier] = []
        for index in operands.indices.dropFirst(start) { identifiers.append(try identifier(index)) }
        return identifiers
    }

    /// The identifiers that an option was given; nil where it was not.
    func identifiers(of option: String) throws(Problem) -> [LocalIdentifier]? {
        guard let values = options[option] else { return nil }
        var identifiers: [LocalIdentifier] = []
        for bytes in values { identifiers.append(try identifier(in: bytes)) }
        return identifiers
    }

    private func text(of bytes: [UInt8], _ what: String) throws(Problem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("\(what) wants text in UTF-8, and '\(printable(bytes))' is none")
        }
        return text
    }
}
