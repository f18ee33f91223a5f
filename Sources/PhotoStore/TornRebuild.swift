package import Platform

/// `.torn`: the catalogue was rebuilt from a journal that ended in half a line, and an original that this line may have
/// named has no photo since.
///
/// It stays until there is no orphan, so that no start forgets one before a person has looked at it.
extension LibraryDirectory {
    private static let torn = Array(".torn".utf8)

    /// Leaves the mark; the text is for people.
    func noteTornRebuild(files: any FileVerbs) throws(FileError) {
        let file = try openOrCreate(LibraryDirectory.torn, in: root, files: files)
        let text = "the journal ended in half a line when the catalogue was rebuilt from it\n"
        try writeBytes(file, Array(text.utf8), files: files, at: 0)
        try files.sync(file)
        try files.sync(root)
    }

    /// Whether the mark is there.
    package func wasRebuiltTorn(files: any FileVerbs) throws(FileError) -> Bool {
        try files.statusIfPresent(at: LibraryDirectory.torn, in: root) != nil
    }

    /// There is no orphan any more.
    func forgetTornRebuild(files: any FileVerbs) throws(FileError) {
        guard try wasRebuiltTorn(files: files) else { return }
        try files.unlink(LibraryDirectory.torn, in: root)
        try files.sync(root)
    }
}

extension PhotoLibrary {
    /// Ends the mark after an audit that found no orphan.
    ///
    /// Blocks. Of a directory that cannot be listed nothing is known: then it stays.
    package nonisolated func forgetTornRebuild() throws {
        let files = machine.files
        guard try directory.wasRebuiltTorn(files: files), try directory.originals.unlisted().isEmpty else { return }
        try directory.forgetTornRebuild(files: files)
    }
}
