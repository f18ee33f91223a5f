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
        case .notLookedThrough(let path):
            .conflict(
                "notLookedThrough",
                "what went from '\(printable(path.bytes))' before albumd's start is not known yet: nothing was deleted",
                fix: "albumctl status, in a minute")
        case .listChanged(let token):
            .conflict(
                "listChanged", "the token stood for another list than the one that waits now: nothing was deleted",
                fix: token.map { "albumctl confirm \($0) --dry-run" } ?? "albumctl status")
        }
    }
}
