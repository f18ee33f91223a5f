package import Platform

/// `.rebuilt`: the catalogue was rebuilt, and originals that it did not have in the end have no photo since.
///
/// What named them may have been lost with half a line of the journal, or with whole ones. It stays until there is no
/// orphan, so that no start forgets one before its source was seen again, or a person has looked at it.
extension LibraryDirectory {
    private static let rebuilt = Array(".rebuilt".utf8)

    /// Leaves the mark; the text is for people.
    func noteRebuild(files: any FileVerbs) throws(FileError) {
        let file = try openOrCreate(LibraryDirectory.rebuilt, in: root, files: files)
        let text = "the catalogue was rebuilt, and not every original has been compared with it since\n"
        try writeBytes(file, Array(text.utf8), files: files, at: 0)
        try files.sync(file)
        try files.sync(root)
    }

    /// Whether the mark is there.
    package func isRebuiltWithOrphans(files: any FileVerbs) throws(FileError) -> Bool {
        try files.statusIfPresent(at: LibraryDirectory.rebuilt, in: root) != nil
    }

    /// There is no orphan any more.
    func forgetRebuild(files: any FileVerbs) throws(FileError) {
        guard try isRebuiltWithOrphans(files: files) else { return }
        try files.unlink(LibraryDirectory.rebuilt, in: root)
        try files.sync(root)
    }
}

extension PhotoLibrary {
    /// Ends the mark after an audit that found no orphan.
    ///
    /// Blocks. Of a directory that cannot be listed nothing is known: then it stays.
    package nonisolated func forgetRebuild() throws {
        let files = machine.files
        guard try directory.isRebuiltWithOrphans(files: files), try directory.originals.unlisted().isEmpty else {
            return
        }
        try directory.forgetRebuild(files: files)
    }
}
