import FoundationEssentials

/// Bytes that mean nothing to a reader stand in JSON as one base64 string, left out where there are none.
extension KeyedEncodingContainer {
    mutating func encodeOpaque(_ bytes: [UInt8]?, forKey key: Key) throws {
        try encodeIfPresent(bytes.map { Data($0).base64EncodedString() }, forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decodeOpaque(forKey key: Key) throws -> [UInt8]? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let data = Data(base64Encoded: text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "'\(text)' is no base64")
        }
        return Array(data)
    }
}
