/// What an `.AAE` file says of an edit: a property list of Apple's, in XML or binary.
///
/// Only three words of its outermost dictionary are looked for; the recipe itself is Apple's own and kept as it is.
package struct AdjustmentSidecar: Hashable, Sendable {
    /// PhotoKit's `adjustmentFormatIdentifier`: `com.apple.photo`, `com.apple.video.slomo`.
    package var formatIdentifier: String
    package var formatVersion: String?
    /// Which picture the edit starts from: 0 the original, 1 and 2 an edited one (`PHContentEditingInput`).
    package var baseVersion: Int?

    /// Nil where the bytes are no adjustment data.
    ///
    /// At most 8 MiB are looked at; nothing here calls itself, however deep the list is nested.
    package init?(reading bytes: [UInt8]) {
        guard bytes.count <= 8 << 20 else { return nil }
        let values = bytes.starts(with: "bplist00".utf8) ? BinaryPropertyList.outermost(bytes) : xmlValues(bytes)
        guard let identifier = values["adjustmentFormatIdentifier"], !identifier.isEmpty else { return nil }
        formatIdentifier = String(identifier.prefix(256))
        formatVersion = values["adjustmentFormatVersion"].map { String($0.prefix(64)) }
        baseVersion = values["adjustmentBaseVersion"].flatMap { Int($0) }
    }
}

/// The wanted keys of an XML property list whose values are text or whole numbers.
private func xmlValues(_ bytes: [UInt8]) -> [String: String] {
    guard bytes.firstRange("<plist", from: 0) != nil else { return [:] }
    var values: [String: String] = [:]
    for name in ["adjustmentFormatIdentifier", "adjustmentFormatVersion", "adjustmentBaseVersion"] {
        guard let key = bytes.firstRange("<key>\(name)</key>", from: 0) else { continue }
        values[name] = xmlText(bytes, after: key.upperBound)
    }
    return values
}

/// The text of the next element, where it is a `string` or an `integer`.
private func xmlText(_ bytes: [UInt8], after index: Int) -> String? {
    let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
    let start = bytes[index...].firstIndex { !isSpace($0) } ?? bytes.endIndex
    for element in ["string", "integer"] where bytes[start...].starts(with: "<\(element)>".utf8) {
        let first = start + element.utf8.count + 2
        guard let end = bytes[first...].prefix(1024).firstIndex(of: UInt8(ascii: "<")) else { return nil }
        return String(decoding: bytes[first..<end], as: UTF8.self)
    }
    return nil
}

extension [UInt8] {
    /// Where a text stands first.
    fileprivate func firstRange(_ text: String, from start: Int) -> Range<Int>? {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return nil }
        for index in start...(count - wanted.count) where self[index] == wanted[0] {
            if self[index..<index + wanted.count].elementsEqual(wanted) { return index..<index + wanted.count }
        }
        return nil
    }
}
