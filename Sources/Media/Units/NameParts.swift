/// A file name in parts: bytes, of which ASCII letters are compared without case only where a comment says so.
extension [UInt8] {
    /// All before the last dot; the whole name where there is none, or it is the first byte.
    var stem: [UInt8] {
        guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex else { return self }
        return Array(self[..<dot])
    }

    /// All behind the last dot, in lower case; empty where there is none.
    var suffix: [UInt8] {
        guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex else { return [] }
        return self[(dot + 1)...].map(\.lowercasedASCII)
    }

    /// Of a stem that Apple numbers and marks, the stem without the mark: `IMG_1234` of `IMG_E1234`, which is its edit.
    ///
    /// Nil for all other stems. Apple writes capitals; so is it compared.
    func numberedName(without mark: Character) -> [UInt8]? {
        let start = Array("IMG_\(mark)".utf8)
        guard starts(with: start), count > start.count, self[start.count].isASCIIDigit else { return nil }
        return Array("IMG_".utf8) + self[start.count...]
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    private var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

    fileprivate var lowercasedASCII: UInt8 { isCapital ? self | 0x20 : self }
}
