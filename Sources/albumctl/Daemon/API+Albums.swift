import Control
import PhotoModel
import Platform

/// Albums by what a person calls them.
extension API {
    /// The albums with exactly this title.
    func albums(titled title: String) throws(Problem) -> [AlbumRow] {
        try ask(.albumsTitled, body: TitleRequest(title: title), as: PageOf<AlbumRow>.self).value.rows
    }

    /// The album that an argument means: an identifier, or a title that exactly one album has.
    func album(named name: String) throws(Problem) -> LocalIdentifier {
        if let identifier = LocalIdentifier(name) { return identifier }
        let albums = try albums(titled: name)
        guard let album = albums.first else {
            throw .notFound(
                "there is no album '\(printable(name))'",
                fix: "albumctl album list shows them; albumctl album ensure TITLE makes one")
        }
        guard albums.count == 1 else {
            let commands = albums.map { "albumctl album get \($0.localIdentifier)" }.joined(separator: "\n")
            throw .conflict(
                "ambiguousTitle",
                "\(counted(albums.count, "album", one: "is", many: "are")) called '\(printable(name))'",
                fix: "say which one by its identifier; these show them:\n\(commands)")
        }
        return album.localIdentifier
    }
}
