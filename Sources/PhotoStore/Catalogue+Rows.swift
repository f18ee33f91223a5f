import FoundationEssentials
import PhotoModel
import SQLite

/// How values of the model stand in columns. A row that breaks the format is corruption, and says so.
extension Value {
    static func uuid(_ uuid: UUID) -> Value { .blob(uuid.bytes) }
    static func date(_ date: Date) -> Value { .integer(date.microseconds) }
    static func date(_ date: Date?) -> Value { .integer(date?.microseconds) }
    static func bits(_ value: UInt64) -> Value { .integer(Int64(bitPattern: value)) }
    static func blob(_ bytes: [UInt8]?) -> Value { bytes.map(Value.blob) ?? .null }
    static func integer(_ value: Int64?) -> Value { value.map(Value.integer) ?? .null }
    static func text(_ value: String?) -> Value { value.map(Value.text) ?? .null }
    static func flag(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
}

extension Row {
    func uuid(_ column: Int) throws -> UUID {
        guard let uuid = UUID(bytes: blob(column)) else { throw LibraryError.corruptRow("uuid") }
        return uuid
    }

    func date(_ column: Int) -> Date { Date(microseconds: integer(column)) }
    func bits(_ column: Int) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func hash(_ column: Int) throws -> ContentHash {
        guard let hash = withBlob(column, ContentHash.init(raw:)) else { throw LibraryError.corruptRow("hash") }
        return hash
    }

    func word<Word: RawRepresentable>(_ column: Int, _ type: Word.Type = Word.self) throws -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: text(column)) else { throw LibraryError.corruptRow(text(column)) }
        return word
    }
}
