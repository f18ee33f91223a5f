/// The members of one object.
struct JSONObjectText<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let text: JSONText
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { member(key).writeNull() }
    func encode(_ value: Bool, forKey key: Key) { member(key).write(value) }
    func encode(_ value: String, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Double, forKey key: Key) throws { try member(key).write(value) }
    func encode(_ value: Int, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Int64, forKey key: Key) { member(key).write(value) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try member(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        JSONTextEncoder(member(key)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        JSONTextEncoder(member(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { preconditionFailure("the API's values inherit nothing") }
    func superEncoder(forKey key: Key) -> any Encoder { JSONTextEncoder(member(key)) }

    private func member(_ key: Key) -> JSONText {
        text.beginMember(at: depth, key: key.stringValue)
        return text
    }
}

/// The elements of one array.
struct JSONArrayText: UnkeyedEncodingContainer {
    let text: JSONText
    let depth: Int
    private(set) var count = 0

    init(text: JSONText, depth: Int) { (self.text, self.depth) = (text, depth) }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { element().writeNull() }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let text = element()
        if let row = value as? any JSONListed { try text.write(row) } else { try text.encode(value) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        JSONTextEncoder(element()).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONTextEncoder(element()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { JSONTextEncoder(element()) }

    private mutating func element() -> JSONText {
        count += 1
        text.beginMember(at: depth)
        return text
    }
}

/// A value that is no object and no array.
struct JSONValueText: SingleValueEncodingContainer {
    let text: JSONText

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { text.writeNull() }
    func encode(_ value: Bool) { text.write(value) }
    func encode(_ value: String) { text.write(value) }
    func encode(_ value: Double) throws { try text.write(value) }
    func encode(_ value: Float) throws { try text.write(Double(value)) }
    func encode(_ value: Int) { text.write(value) }
    func encode(_ value: Int8) { text.write(value) }
    func encode(_ value: Int16) { text.write(value) }
    func encode(_ value: Int32) { text.write(value) }
    func encode(_ value: Int64) { text.write(value) }
    func encode(_ value: UInt) { text.write(value) }
    func encode(_ value: UInt8) { text.write(value) }
    func encode(_ value: UInt16) { text.write(value) }
    func encode(_ value: UInt32) { text.write(value) }
    func encode(_ value: UInt64) { text.write(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try text.encode(value) }
}
