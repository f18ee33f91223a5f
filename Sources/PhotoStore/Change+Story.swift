package import PhotoModel
import Platform

/// What a change tells of moved files.
extension Change {
    /// Tells at the paths where a file was where it is now.
    package mutating func tellMove(from former: [SourceKey], to key: SourceKey) throws {
        guard !former.isEmpty else { return }
        let root = try catalogue.folders().first { $0.folder == key.folder }?.path ?? PathBytes([])
        let name = printable(root.appending(key.path.bytes).bytes)
        for old in former {
            tell("moved to '\(name)'", of: old)
        }
    }
}
