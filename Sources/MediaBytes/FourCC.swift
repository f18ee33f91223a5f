/// The four characters that name a box, a brand or a chunk.
package struct FourCC: Hashable, ExpressibleByStringLiteral {
    package let value: UInt32

    package init(_ bytes: some Sequence<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
    package init(stringLiteral text: String) { self.init(text.utf8) }

    /// Whether all four are printable ASCII, as every type in use is but for QuickTime's 0xA9.
    package var isPlausible: Bool {
        stride(from: UInt32(0), to: 32, by: 8).allSatisfy { shift in
            let byte = value >> shift & 0xFF
            return 0x20..<0x7F ~= byte || byte == 0xA9
        }
    }
}
