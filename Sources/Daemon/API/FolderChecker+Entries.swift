import Control
import Glibc
import Importing
import PhotoModel
import Platform

/// `entries` and `removable`: what lies in the folder, each thing with what mends it.
extension FolderChecker {
    /// One line for each entry that is not as it should be, or one good line.
    func entries(_ rule: FolderRule, _ root: OpenFile, _ result: Result) -> [FolderCheck] {
        let isRemoving = rule.mode == .move || rule.onAssetDeleted == .remove
        let faults = FolderFaults(
            beneath: root, ignore: IgnoreRules(rule.ignore), removal: isRemoving ? RemovalRights(files: files) : nil,
            files: files)
        let untaken = faults.untaken.map { entry in
            let path = whole(entry.path, of: rule)
            return result("entries", false, said(entry, path), mending(entry, path))
        }
        let unremovable = faults.unremovable.map { entry in
            let path = whole(entry.path, of: rule)
            return result("removable", false, said(entry, path), mending(entry, path))
        }
        let read = [result("entries", true, "\(counted(faults.checkedCount, "file")), all readable", nil)]
        let removed = isRemoving ? [result("removable", true, "files can be removed", nil)] : []
        return (untaken.isEmpty ? read : untaken) + (unremovable.isEmpty ? removed : unremovable)
    }

    private func whole(_ path: [UInt8], of rule: FolderRule) -> [UInt8] {
        path.isEmpty ? rule.path : PathBytes(rule.path).appending(path).bytes
    }

    private func name(_ path: [UInt8], isDirectory: Bool) -> String {
        "the \(isDirectory ? "directory" : "file") '\(printable(path))'"
    }

    private func said(_ entry: FolderFaults.Entry<FolderFaults.Untaken>, _ path: [UInt8]) -> String {
        let name = name(path, isDirectory: entry.isDirectory)
        return switch entry.fault {
        case .unreadable: "\(name) cannot be read by albumd"
        case .beyond(let limit): "\(name) is passed over: \(limit.explanation ?? limit.rawValue)"
        }
    }

    private func mending(_ entry: FolderFaults.Entry<FolderFaults.Untaken>, _ path: [UInt8]) -> String {
        switch entry.fault {
        case .unreadable where entry.isDirectory: grant(path, "rX")
        case .unreadable: grantReading(ofFile: path)
        case .beyond:
            "move it up in the folder, or out of the folder to a directory that is watched by itself: "
                + "albumctl folder add DIR"
        }
    }

    private func said(_ entry: FolderFaults.Entry<RemovalRights.Fault>, _ path: [UInt8]) -> String {
        let name = name(path, isDirectory: entry.isDirectory)
        return switch entry.fault {
        case .attribute where entry.isDirectory:
            "\(name) is immutable or append-only: nothing in it can be removed"
        case .attribute: "\(name) is immutable or append-only, and cannot be removed"
        case .sticky: "\(name) is sticky, and holds files of other users, which cannot be removed"
        case .access(let code): "files cannot be removed from \(name): \(String(cString: strerror(code)))"
        }
    }

    private func mending(_ entry: FolderFaults.Entry<RemovalRights.Fault>, _ path: [UInt8]) -> String {
        switch entry.fault {
        case .attribute: removalFix(path, EPERM)
        case .sticky:
            "use the drop-in move.conf, as README says"
                + "\nor, where whoever may write there may remove all of it: sudo chmod -t \(shellWord(path: path))"
        case .access(let code): removalFix(path, code)
        }
    }
}
