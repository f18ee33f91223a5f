import CSystemd
import Glibc
import Platform

/// The sockets handed over by the service manager do not suit.
package struct ServiceSocketError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
}

/// The listening socket of a socket unit (sd_listen_fds(3)).
package enum ServiceSockets {
    /// Takes the control socket that the service manager opened; nil where it opened none.
    ///
    /// Call it once, before any thread runs: it clears `LISTEN_FDS`, so that no child believes the socket its own.
    /// The descriptor is close-on-exec and the caller's to close.
    package static func takeControlSocket() throws(ServiceSocketError) -> Int32? {
        let count = sd_listen_fds(1)
        guard count >= 0 else {
            throw ServiceSocketError(description: "sd_listen_fds: \(String(cString: strerror(-count)))")
        }
        guard count > 0 else { return nil }
        guard count == 1 else {
            throw ServiceSocketError(
                description:
                    "\(counted(Int(count), "socket", one: "was", many: "were")) handed over; albumd.socket may list one ListenStream"
            )
        }
        let socket = SD_LISTEN_FDS_START
        guard sd_is_socket_unix(socket, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
            throw ServiceSocketError(
                description:
                    "the socket handed over is no listening Unix stream; write ListenStream=/run/albumd/control.sock")
        }
        return socket
    }
}
