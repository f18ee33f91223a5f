/// One word of a POSIX shell that stands for exactly these bytes, for a command that is meant to be pasted (RULES S7).
///
/// Plain where every byte is one of `A-Z a-z 0-9 _ @ % + = : , . / -`; in single quotes where all of it is printable;
/// else in `$'…'` (POSIX.1-2024, bash(1) QUOTING), where each byte of a control, of an invisible character and of what
/// is no UTF-8 becomes `\xNN`. A word cannot hold a zero byte, and no name does.
package func shellWord(_ bytes: [UInt8]) -> String {
    if isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
    let parts = scalars(of: bytes)
    if parts.contains(where: \.isHidden) { return "$'" + escaped(parts) + "'" }
    return "'" + parts.map { $0.scalar == "'" ? #"'\''"# : String(decoding: $0.bytes, as: UTF8.self) }.joined() + "'"
}

/// The same for text.
package func shellWord(_ text: String) -> String { shellWord(Array(text.utf8)) }

/// A path as an operand: one that begins with `-` is no option, nor standard input.
package func shellWord(path: [UInt8]) -> String {
    shellWord(path.first == UInt8(ascii: "-") ? Array("./".utf8) + path : path)
}

/// An option or a `=` at the beginning (zsh takes that for a command's name) is quoted: it is no ordinary word.
private func isPlain(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "=") else { return false }
    return bytes.allSatisfy(plainBytes.contains)
}

private let plainBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-".utf8)

/// What stands between `$'` and `'`.
private func escaped(_ parts: [NamePart]) -> String {
    var result = ""
    var endsInNumber = false
    for part in parts {
        // How many digits `\x` takes differs from shell to shell: a digit of the name begins a string of its own.
        if endsInNumber, !part.isHidden, part.bytes.first.map(isHexadecimalDigit) == true { result += "'$'" }
        switch part.scalar {
        case "'", "\\": result += "\\" + String(decoding: part.bytes, as: UTF8.self)
        case _ where part.isHidden: result += part.bytes.map { "\\x" + hexadecimal($0) }.joined()
        default: result += String(decoding: part.bytes, as: UTF8.self)
        }
        endsInNumber = part.isHidden
    }
    return result
}

private func isHexadecimalDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }
