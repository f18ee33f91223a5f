import FoundationEssentials
import PhotoModel
import Testing

@Suite struct ContentHashTests {
    private let digits = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test func digitsBytesAndHashAreOne() throws {
        let hash = try #require(ContentHash(hexadecimal: digits))
        #expect(hash.hexadecimal == digits)
        #expect(hash.bytes.count == 32)
        #expect(hash.bytes.first == 0xE3)
        #expect(hash.bytes.last == 0x55)
        #expect(ContentHash(bytes: hash.bytes) == hash)
    }

    @Test func onlySixtyFourDigitsInLowerCaseAreAHash() {
        #expect(ContentHash(hexadecimal: digits.uppercased()) == nil)
        #expect(ContentHash(hexadecimal: digits.dropLast()) == nil)
        #expect(ContentHash(hexadecimal: digits + "0") == nil)
        #expect(ContentHash(hexadecimal: "g" + digits.dropFirst()) == nil)
        #expect(ContentHash(hexadecimal: "") == nil)
        #expect(ContentHash(bytes: [1, 2, 3]) == nil)
    }

    @Test func theOrderIsThatOfTheBytes() throws {
        let hashes = try (0..<64).map { place in
            var bytes = [UInt8](repeating: 0, count: 32)
            bytes[place / 2] = place % 2 == 0 ? 0x01 : 0x80
            return try #require(ContentHash(bytes: bytes))
        }
        let byBytes = hashes.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        #expect(hashes.sorted() == byBytes)
        #expect(hashes.map(\.hexadecimal).sorted() == byBytes.map(\.hexadecimal))
    }

    @Test func jsonCarriesTheDigits() throws {
        let hash = try #require(ContentHash(hexadecimal: digits))
        let data = try JSONEncoder().encode([hash])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(digits)\"]")
        #expect(try JSONDecoder().decode([ContentHash].self, from: data) == [hash])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ContentHash].self, from: Data("[\"e3\"]".utf8))
        }
    }
}
