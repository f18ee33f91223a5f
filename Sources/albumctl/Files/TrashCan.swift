import Glibc
import PhotoModel
import Platform

/// One trash directory, with its two parts open.
struct TrashCan {
    let files: OpenFile
    let info: OpenFile
    /// What recorded paths are relative to; nil in the home trash, where they are absolute.
    let top: PathBytes?

    /// The path as its `.trashinfo` has it.
    func recorded(_ path: PathBytes) -> [UInt8] {
        guard let top else { return path.bytes }
        return Array(path.bytes.dropFirst(top.bytes.count).drop { $0 == slash })
    }

    /// The home trash where that is on the file's device, else the one at the top of the device.
    static func find(for path: PathBytes, device: UInt64, host: Host) throws(FileError) -> TrashCan {
        if let home = try homeTrash(host, on: device) { return try TrashCan(home, top: nil, host) }
        let top = try topDirectory(of: path, device: device, host)
        return try TrashCan(try topTrash(top, host), top: top, host)
    }

    private init(_ trash: OpenFile, top: PathBytes?, _ host: Host) throws(FileError) {
        let verbs = host.machine.files
        files = try openOrMake(Array("files".utf8), in: trash, files: verbs)
        info = try openOrMake(Array("info".utf8), in: trash, files: verbs)
        self.top = top
    }

    /// `$XDG_DATA_HOME/Trash`, made if need be; nil where that is on another device, or nowhere.
    private static func homeTrash(_ host: Host, on device: UInt64) throws(FileError) -> OpenFile? {
        let share = host.variable("HOME").map { $0 + Array("/.local/share".utf8) }
        guard let data = host.variable("XDG_DATA_HOME") ?? share, data.first == slash else { return nil }
        let verbs = host.machine.files
        var (path, missing) = (PathBytes(data).appending(Array("Trash".utf8)), [[UInt8]]())
        while true {
            do throws(FileError) {
                var directory = try verbs.openDirectory(path.bytes.isEmpty ? [slash] : path.bytes)
                guard try verbs.status(of: directory).device == device else { return nil }
                for name in missing.reversed() { directory = try openOrMake(name, in: directory, files: verbs) }
                return directory
            } catch  where error.code == ENOENT && !path.bytes.isEmpty {
                missing.append(path.name.bytes)
                path = path.directory
            }
        }
    }

    /// The highest directory above the file that is on the same device: where the device is mounted.
    private static func topDirectory(
        of path: PathBytes, device: UInt64, _ host: Host
    ) throws(FileError) -> PathBytes {
        let verbs = host.machine.files
        var top = path.directory
        while !top.bytes.isEmpty {
            let parent = top.directory
            let above = try verbs.openDirectory(parent.bytes.isEmpty ? [slash] : parent.bytes)
            guard try verbs.status(of: above).device == device else { return top }
            top = parent
        }
        return top
    }

    /// `$top/.Trash/$uid` where an administrator made `.Trash` with its sticky bit, else `$top/.Trash-$uid`.
    private static func topTrash(_ top: PathBytes, _ host: Host) throws(FileError) -> OpenFile {
        let verbs = host.machine.files
        let root = try verbs.openDirectory(top.bytes.isEmpty ? [slash] : top.bytes)
        let user = Array("\(geteuid())".utf8)
        if let shared = try? verbs.openDirectory(Array(".Trash".utf8), beneath: root),
            let status = try? verbs.status(of: shared), status.mode & UInt32(S_ISVTX) != 0
        {
            if let own = try? openOrMake(user, in: shared, files: verbs), try isOwn(own, verbs) { return own }
        }
        let own = try openOrMake(Array(".Trash-".utf8) + user, in: root, files: verbs)
        guard try isOwn(own, verbs) else { throw FileError(code: EACCES, verb: "trash", path: top.bytes) }
        return own
    }

    private static func isOwn(_ directory: OpenFile, _ verbs: any FileVerbs) throws(FileError) -> Bool {
        try verbs.status(of: directory).owner == geteuid()
    }
}

private let slash = UInt8(ascii: "/")
