/// The members of an object; each key that is asked for is noted as known.
struct RequestObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RequestDecoder
    let members: [String: JSONTree]

    let codingPath: [any CodingKey] = []

    var allKeys: [Key] {
        decoder.askForAll()
        return members.keys.sorted().compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool {
        decoder.ask(key.stringValue)
        return members[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try RequestDecoder.decode(type, try member(key), at: place(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try RequestDecoder(try member(key), at: place(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try RequestDecoder(try member(key), at: place(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder { RequestDecoder(try member(key), at: place(key)) }

    private func place(_ key: Key) -> String { RequestDecoder.join(decoder.place, key.stringValue) }

    private func member(_ key: Key) throws(Problem) -> JSONTree {
        decoder.ask(key.stringValue)
        if let member = members[key.stringValue] { return member }
        let there = members.isEmpty ? "" : "; there is \(members.keys.sorted().joined(separator: ", "))"
        throw .badRequest("\(RequestDecoder.said(place(key))) is missing\(there)")
    }
}

/// The elements of a list, one after the other.
struct RequestList: UnkeyedDecodingContainer {
    let decoder: RequestDecoder
    let elements: [JSONTree]

    let codingPath: [any CodingKey] = []
    private(set) var currentIndex = 0

    init(decoder: RequestDecoder, elements: [JSONTree]) { (self.decoder, self.elements) = (decoder, elements) }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let next = try takeNext()
        return try RequestDecoder.decode(type, next.tree, at: next.place)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try takeNext().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try takeNext().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try takeNext() }

    private mutating func takeNext() throws(Problem) -> RequestDecoder {
        let place = "\(decoder.place)[\(currentIndex)]"
        guard !isAtEnd else { throw .badRequest("\(RequestDecoder.said(place)) is missing") }
        defer { currentIndex += 1 }
        return RequestDecoder(elements[currentIndex], at: place)
    }
}

/// One value that is no container.
struct RequestValue: SingleValueDecodingContainer {
    let decoder: RequestDecoder

    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { decoder.tree == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let value) = decoder.tree else { throw decoder.wrong("true or false") }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = decoder.tree else { throw decoder.wrong("a string") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard case .number(let text) = decoder.tree, let value = Double(text), value.isFinite else {
            throw decoder.wrong("a number")
        }
        return value
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try RequestDecoder.decode(type, decoder.tree, at: decoder.place)
    }

    /// `10`, and `1e1` or `10.0`, which mean the same.
    private func integer<Number: FixedWidthInteger>() throws -> Number {
        let wanted = "a whole number from \(Number.min) to \(Number.max)"
        guard case .number(let text) = decoder.tree else { throw decoder.wrong("a whole number") }
        if let number = Number(text) { return number }
        guard let double = Double(text), let number = Number(exactly: double) else { throw decoder.wrong(wanted) }
        return number
    }
}
