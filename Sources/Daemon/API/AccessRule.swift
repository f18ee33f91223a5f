import Control
import Glibc
import Platform

/// Who may do what on the control socket (RULES S1): the daemon's own user and root everything, members of the
/// socket's group may read, others nothing.
///
/// Pure: the peer's groups are the kernel's word (SO_PEERCRED, SO_PEERGROUPS).
struct AccessRule: Sendable {
    let owner: UInt32
    /// The group that the socket belongs to; nil where it is the daemon's own.
    let readers: UInt32?

    /// Nil where it is allowed.
    func refusal(of access: Operation.Access, to peer: Peer) -> Problem? {
        if peer.uid == owner || peer.uid == 0 { return nil }
        let isReader = readers.map { peer.gid == $0 || peer.groups.contains($0) } ?? false
        switch access {
        case .read where isReader: return nil
        case .read:
            return .refused("uid \(peer.uid) may not read this library", fix: join)
        case .write:
            return .refused(
                "uid \(peer.uid) may not change this library",
                fix: "sudo -u \(shellWord(user)) albumctl …, or run it as root")
        }
    }

    private var join: String {
        guard let readers, let entry = getgrgid(readers) else { return "run it as root" }
        return "sudo usermod -aG \(shellWord(String(cString: entry.pointee.gr_name))) USER, then log in again"
    }

    private var user: String {
        guard let entry = getpwuid(owner) else { return "#\(owner)" }
        return String(cString: entry.pointee.pw_name)
    }
}
