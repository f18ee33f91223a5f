import Control
import Importing
import PhotoModel
import Platform

extension StatusProblem {
    /// File systems that are mounted inside a folder: no scan goes into them, and what they cover is out of sight.
    ///
    /// Nil where there is none.
    init?(mountsIn folder: FolderStatus) {
        let mounts = folder.covered.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let (path, count) = mounts.first else { return nil }
        let place = folder.rule.path + [UInt8(ascii: "/")] + path.bytes
        let more = mounts.count > 1 ? " (and \(mounts.count - 1) more)" : ""
        let mounted = "another file system is mounted on '\(printable(place))'"
        guard count == 0 else {
            self.init(
                what: "\(mounted), over \(counted(count, "imported file")): nothing there is seen\(more)",
                fix: "umount \(shellWord(path: place)), or leave it: the photos stay as they are")
            return
        }
        self.init(
            what: "\(mounted), inside a folder: nothing there is imported\(more)",
            fix: "mount it outside the folder, then albumctl folder add its new place; or add its name to the folder's "
                + "ignore")
    }
}
