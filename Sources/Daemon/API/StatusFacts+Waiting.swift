import Control
import PhotoModel
import Platform

extension StatusFacts {
    /// A problem for each reason that keeps files from the library and does not pass by itself.
    ///
    /// Counted from what waits, not from the pause of imports: that ends with each small file that still fits.
    var heldBack: [StatusProblem] {
        waiting.sorted { $0.key < $1.key }.compactMap { word, count in
            // A folder that is away is a problem of its own.
            guard count > 0, let reason = Reason(rawValue: word), !reason.isPassing, reason != .folderOffline else {
                return nil
            }
            let files = counted(count, "file", one: "waits", many: "wait")
            return StatusProblem(what: "\(files) for \(reason.lack)", fix: reason.mending)
        }
    }
}

extension Reason {
    /// What a file that waits for this reason lacks.
    fileprivate var lack: String {
        switch self {
        case .noSpace: "room on the library's disk (noSpace)"
        case .libraryReadOnly: "a library that can be written (libraryReadOnly)"
        case .tooManyOpenFiles: "a limit of open files that lets albumd work (tooManyOpenFiles)"
        case .ioError: "a disk that reads and writes without errors (ioError)"
        case .folderReadOnly: "a folder that can be written (folderReadOnly)"
        case .permission: "albumd to be let in (permission)"
        default: rawValue
        }
    }

    fileprivate var mending: String {
        switch self {
        case .noSpace: "free some space on the library's disk; the files are taken by themselves then"
        case .libraryReadOnly: "mend the library's file system and mount it read-write"
        case .tooManyOpenFiles: Problem.moreOpenFiles
        case .folderReadOnly: "albumctl folder check says what mends that; or give the folder mode = \"copy\""
        case .permission: "albumctl folder check"
        default: "albumctl pending"
        }
    }
}
