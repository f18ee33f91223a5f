package import FoundationEssentials

/// The identifier of an asset or an album, in PhotoKit's shape `UUID/L0/001`.
///
/// Opaque to clients, never reused.
package struct LocalIdentifier: Hashable, Sendable {
    package let uuid: UUID

    package init(_ uuid: UUID) { self.uuid = uuid }

    /// Reads either the whole identifier or its bare UUID, as URLs carry it.
    package init?(_ text: String) {
        let suffix = LocalIdentifier.suffix
        let bare = text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
        guard bare.utf8.count == 36, let uuid = UUID(uuidString: bare) else { return nil }
        self.uuid = uuid
    }

    private static let suffix = "/L0/001"
}

extension LocalIdentifier: CustomStringConvertible {
    package var description: String { uuid.uuidString + LocalIdentifier.suffix }
}

extension LocalIdentifier: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = LocalIdentifier(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no local identifier")
        }
        self = identifier
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Any order will do, so long as it is always the same.
extension LocalIdentifier: Comparable {
    package static func < (left: LocalIdentifier, right: LocalIdentifier) -> Bool {
        left.uuid.uuidString < right.uuid.uuidString
    }
}
