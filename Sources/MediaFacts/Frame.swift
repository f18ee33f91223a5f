import FoundationEssentials

/// One message between the daemon and `albumd-media`: four bytes of length, the highest first, and so much JSON.
package enum Frame {
    package static let headerByteCount = 4
    /// What is longer is not read: the other end is not to be trusted.
    package static let requestLimit = 4096
    package static let answerLimit = 1 << 20

    package static func bytes(of message: some Encodable) throws -> [UInt8] {
        let content = try JSONEncoder().encode(message)
        let header = (0..<headerByteCount).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
        return header + content
    }

    /// How long the content is; nil where it is longer than `limit`, or the header is none.
    package static func contentByteCount(header: [UInt8], limit: Int) -> Int? {
        guard header.count == headerByteCount else { return nil }
        let count = header.reduce(0) { $0 << 8 | Int($1) }
        return count <= limit ? count : nil
    }

    package static func message<Message: Decodable>(_ type: Message.Type, in content: [UInt8]) throws -> Message {
        try JSONDecoder().decode(type, from: Data(content))
    }
}
