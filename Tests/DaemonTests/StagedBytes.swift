import PhotoModel
import PhotoStore
import Platform
import Testing

/// A hundred bytes, each this number, in the library's staging.
func stagedBytes(_ number: UInt8, in library: PhotoLibrary) throws -> StagedContent {
    let bytes = [UInt8](repeating: number, count: 100)
    var hasher = ContentHasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    let content = Content(
        hash: try #require(ContentHash(bytes: hasher.finish())), byteCount: 100, contentType: "image/jpeg",
        fileExtension: "jpg")
    let staged = try library.directory.originals.stage()
    try writeBytes(staged.file, bytes, files: library.machine.files, at: 0)
    return StagedContent(content: content, staged: staged)
}
