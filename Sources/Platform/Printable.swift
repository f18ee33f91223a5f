/// A name as it may reach a terminal, a log line or a message: one line, no control, nothing invisible (RULES S7).
///
/// Printable UTF-8 is kept. C0, DEL, C1, invalid bytes and the backslash become `\xNN`; bidi controls, zero-width
/// characters, line separators and other formatting code points become `\u{…}`. Two different names never print alike.
package func printable(_ bytes: [UInt8]) -> String { escaped(bytes, isUnsafe) }

/// The same for text that is already UTF-8.
package func printable(_ text: String) -> String { printable(Array(text.utf8)) }

/// A sentence in which names already stand as `printable` gave them: their backslashes are not escaped once more.
package func printable(sentence: String) -> String { escaped(Array(sentence.utf8)) { $0 != "\\" && isUnsafe($0) } }

private func escaped(_ bytes: [UInt8], _ isUnsafe: (Unicode.Scalar) -> Bool) -> String {
    var result = ""
    for part in scalars(of: bytes) {
        guard let scalar = part.scalar, !isUnsafe(scalar) else {
            result += escaped(part.scalar, part.bytes)
            continue
        }
        result.unicodeScalars.append(scalar)
    }
    return result
}

/// A scalar of a name, or one byte that is no UTF-8.
struct NamePart {
    let scalar: Unicode.Scalar?
    let bytes: ArraySlice<UInt8>

    /// A control, an invisible character or no UTF-8: it cannot be shown as it is.
    var isHidden: Bool { scalar.map { $0 != "\\" && isUnsafe($0) } ?? true }
}

/// All of a name, part by part.
func scalars(of bytes: [UInt8]) -> [NamePart] {
    var parts: [NamePart] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let (scalar, length) = decodeScalar(rest)
        parts.append(NamePart(scalar: scalar, bytes: rest.prefix(length)))
        rest = rest.dropFirst(length)
    }
    return parts
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\\" { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: return false
    }
}

private func escaped(_ scalar: Unicode.Scalar?, _ raw: ArraySlice<UInt8>) -> String {
    guard let scalar, scalar.value > 0xFF else {
        return raw.map { "\\x" + hexadecimal($0) }.joined()
    }
    return "\\u{" + String(scalar.value, radix: 16) + "}"
}

/// Two digits.
func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
}

/// The first scalar and how many bytes it takes; nil and 1 where the bytes are not UTF-8.
private func decodeScalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, Int) {
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return (nil, 1) }
    return (scalar, UTF8.width(scalar))
}
