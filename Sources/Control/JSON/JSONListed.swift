import FoundationEssentials

/// A row of long lists, which writes its members itself: Codable asks each value anew what it is, and that was most of the
/// time of an answer.
///
/// The text is the one that Codable gives.
protocol JSONListed: Encodable {
    /// In the order of the keys.
    func write(to object: JSONText) throws
}

extension JSONText {
    func write(_ row: any JSONListed) throws {
        begin(isObject: true)
        try row.write(to: self)
        close(to: depth - 1)
    }

    func member(_ key: StaticString, _ value: Bool) { nextMember(key).write(value) }
    func member(_ key: StaticString, _ value: Int) { nextMember(key).write(value) }
    func member(_ key: StaticString, _ value: Int64) { nextMember(key).write(value) }
    func member(_ key: StaticString, _ value: Date) { nextMember(key).write(value) }
    func member(_ key: StaticString, _ value: String) { nextMember(key).write(value) }
    func member(_ key: StaticString, _ word: some RawRepresentable<String>) { nextMember(key).write(word.rawValue) }

    func member(_ key: StaticString, _ rows: [some JSONListed]) throws {
        nextMember(key).begin(isObject: false)
        for row in rows {
            beginMember(at: depth)
            try write(row)
        }
        close(to: depth - 1)
    }

    /// Nothing where there is none.
    func member<Value: Encodable>(_ key: StaticString, ifPresent value: Value?) throws {
        guard let value else { return }
        try nextMember(key).encode(value)
    }

    /// A key of the API's own, which needs no escapes.
    private func nextMember(_ key: StaticString) -> JSONText {
        beginMember(at: depth)
        writeKey(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        return self
    }
}
