import Control
import Glibc
import Platform

/// What somebody needs who may not connect: the group that owns the socket (getgrgid_r(3)).
struct SocketAccess {
    /// Says which group it is and how to join it.
    static func problem(at path: String) -> Problem {
        let detail = "this user may not connect to '\(printable(path))'"
        guard let gate = gate(of: path) else { return refused(detail, "ask who runs albumd") }
        let user = name(ofUser: geteuid())
        guard gate.st_mode & S_IXGRP != 0, gate.st_gid != 0 else {
            let owner = name(ofUser: gate.st_uid)
            return refused(
                "\(detail): it belongs to \(printable(owner)) alone", "sudo -u \(shellWord(owner)) albumctl …")
        }
        guard let group = Group(gate.st_gid) else {
            return refused(
                "\(detail): it belongs to the group #\(gate.st_gid), which has no name here",
                "sudo groupadd -g \(gate.st_gid) albumd-clients && sudo usermod -aG albumd-clients \(shellWord(user))"
                    + "\nthen log in again")
        }
        guard !group.members.contains(user) else {
            return refused(
                "\(detail): \(printable(user)) is in its group \(printable(group.name)), but this login is older than that",
                "log out and in again, or: newgrp \(shellWord(group.name))")
        }
        return refused(
            "\(detail): it belongs to the group \(printable(group.name)), and \(printable(user)) is not in it",
            "sudo usermod -aG \(shellWord(group.name)) \(shellWord(user))\nthen log in again")
    }

    private static func refused(_ detail: String, _ fix: String) -> Problem {
        Problem.refused(detail, fix: fix)
    }

    /// The socket, or the directory on the way to it that already says no; group bits as those of a directory.
    private static func gate(of path: String) -> stat? {
        var status = stat()
        if stat(path, &status) == 0 {
            // Writing is what connect(2) needs of a socket, searching what a directory gives.
            if status.st_mode & S_IWGRP != 0 { status.st_mode |= S_IXGRP } else { status.st_mode &= ~S_IXGRP }
            return status
        }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
        let directory = String(path[..<slash])
        return stat(directory, &status) == 0 ? status : gate(ofParent: directory)
    }

    private static func gate(ofParent directory: String) -> stat? {
        guard let slash = directory.lastIndex(of: "/"), slash != directory.startIndex else { return nil }
        let parent = String(directory[..<slash])
        var status = stat()
        return stat(parent, &status) == 0 ? status : gate(ofParent: parent)
    }

    private static func name(ofUser uid: uid_t) -> String {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else {
            return "#\(uid)"
        }
        return String(cString: name)
    }

    private struct Group {
        let name: String
        let members: [String]

        init?(_ gid: gid_t) {
            var (entry, found) = (group(), UnsafeMutablePointer<group>?.none)
            var buffer = [CChar](repeating: 0, count: 65_536)
            guard getgrgid_r(gid, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.gr_name
            else { return nil }
            self.name = String(cString: name)
            var members: [String] = []
            var next = entry.gr_mem
            while let place = next, let member = place.pointee {
                members.append(String(cString: member))
                next = place.advanced(by: 1)
            }
            self.members = members
        }
    }
}
