import CLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel says (unix(7)).
///
/// The pid is a hint, never a proof (RULES S1).
package struct SocketPeer: Sendable, Equatable {
    package var uid: UInt32
    package var gid: UInt32
    /// The supplementary groups; empty where the kernel does not tell them.
    package var groups: [UInt32]
    package var pid: Int32

    /// Asks for SO_PEERCRED and SO_PEERGROUPS.
    ///
    /// Throws the errno of getsockopt(2).
    package init(of descriptor: Int32) throws(FileError) {
        (uid, gid, pid) = (0, 0, 0)
        guard linux_peer(descriptor, &pid, &uid, &gid) == 0 else {
            throw FileError(code: errno, verb: "getsockopt SO_PEERCRED")
        }
        groups = SocketPeer.groups(of: descriptor)
    }

    private static func groups(of descriptor: Int32) -> [UInt32] {
        // NGROUPS_MAX is 65,536; few have more than a handful.
        for capacity in [32, 1024, 65_536] {
            var groups = [UInt32](repeating: 0, count: capacity)
            let count = linux_peer_groups(descriptor, &groups, capacity)
            if count >= 0 { return Array(groups.prefix(Int(count))) }
            guard errno == ERANGE else { break }
        }
        return []
    }
}

/// Takes the next connection of a listening socket, close-on-exec and non-blocking (accept4(2)).
package func acceptConnection(on listener: Int32) throws(FileError) -> Int32 {
    let descriptor = linux_accept(listener)
    guard descriptor >= 0 else { throw FileError(code: errno, verb: "accept") }
    return descriptor
}

/// Whether a descriptor is a Unix stream socket that listens already, as systemd hands over (sd_listen_fds(3)).
package func isUnixListener(_ descriptor: Int32) -> Bool { linux_is_unix_listener(descriptor) }
