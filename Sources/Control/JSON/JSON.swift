import FoundationEssentials
import PhotoModel

/// JSON as the API speaks it: camelCase, instants as RFC 3339, and nothing in it that a terminal would obey (RULES S7).
package enum JSON {
    /// Compact, keys sorted.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        do {
            return try JSONTextEncoder.encode(value)
        } catch {
            preconditionFailure("the API's values can always be encoded: \(error)")
        }
    }

    /// One line of a stream.
    package static func line(_ value: some Encodable) -> [UInt8] { encode(value) + [UInt8(ascii: "\n")] }

    /// Reads an answer: keys that a newer albumd has added are passed over.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(Problem) -> Value {
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .custom(readDate)
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw .badRequest("it does not fit: \(explain(error))")
        }
    }

    /// Reads the body of a request, nothing being an empty object; the problem says which field is wrong, and what is
    /// allowed.
    ///
    /// Strict, so that nobody takes for done what was not understood: unknown keys, and keys that are there twice, are
    /// refused.
    package static func decodeRequest<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(Problem) -> Value {
        let tree = bytes.isEmpty ? .object([:]) : try JSONReader.read(bytes)
        guard case .object = tree else { throw RequestDecoder.wrong(tree, at: "", "an object") }
        do {
            return try RequestDecoder.decode(type, tree, at: "")
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .badRequest("the body is not understood")
        }
    }

    private static func readDate(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Date(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no RFC 3339 instant")
        }
        return date
    }

    private static func explain(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let (context, what) =
            switch error {
            case .keyNotFound(let key, let context): (context, "'\(key.stringValue)' is missing")
            case .typeMismatch(_, let context): (context, context.debugDescription)
            case .valueNotFound(_, let context): (context, context.debugDescription)
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "it is no JSON")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? what : "\(path): \(what)"
    }

    /// Escapes, as RFC 8259 section 7 lets it, what JSON allows and a terminal may obey: DEL, C1, bidi and invisible formatting characters.
    package static func inert(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            result += Array((scalar.value >= 0x7F && isObeyed(scalar) ? escaped(scalar) : String(scalar)).utf8)
        }
        return result
    }

    static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }

    /// As RFC 8259 section 7 writes any character.
    static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
