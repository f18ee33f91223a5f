/// One value of SQLite's five storage classes (https://sqlite.org/datatype3.html).
///
/// Two texts compare as Swift compares them, composed and decomposed letters alike; SQLite compares bytes.
package enum Value: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// From Swift's values; nil becomes NULL. Unsigned 64-bit numbers go in by `Int64(bitPattern:)`, in sight.
extension Value {
    package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Int32?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: UInt32?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }
    package init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    package init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
}

extension Value: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}

extension Value: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Value: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) { self = .real(value) }
}

extension Value: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension Value: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
}
