import FoundationEssentials
import PhotoModel

/// Reads the body of a request, and takes nothing that it does not understand: a key that nobody asks for is an error,
/// as in the configuration.
///
/// Which keys there are follows from what the type asks for. Every problem names the field, what is there, and what is
/// wanted.
final class RequestDecoder: Decoder {
    let tree: JSONTree
    let place: String
    private var asked: [String] = []
    private var takesAnyKey = false

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ tree: JSONTree, at place: String) { (self.tree, self.place) = (tree, place) }

    /// One value of a type, with nothing left over.
    static func decode<Value: Decodable>(_ type: Value.Type, _ tree: JSONTree, at place: String) throws -> Value {
        if type == Date.self, let date = try readDate(tree, at: place) as? Value { return date }
        if type == UUID.self, let uuid = try readUUID(tree, at: place) as? Value { return uuid }
        try checkWord(tree, of: type, at: place)
        let decoder = RequestDecoder(tree, at: place)
        do {
            let value = try Value(from: decoder)
            try decoder.checkKeys()
            return value
        } catch let error as DecodingError {
            guard case .dataCorrupted(let context) = error else { throw error }
            throw Problem.badRequest("\(said(place)): \(context.debugDescription)")
        }
    }

    func ask(_ key: String) { if !asked.contains(key) { asked.append(key) } }

    /// A dictionary's keys are its content.
    func askForAll() { takesAnyKey = true }

    private func checkKeys() throws(Problem) {
        guard case .object(let members) = tree, !takesAnyKey else { return }
        guard let unknown = members.keys.sorted().first(where: { !asked.contains($0) }) else { return }
        let known = asked.isEmpty ? "no key is known here" : "known are \(asked.joined(separator: ", "))"
        throw .badRequest("\(Self.said(Self.join(place, unknown))) is unknown: \(known)")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = tree else { throw wrong("an object") }
        return KeyedDecodingContainer(RequestObject(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let elements) = tree else { throw wrong("a list") }
        return RequestList(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { RequestValue(decoder: self) }
}

// What is said of a field.
extension RequestDecoder {
    static func join(_ place: String, _ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    static func said(_ place: String) -> String { place.isEmpty ? "the body" : "'\(place)'" }

    func wrong(_ wanted: String) -> Problem { Self.wrong(tree, at: place, wanted) }

    static func wrong(_ tree: JSONTree, at place: String, _ wanted: String) -> Problem {
        .badRequest("\(said(place)) is \(tree.shown), and must be \(wanted)")
    }
}

// Values whose words are closed.
extension RequestDecoder {
    private static func readDate(_ tree: JSONTree, at place: String) throws(Problem) -> Date {
        guard case .string(let text) = tree, let date = Date(rfc3339: text) else {
            throw wrong(tree, at: place, "an instant such as \"2026-11-30T12:00:00Z\" (RFC 3339)")
        }
        return date
    }

    private static func readUUID(_ tree: JSONTree, at place: String) throws(Problem) -> UUID {
        guard case .string(let text) = tree, let uuid = UUID(uuidString: text) else {
            throw wrong(tree, at: place, "a UUID")
        }
        return uuid
    }

    /// Of an enumeration of words every word is told.
    private static func checkWord<Value>(_ tree: JSONTree, of type: Value.Type, at place: String) throws(Problem) {
        guard let closed = type as? any (CaseIterable & RawRepresentable).Type else { return }
        let words = words(of: closed)
        guard !words.isEmpty else { return }
        if case .string(let text) = tree, words.contains(text) { return }
        throw wrong(tree, at: place, "one of \(words.joined(separator: ", "))")
    }

    private static func words<Closed: CaseIterable & RawRepresentable>(of type: Closed.Type) -> [String] {
        type.allCases.compactMap { $0.rawValue as? String }
    }
}
