import Glibc
package import Platform

/// `.doubt`: damage was met in the catalogue, so that the next start reads all of it before it trusts it (RULES R49).
///
/// The check of every start passes over some damage, for a full one takes long in a large library.
extension LibraryDirectory {
    private static let doubt = Array(".doubt".utf8)

    /// Leaves the mark; the text is for people.
    package func doubtCatalogue(because why: String, files: any FileVerbs) throws(FileError) {
        let file = try openOrCreate(LibraryDirectory.doubt, in: root, files: files)
        try writeBytes(file, Array("\(why)\n".utf8), files: files, at: 0)
        try files.sync(file)
        try files.sync(root)
    }

    func isCatalogueDoubtful(files: any FileVerbs) throws(FileError) -> Bool {
        try files.statusIfPresent(at: LibraryDirectory.doubt, in: root) != nil
    }

    /// The catalogue was found sound, or is another now.
    func dispelDoubt(files: any FileVerbs) throws(FileError) {
        guard try isCatalogueDoubtful(files: files) else { return }
        try files.unlink(LibraryDirectory.doubt, in: root)
        try files.sync(root)
    }
}
