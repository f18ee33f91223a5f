import Control
import PhotoModel

extension PathBytes {
    /// The title of an album as a client gave it: the one rule for every way in.
    init(albumTitle title: String) throws(Problem) {
        guard !title.isEmpty, title.utf8.count <= 1024 else { throw .badRequest("a title has 1 to 1,024 bytes") }
        self.init(title)
    }
}

extension SaveRequest {
    /// Refuses a new title that no album can have; an identifier is looked up later.
    func checkAlbum() throws(Problem) {
        guard let album, LocalIdentifier(album) == nil else { return }
        _ = try PathBytes(albumTitle: album)
    }
}
