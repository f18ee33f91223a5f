package import PhotoModel

/// What is wrong with a name to keep with a photo; nil where a file could have it (path_resolution(7)).
package func fault(ofFilename name: PathBytes) -> String? {
    let bytes = name.bytes
    if bytes.isEmpty { return "is empty" }
    if name == PathBytes(".") || name == PathBytes("..") { return "means a directory" }
    if bytes.contains(UInt8(ascii: "/")) { return "holds a slash" }
    if bytes.contains(0) { return "holds a zero byte" }
    return bytes.count > 255 ? "is longer than 255 bytes" : nil
}

extension Problem {
    /// A name that no file can have.
    package static func badFilename(_ shown: String, _ fault: String) -> Problem {
        .badRequest(
            "the name '\(shown)' \(fault)",
            fix: "choose a plain name of 1 to 255 bytes without a slash, such as IMG_1.jpg")
    }
}
