import Control
import Importing
import PhotoModel
import Platform

/// What makes every yes of `safe` doubtful, whatever the file.
extension LibraryService {
    /// A yes turned into a no where this may not be the library that the folders know, or where that is not known yet.
    func doubted(_ row: SafetyRow) -> SafetyRow {
        guard row.isSafe || row.reason == .inTrashFolder else { return row }
        let folders = importing.status.folders
        var row = row
        if let other = folders.first(where: \.standing.isOtherLibrary) {
            let name = printable(other.rule.path)
            row.refuse(
                .otherLibrary, "the folder '\(name)' is \(other.standing.detail ?? "of another library")",
                fix: otherLibraryFix(other.rule.path))
        } else if folderRules.given.map({ Set($0) != Set(folders.map(\.rule)) }) ?? true {
            row.refuse(.changed, "albumd has not looked at its folders since they were changed", fix: "ask again")
        }
        return row
    }
}

extension Standing {
    var isOtherLibrary: Bool {
        if case .otherLibrary = self { true } else { false }
    }
}
