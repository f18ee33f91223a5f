import Glibc
import Platform

/// Where the configuration, the library and the socket are when nobody says otherwise.
package struct ConfigurationPlaces: Sendable, Equatable {
    package var file: [UInt8]
    package var library: [UInt8]
    package var socket: [UInt8]

    /// The places of the system service.
    package static let system = ConfigurationPlaces(
        file: Array("/etc/albumd/albumd.toml".utf8),
        library: Array("/var/lib/albumd/library".utf8),
        socket: Array("/run/albumd/control.sock".utf8))

    /// The places for a process of `uid`: the system's for root and system users, else the user's own.
    ///
    /// A user's places follow the XDG base directories; a variable that is no absolute path is ignored, as the
    /// specification asks. `environment` gives bytes, because a home directory need not be text.
    package init(uid: UInt32, home: [UInt8]?, environment: (String) -> [UInt8]?) throws(ConfigurationError) {
        if ConfigurationPlaces.isSystem(uid) {
            self = .system
            return
        }
        func base(_ variable: String) -> [UInt8]? { environment(variable).flatMap { $0.first == slash ? $0 : nil } }
        guard let home = base("HOME") ?? home else {
            throw ConfigurationError(
                file: "albumd", "user \(uid) has no home directory; set HOME, or name the file with --config FILE")
        }
        let runtime = base("XDG_RUNTIME_DIR") ?? Array("/run/user/\(uid)".utf8)
        file = (base("XDG_CONFIG_HOME") ?? home + "/.config".utf8) + "/albumd/albumd.toml".utf8
        library = (base("XDG_DATA_HOME") ?? home + "/.local/share".utf8) + "/albumd/library".utf8
        socket = runtime + "/albumd/control.sock".utf8
    }

    private init(file: [UInt8], library: [UInt8], socket: [UInt8]) {
        self.file = file
        self.library = library
        self.socket = socket
    }

    /// Root, Debian's range of system users, and systemd's dynamic users.
    static func isSystem(_ uid: UInt32) -> Bool { uid < 1000 || (61184...65519).contains(uid) }
}

extension ConfigurationPlaces {
    /// The places for this process.
    package static func current() throws(ConfigurationError) -> ConfigurationPlaces {
        let entry = getpwuid(getuid())
        let home = entry.flatMap { $0.pointee.pw_dir }.map(bytes)
        return try ConfigurationPlaces(uid: getuid(), home: home) { name in getenv(name).map(bytes) }
    }

    private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}

private let slash = UInt8(ascii: "/")
