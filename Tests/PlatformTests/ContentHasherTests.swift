import Platform
import Testing

@Suite struct ContentHasherTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func knownAnswersOfFIPS180(text: String, expected: String) {
        var hasher = ContentHasher()
        for byte in text.utf8 { add([byte], to: &hasher) }
        #expect(hexadecimal(hasher.finish()) == expected)
    }

    @Test func aCopyGoesOnByItself() {
        var first = ContentHasher()
        add(Array("a".utf8), to: &first)
        var second = first
        add(Array("bc".utf8), to: &second)
        add(Array("x".utf8), to: &first)
        #expect(hexadecimal(second.finish()).hasPrefix("ba7816bf"))
    }
}

private func add(_ bytes: [UInt8], to hasher: inout ContentHasher) {
    bytes.withUnsafeBytes { hasher.update($0) }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
