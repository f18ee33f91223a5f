import FoundationEssentials

/// A path or a name as the file system has it: bytes, compared as bytes (RULES R28).
///
/// JSON carries it as a string where it is UTF-8, else as `{"base64": "…"}`.
package struct PathBytes: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// The last component.
    package var name: PathBytes {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return PathBytes(Array(bytes[(slash + 1)...]))
    }

    /// All but the last component; empty at the top.
    package var directory: PathBytes {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return PathBytes([]) }
        return PathBytes(Array(bytes[..<slash]))
    }

    package func appending(_ name: [UInt8]) -> PathBytes {
        guard !bytes.isEmpty else { return PathBytes(name) }
        var path: [UInt8] = []
        path.reserveCapacity(bytes.count + 1 + name.count)
        path += bytes
        path.append(UInt8(ascii: "/"))
        path += name
        return PathBytes(path)
    }

    /// The text, nil where the bytes are not UTF-8.
    package var utf8: String? { String(validating: bytes, as: UTF8.self) }
}

extension PathBytes: Comparable {
    package static func < (left: PathBytes, right: PathBytes) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension PathBytes: Codable {
    private enum Key: String, CodingKey {
        case base64
    }

    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(text)
            return
        }
        let text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .base64)
        guard let data = Data(base64Encoded: text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no base64"))
        }
        self.init(Array(data))
    }

    package func encode(to encoder: any Encoder) throws {
        if let text = utf8 {
            var container = encoder.singleValueContainer()
            try container.encode(text)
            return
        }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Data(bytes).base64EncodedString(), forKey: .base64)
    }
}
