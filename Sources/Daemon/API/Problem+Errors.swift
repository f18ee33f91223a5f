import Control
import PhotoStore
import Platform
import SQLite

extension LibraryService {
    /// What an error of the modules means to a client.
    func problem(_ error: any Error) -> Problem {
        fatal.note(ifCatalogueFailed: error)
        switch error {
        case let problem as Problem: return problem
        case let error as LibraryError: return LibraryService.problem(error)
        case let error as FileError:
            if let problem = Problem(ofDisk: error) { return problem }
        case let error as DatabaseError:
            if error.isCorrupt, let failure = library.directory.diskFailure(machine.files) {
                return Problem(ofDisk: failure) ?? .ending
            }
            if let problem = Problem(ofDisk: error) { return problem }
        case let error as ConfigurationError:
            return .conflict("configuration", error.description, fix: error.fix)
        case is CatalogueInspection.Ended: return .unavailable("albumd ends", fix: "try again in a minute")
        case is CancellationError: return .unavailable("the request was cancelled", fix: "try again")
        default: break
        }
        machine.log(.error, "a request failed: \(error)")
        return .internalError("\(error)")
    }

    private static func problem(_ error: LibraryError) -> Problem {
        switch error {
        case .noSuchAsset: .notFound(error.description, fix: "albumctl asset list shows what there is")
        case .assetPurged:
            Problem(
                "assetPurged", title: "It was deleted for good", status: 404, detail: error.description, code: 3201,
                fix: "if its file is still somewhere, save it again: albumctl save FILE", exitCode: 4)
        case .noSuchFolder: .notFound(error.description, fix: "albumctl folder list shows the folders")
        case .noSuchAlbum:
            Problem(
                "noAlbum", title: "There is no such album", status: 404, detail: error.description, code: 3201,
                fix: "albumctl album list", exitCode: 4)
        case .directoryRemoved:
            .unavailable(error.description, fix: "put it back where it was, then systemctl start albumd")
        case .originalsEmptied: .unavailable(error.description, fix: LibraryProblems.fixOfEmptied)
        case .readOnly: .unavailable(error.description, fix: "check the disk, then systemctl restart albumd")
        case .historyDamaged:
            Problem(
                "historyDamaged", title: "The history is damaged", status: 500, detail: error.description, code: -1,
                fix: "albumctl verify --deep, then albumctl repair", exitCode: 1)
        default: .internalError(error.description)
        }
    }
}
