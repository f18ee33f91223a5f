import FoundationEssentials
package import PhotoModel

/// Path bytes in a row of JSON: the text under the row's own key, and the bytes beside it where they are not UTF-8.
package struct Name: Sendable, Equatable {
    /// The path, invalid bytes as `\xNN`.
    package var text: String
    /// Only where `text` is not the whole truth.
    package var base64: String?

    package init(_ path: PathBytes) {
        if let text = path.utf8 {
            self.text = text
        } else {
            text = Name.escaped(path.bytes)
            base64 = Data(path.bytes).base64EncodedString()
        }
    }

    /// Reads what a client sent: `path`, or `pathBase64` for bytes that are no text.
    ///
    /// Nil where neither is there.
    package static func bytes(_ text: String?, _ base64: String?) throws(Problem) -> PathBytes? {
        if let base64 {
            guard let data = Data(base64Encoded: base64) else { throw .badRequest("pathBase64 is no base64") }
            return PathBytes(Array(data))
        }
        return text.map { PathBytes($0) }
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        var result = ""
        var rest = bytes[...]
        while let byte = rest.first {
            var decoder = UTF8()
            var iterator = rest.prefix(4).makeIterator()
            if case .scalarValue(let scalar) = decoder.decode(&iterator) {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else {
                result += "\\x" + String(byte, radix: 16)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
