import FoundationEssentials

/// Encodes one value into the text.
///
/// Whatever it opens is closed when it has been encoded. Nested containers may be written one after the other, not in
/// turns.
struct JSONTextEncoder: Encoder {
    let text: JSONText
    /// The depth of the value's own object or array, once it has one.
    private let own: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ text: JSONText) {
        self.text = text
        own = text.depth + 1
    }

    /// The text of a value.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let text = JSONText()
        try text.encode(value)
        return text.bytes
    }

    /// A second one of the same value goes on where the first was.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if text.depth < own { text.begin(isObject: true) }
        return KeyedEncodingContainer(JSONObjectText(text: text, depth: own))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if text.depth < own { text.begin(isObject: false) }
        return JSONArrayText(text: text, depth: own)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONValueText(text: text) }
}

extension JSONText {
    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let string as String: write(string)
        case let date as Date: write(date)
        default:
            let (depth, count) = (depth, bytes.count)
            try value.encode(to: JSONTextEncoder(self))
            close(to: depth)
            // A value without members.
            if bytes.count == count { writeEmpty() }
        }
    }

    private func writeEmpty() {
        begin(isObject: true)
        close(to: depth - 1)
    }
}
