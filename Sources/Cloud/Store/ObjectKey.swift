package import PhotoModel

/// The name of an object: parts of letters, digits, `.`, `_` and `-`, with slashes between them.
///
/// Every engine takes these as they are: S3 calls them safe characters
/// (docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html), and a directory has them as names. No file name of a
/// user is ever in a key.
package struct ObjectKey: Hashable, Sendable {
    package let text: String

    /// Nil for an empty part, for `.` and `..`, for other characters, and beyond 512 bytes.
    package init?(_ text: String) {
        guard text.utf8.count <= 512 else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.allSatisfy(ObjectKey.isPart) else { return nil }
        self.text = text
    }

    private init(trusted text: String) { self.text = text }

    /// Where the tier keeps an original.
    package static func original(_ hash: ContentHash) -> ObjectKey { ObjectKey(trusted: hash.objectKey) }

    /// The hash of an original's key; nil for any other key.
    package var originalHash: ContentHash? {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let hash = ContentHash(hexadecimal: parts[1]) else { return nil }
        return ObjectKey.original(hash) == self ? hash : nil
    }

    private static func isPart(_ part: Substring.UTF8View.SubSequence) -> Bool {
        !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8) && part.allSatisfy(isSafe)
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ObjectKey: Comparable {
    /// In the order of their bytes, as stores list them.
    package static func < (left: ObjectKey, right: ObjectKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension ObjectKey: CustomStringConvertible {
    package var description: String { text }
}
