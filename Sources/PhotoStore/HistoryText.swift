import FoundationEssentials
package import PhotoModel

/// The requests of a change as the history and the journal keep them: a JSON array, instants as RFC 3339.
func historyText(_ requests: [ChangeRequest]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.rfc3339)
    }
    return String(decoding: try encoder.encode(requests), as: UTF8.self)
}

/// Reads back what `historyText` wrote.
package func changeRequests(fromHistory text: String) throws -> [ChangeRequest] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Date(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no instant")
        }
        return date
    }
    return try decoder.decode([ChangeRequest].self, from: Data(text.utf8))
}
