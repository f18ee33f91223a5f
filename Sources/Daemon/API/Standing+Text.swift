import Control
import FoundationEssentials
import Importing
import PhotoModel
import Platform

/// How a folder stands, for a person and for JSON.
extension Standing {
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .online: "online"
        case .offline: "offline"
        case .otherLibrary: "otherLibrary"
        }
    }

    var detail: String? {
        switch self {
        case .unknown, .online: nil
        case .offline(let why): why
        case .otherLibrary(let library): "marked by library \(library): is the library's own volume mounted?"
        }
    }

    /// What mends it; nil where nothing is to be mended.
    ///
    /// The guard's reason names `folder confirm` where a person's word is all that is missing.
    func fix(_ path: [UInt8]) -> String? {
        let name = shellWord(path: path)
        let confirm = "albumctl folder confirm"
        return switch self {
        case .unknown, .online: nil
        case .offline(let why) where why.contains(confirm):
            "mount its volume or, if this is the right folder: \(confirm) \(name)"
        case .offline: "albumctl folder check \(name)"
        case .otherLibrary: otherLibraryFix(path)
        }
    }
}

extension PendingRow {
    /// A folder that cannot be reached: what is known of it waits, and so does what may lie in it.
    ///
    /// Nil for one that is online, or not looked at yet.
    init?(waiting folder: FolderStatus, sources: Int) {
        guard let why = folder.standing.detail, let fix = folder.standing.fix(folder.rule.path) else { return nil }
        let known = sources == 0 ? "" : "; \(counted(sources, "file", one: "is", many: "are")) known there"
        // A reason that names the command already says all.
        let next = why.contains("albumctl") ? "" : "; next: \(fix)"
        var isOther = false
        if case .otherLibrary = folder.standing { isOther = true }
        self.init(
            path: PathBytes(folder.rule.path), outcome: isOther ? .blocked : .pending,
            reason: isOther ? .otherLibrary : .folderOffline, detail: "\(why)\(known)\(next)", since: nil,
            retryDate: nil)
    }
}
