import Glibc

/// What a client may use up (RULES R48).
///
/// Values, so that a test can have small ones.
package struct Limits: Sendable {
    /// Connections in all.
    package var connections = 64
    /// Connections of one user who is not in `unlimitedUsers`.
    package var connectionsPerUser = 16
    /// Users who are held to `connections` alone: root and the daemon's own.
    package var unlimitedUsers: Set<UInt32> = [0, geteuid()]
    /// From the connection to the end of the first request's head; bytes in between do not extend it.
    package var headTime: Duration = .seconds(5)
    /// A JSON body until it is whole, an upload without a byte, a client that does
    /// not read.
    ///
    /// Whole seconds, one at least: libmicrohttpd counts so.
    package var idleTime: Duration = .seconds(30)
    /// The largest JSON body, and the largest on one of `largeBodyPaths`.
    package var bodyBytes = 64 * 1024
    package var largeBodyBytes = 4 * 1024 * 1024
    package var largeBodyPaths: Set<String> = ["/v1/changes"]
    /// Paths where `PUT` streams any number of bytes into a sink.
    package var uploadPaths: Set<String> = ["/v1/uploads"]
    /// Bytes of one upload that wait for its sink before the client is held back.
    package var queuedUploadBytes = 512 * 1024

    package init() {}

    func bodyBytes(at path: String) -> Int { largeBodyPaths.contains(path) ? largeBodyBytes : bodyBytes }

    /// What libmicrohttpd keeps for one connection: the longest head fits in it, twice, with all its parts.
    static let connectionMemory = 128 * 1024
    /// Libmicrohttpd's own limit is never to be met: 0.9.75 keeps its lock there and stands still for ever
    /// (`new_connection_process_`).
    ///
    /// `ServerState.isCrowded` keeps below it.
    static let unreachedConnections: UInt32 = 100_000
    /// Bytes of a stream that wait for the client before the stream is asked for more.
    static let queuedStreamBytes = 64 * 1024
}
