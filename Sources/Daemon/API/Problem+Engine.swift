import Control
import Importing
import PhotoModel
import Platform

extension EngineError {
    /// What the engine refuses, as the API tells it.
    var problem: Problem {
        switch self {
        case .noSuchFolder(let path):
            .notFound("'\(printable(path.bytes))' is no folder", fix: "albumctl folder list")
        case .folderOffline(let why): .conflict("folderOffline", why, fix: "albumctl folder check")
        case .noSuchToken: .notFound("nothing waits for this token", fix: "albumctl status")
        case .tokenExpired(let token):
            .conflict("tokenExpired", "the token is older than a day", fix: "albumctl confirm \(token)")
        case .listChanged(let token):
            .conflict(
                "listChanged", "files of the list are back, and are not deleted",
                fix: token.map { "albumctl confirm \($0)" } ?? "albumctl status")
        }
    }
}
