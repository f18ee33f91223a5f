/// In JSON a hash is its 64 lower-case hexadecimal digits.
extension ContentHash: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let hash = ContentHash(hexadecimal: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no SHA-256")
        }
        self = hash
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hexadecimal)
    }
}
