import FoundationEssentials
import PhotoModel
import Testing

@Suite struct PathBytesTests {
    @Test func composedAndDecomposedNamesAreTwoPaths() {
        let composed = PathBytes("caf\u{e9}.jpg")
        let decomposed = PathBytes("cafe\u{301}.jpg")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test(arguments: [
        ("IMG_0001.JPG", "", "IMG_0001.JPG"), ("a/b/c.jpg", "a/b", "c.jpg"), ("/a", "", "a"), ("a/", "a", ""),
        ("", "", ""),
    ])
    func aPathHasADirectoryAndAName(path: String, directory: String, name: String) {
        #expect(PathBytes(path).directory == PathBytes(directory))
        #expect(PathBytes(path).name == PathBytes(name))
    }

    @Test func aNameIsAppendedWithOneSlash() {
        #expect(PathBytes("").appending(Array("a".utf8)) == PathBytes("a"))
        #expect(PathBytes("a/b").appending(Array("c".utf8)) == PathBytes("a/b/c"))
    }

    @Test func theOrderIsThatOfTheBytes() {
        #expect(PathBytes("a-b") < PathBytes("a/b"))
        #expect(PathBytes("z") < PathBytes([0xFF]))
        #expect(PathBytes("a") < PathBytes("a/b"))
    }

    @Test(arguments: [
        "a.jpg", "", "\u{202e}gpj.exe", "line\nbreak", "quote\"", "caf\u{e9}", "cafe\u{301}", "\u{1F4F7}",
    ])
    func utf8IsAStringInJSON(text: String) throws {
        let data = try JSONEncoder().encode([PathBytes(text)])
        #expect(try JSONDecoder().decode([String].self, from: data).map { Array($0.utf8) } == [Array(text.utf8)])
        #expect(try JSONDecoder().decode([PathBytes].self, from: data) == [PathBytes(text)])
    }

    @Test(arguments: [[0x4A, 0xF1, 0x2E], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]])
    func otherBytesAreBase64InJSON(bytes: [UInt8]) throws {
        let path = PathBytes(bytes)
        #expect(path.utf8 == nil)
        let data = try JSONEncoder().encode(path)
        #expect(
            try JSONDecoder().decode([String: String].self, from: data) == ["base64": Data(bytes).base64EncodedString()]
        )
        #expect(try JSONDecoder().decode(PathBytes.self, from: data) == path)
    }

    @Test(arguments: ["3", "null", "{}", "[]", #"{"base64":"*"}"#, #"{"base64":3}"#])
    func otherJSONIsNoPath(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PathBytes.self, from: Data(text.utf8)) }
    }
}
