import Control
import Glibc
import Platform

/// The daemon's socket, and where it was looked for.
struct SocketPlace: Sendable {
    /// As the program that connects wants it.
    let path: String
    /// Every place that was looked at, the chosen one last.
    let places: [String]

    /// `--socket`, else ALBUMD_SOCKET, else $XDG_RUNTIME_DIR/albumd/control.sock where that exists, else
    /// /run/albumd/control.sock.
    static func find(_ option: [UInt8]?, _ host: Host) throws(Problem) -> SocketPlace {
        if let option { return try SocketPlace(only: option) }
        if let named = host.variable("ALBUMD_SOCKET") { return try SocketPlace(only: named) }
        let system = "/run/albumd/control.sock"
        guard let directory = host.variable("XDG_RUNTIME_DIR"),
            let own = String(validating: directory + Array("/albumd/control.sock".utf8), as: UTF8.self)
        else { return SocketPlace(path: system, places: [system]) }
        let exists = access(own, F_OK) == 0
        return SocketPlace(path: exists ? own : system, places: exists ? [own] : [own, system])
    }

    private init(path: String, places: [String]) {
        self.path = path
        self.places = places
    }

    /// A place that somebody named; a socket's path has at most 107 bytes (unix(7)).
    private init(only bytes: [UInt8]) throws(Problem) {
        guard let path = String(validating: bytes, as: UTF8.self), !bytes.isEmpty, bytes.count <= 107 else {
            throw .usage("a socket's path has 1 to 107 bytes of UTF-8, and '\(printable(bytes))' has not")
        }
        self.init(path: path, places: [path])
    }
}
