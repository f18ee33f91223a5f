import PhotoModel
import Platform
import TestSupport
import Testing

@testable import PhotoStore

/// Whether a file has the bytes of a stored original, all of them, and no others (RULES R4).
@Suite struct ComparisonTests {
    /// What a file is made of beside its original.
    enum Other: CaseIterable {
        case first, last, shorter, longer

        func change(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .first: [bytes[0] ^ 1] + bytes.dropFirst()
            case .last: bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]
            case .shorter: bytes.dropLast()
            case .longer: bytes + [0]
            }
        }
    }

    private static let piece = 128 << 10
    static let lengths = [1, piece - 1, piece, piece + 1, 3 * piece]

    private func text(of length: Int) -> String {
        String(decoding: (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 23) }, as: UTF8.self)
    }

    private func hasBytes(
        _ bytes: [UInt8], storedAs text: String, in home: SimulatedLibrary, _ meddle: () throws -> Void = {}
    ) throws -> Bool {
        let library = try home.open()
        defer { home.close() }
        try library.inside { library throws in _ = try library.importAssets([text]) }
        try meddle()
        try home.program.write(Array("/file".utf8), bytes)
        let root = try home.files.openDirectory(Array("/".utf8))
        let file = try home.files.openForReading(Array("file".utf8), beneath: root)
        return try library.directory.originals.hasBytes(of: file, storedAs: Sample.content(text))
    }

    @Test(arguments: lengths) func theSameBytesAreFoundAsSuch(length: Int) throws {
        try withSimulatedLibrary { home in
            let text = text(of: length)
            let isFound = try hasBytes(Array(text.utf8), storedAs: text, in: home)
            #expect(isFound)
        }
    }

    @Test(arguments: lengths, Other.allCases) func oneOtherByteIsFound(length: Int, other: Other) throws {
        try withSimulatedLibrary { home in
            let text = text(of: length)
            let isFound = try hasBytes(other.change(Array(text.utf8)), storedAs: text, in: home)
            #expect(!isFound)
        }
    }

    @Test func anOriginalThatCannotBeReadHasNothing() throws {
        try withSimulatedLibrary { home in
            let name = try Sample.content("a").hash.hexadecimal
            let path = Array("/library/originals/\(name.prefix(2))/\(name).jpg".utf8)
            let isThere = try hasBytes(Array("a".utf8), storedAs: "a", in: home) { try home.program.unlink(path) }
            #expect(!isThere)
        }
    }
}
