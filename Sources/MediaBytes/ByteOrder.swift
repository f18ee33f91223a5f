/// The order of the bytes in a number.
package enum ByteOrder {
    case big
    case little

    /// The unsigned value of at most eight bytes; of more, only the last eight in order count.
    package func integer(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        switch self {
        case .big: bytes.reduce(0) { $0 << 8 | UInt64($1) }
        case .little: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
