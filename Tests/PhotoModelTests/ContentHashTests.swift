import PhotoModel
import Testing

@Suite struct ContentHashTests {
    private let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func digitsAndBytesAreTheSameHash() throws {
        let hash = try #require(ContentHash(hexadecimal: text))
        #expect(hash.hexadecimal == text)
        #expect(hash.bytes.prefix(3) == [0xBA, 0x78, 0x16])
        #expect(ContentHash(bytes: hash.bytes) == hash)
    }

    @Test(arguments: ["", "ba", String(repeating: "A", count: 64), String(repeating: "g", count: 64)])
    func whatIsNoHashIsRefused(text: String) {
        #expect(ContentHash(hexadecimal: text) == nil)
        #expect(ContentHash(hexadecimal: self.text + text + "0") == nil)
    }

    @Test(arguments: [0, 31, 33]) func aHashHas32Bytes(count: Int) {
        #expect(ContentHash(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test(arguments: [0, 7, 8, 31]) func hashesAreOrderedAsTheirBytes(index: Int) throws {
        var larger = [UInt8](repeating: 0x7F, count: 32)
        let smaller = try #require(ContentHash(bytes: larger))
        larger[index] = 0x80
        #expect(try smaller < #require(ContentHash(bytes: larger)))
    }
}
