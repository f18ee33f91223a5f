import PhotoModel
import PhotoStore
import Platform

/// An original on its way from the store: what is in staging, and its hash so far.
struct Download {
    let staged: StagedFile
    /// Whether an earlier fetch brought part of it.
    let isResumed: Bool
    /// How many bytes there are.
    private(set) var end: Int64
    private var hasher = ContentHasher()
    private let content: Content

    init(_ content: Content, _ originals: Originals) throws(FileError) {
        var hasher = ContentHasher()
        (staged, end) = try originals.stagePartial(of: content) { hasher.update($0) }
        (self.content, self.hasher, isResumed) = (content, hasher, end > 0)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, files: any FileVerbs) throws(FileError) {
        hasher.update(bytes)
        try files.write(staged.file, bytes, at: end)
        end += Int64(bytes.count)
    }

    /// Whether these are the very bytes.
    var isRight: Bool { ContentHash(bytes: hasher.finish()) == content.hash }
}
