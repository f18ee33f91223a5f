import Control
import PhotoModel
import Platform

/// Numbers with units, as a person writes them.
extension Arguments {
    /// A number of bytes: `10GB`, `1.5TB`, or without a unit; 0 for `unlimited`, where that is allowed.
    func byteCount(_ option: String, orUnlimited: Bool = false) throws(Problem) -> Int64? {
        guard let text = try text(option) else { return nil }
        if orUnlimited, text == "unlimited" { return 0 }
        return try amount(text, option, "bytes such as 10GB (\(ByteCountText.units))")
    }

    /// Bytes a second: `50MB/s`, `50MB`, or without a unit.
    func rate(_ option: String, orUnlimited: Bool = false) throws(Problem) -> Int64? {
        guard let text = try text(option) else { return nil }
        if orUnlimited, text == "unlimited" { return 0 }
        return try amount(
            text.hasSuffix("/s") ? String(text.dropLast(2)) : text, option,
            "bytes a second such as 50MB/s (\(ByteCountText.units))")
    }

    /// A share from 0 to 1.
    func share(_ option: String) throws(Problem) -> Double? {
        guard let text = try text(option) else { return nil }
        guard let share = Double(text), (0...1).contains(share) else {
            throw .usage("--\(option) wants a number from 0 to 1 such as 0.1, and '\(printable(text))' is none")
        }
        return share
    }

    private func amount(_ text: String, _ option: String, _ what: String) throws(Problem) -> Int64 {
        guard let count = ByteCountText.parse(text), count > 0 else {
            throw .usage("--\(option) wants \(what), and '\(printable(text))' is none")
        }
        return count
    }
}
