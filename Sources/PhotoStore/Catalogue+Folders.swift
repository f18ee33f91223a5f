package import FoundationEssentials
package import PhotoModel
import SQLite

/// Reading the folders that the library knows, and the albums they are bound to.
extension Catalogue {
    package func folders() throws -> [FolderRegistration] {
        try connection.all(Self.folderColumns + "ORDER BY id") { try Self.folder($0) }
    }

    package func folder(at path: PathBytes) throws -> FolderRegistration? {
        try connection.first(Self.folderColumns + "WHERE path = ?", .blob(path.bytes)) { try Self.folder($0) }
    }

    package func folder(_ uuid: UUID) throws -> FolderRegistration? {
        try connection.first(Self.folderColumns + "WHERE uuid = ?", .uuid(uuid)) { try Self.folder($0) }
    }

    /// The album that a folder, or one of its directories, is bound to; it may be gone.
    package func albumBinding(folder: UUID, directory: PathBytes) throws -> FolderAlbumBinding? {
        try connection.first(
            """
            SELECT title, albumUUID FROM folderAlbum
            WHERE folder = (SELECT id FROM folder WHERE uuid = ?) AND directory = ?
            """, .uuid(folder), .blob(directory.bytes)
        ) {
            FolderAlbumBinding(
                folder: folder, directory: directory, title: PathBytes($0.blob(0)),
                album: LocalIdentifier(try $0.uuid(1)))
        }
    }

    private static let folderColumns = "SELECT uuid, path, fileSystem, rootInode, isMarked FROM folder "

    private static func folder(_ row: borrowing Row) throws -> FolderRegistration {
        FolderRegistration(
            folder: try row.uuid(0), path: PathBytes(row.blob(1)), fileSystem: row.blobIfPresent(2),
            rootInode: row.bits(3), isMarked: row.integer(4) == 1)
    }
}
