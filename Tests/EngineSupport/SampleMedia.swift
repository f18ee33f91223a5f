package import PhotoModel
import Platform
import TestSupport

/// Small files, each number another content, that recognition takes for what they are.
package enum SampleMedia {
    /// A whole JPEG: a comment with the number, then `byteCount` bytes of scan.
    package static func picture(_ number: Int, byteCount: Int = 200) -> [UInt8] {
        let comment = Array("picture \(number)".utf8)
        return [0xFF, 0xD8, 0xFF, 0xFE] + bigEndian(comment.count + 2) + comment + [0xFF, 0xDA, 0, 3, 1]
            + noise(number, byteCount) + [0xFF, 0xD9]
    }

    /// The same without its end.
    package static func half(of picture: [UInt8]) -> [UInt8] { Array(picture.prefix(picture.count / 2)) }

    /// An XMP sidecar.
    package static func sidecar(_ number: Int) -> [UInt8] {
        Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\" x:xmptk=\"number \(number)\"></x:xmpmeta>\n".utf8)
    }

    package static func text(_ number: Int) -> [UInt8] { Array("a shopping list, number \(number)\n".utf8) }

    package static func hash(_ bytes: [UInt8]) -> ContentHash? {
        var hasher = ContentHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return ContentHash(bytes: hasher.finish())
    }

    /// Never 0xFF, which would be a mark of the format.
    private static func noise(_ number: Int, _ count: Int) -> [UInt8] {
        var generator = SeededRandom(seed: UInt64(number))
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) & 0x7F }
    }

    private static func bigEndian(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
}
