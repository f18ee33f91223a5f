import FoundationEssentials
package import PhotoModel

/// The requests of a change as the history and the journal keep them: a JSON array, instants as RFC 3339.
func historyText(_ requests: [ChangeRequest]) throws -> String {
    String(decoding: try historyEncoder().encode(requests), as: UTF8.self)
}

/// The facts of an asset as the catalogue keeps them.
func factsText(_ facts: AssetFacts) throws -> String {
    String(decoding: try historyEncoder().encode(facts), as: UTF8.self)
}

/// Reads back what `historyText` wrote.
package func changeRequests(fromHistory text: String) throws -> [ChangeRequest] {
    do {
        return try historyDecoder().decode([ChangeRequest].self, from: Data(text.utf8))
    } catch is DecodingError {
        throw LibraryError.historyDamaged
    }
}

/// A string as JSON writes it, quotes and escapes included.
func jsonText(_ text: String) -> String {
    // A string alone cannot fail to encode.
    (try? historyEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
}

private func historyEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.rfc3339)
    }
    return encoder
}

func historyDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Date(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no instant")
        }
        return date
    }
    return decoder
}
