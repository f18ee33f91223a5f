import CMicroHTTPD
package import Control
import Glibc
package import Platform
import Synchronization

/// Serves the control API on a listening Unix socket: HTTP/1.1, strict limits, one request per connection.
///
/// A thread of its own accepts, libmicrohttpd's thread reads and writes, and each answer is made in a task that may block. Must be
/// stopped; until then it keeps itself alive.
package final class ControlServer: Sendable {
    private let server: ServerState
    /// The accepting thread: what it is given while it serves comes when the serving has ended.
    private let thread = BlockingPool(name: "albumd-accept", threadCount: 1, begin: takeShortTurns)

    /// Starts to serve, and owns `descriptor` from now on: it is closed by `stop`, or here where this throws.
    ///
    /// `uptime` is the clock of all limits (`Machine.uptime`). `respond` makes an answer, and is cancelled where the
    /// client goes away or the server stops. `upload` says of a `PUT` on one of `limits.uploadPaths`, before its first
    /// byte, whether it is welcome. `courtesy` is told of each client from his coming on: until he goes, or wants no short
    /// answer.
    package init(
        listening descriptor: Int32, limits: Limits = Limits(), uptime: @escaping @Sendable () -> Duration, log: Log,
        respond: @escaping @Sendable (Request) async -> Response,
        upload: @escaping @Sendable (Request) async -> UploadDecision, courtesy: Courtesy = Courtesy()
    ) throws(ControlServerError) {
        // A client that goes away while it is written to must not end the process; sendfile(2) has no MSG_NOSIGNAL.
        signal(SIGPIPE, SIG_IGN)
        do throws(FileError) {
            server = try ServerState(
                limits: limits, uptime: uptime, log: log, respond: respond, upload: upload, courtesy: courtesy)
        } catch {
            close(descriptor)
            throw .failed(error)
        }
        try start(descriptor)
    }

    private func start(_ descriptor: Int32) throws(ControlServerError) {
        let context = Unmanaged.passRetained(server)
        guard let daemon = startDaemon(context.toOpaque()) else {
            context.release()
            close(descriptor)
            throw .noHTTP
        }
        do throws(FileError) {
            let acceptor = try Acceptor(server, listener: descriptor, daemon: daemon)
            thread.add {
                var acceptor = acceptor
                acceptor.run()
                Unmanaged.passUnretained(self.server).release()
            }
        } catch {
            MHD_stop_daemon(daemon)
            context.release()
            close(descriptor)
            throw .failed(error)
        }
    }

    /// libmicrohttpd's thread gets the turns of the one that starts it.
    private func startDaemon(_ context: UnsafeMutableRawPointer) -> OpaquePointer? {
        let (limits, context) = (server.limits, UInt(bitPattern: context))
        let daemon = Atomic<UInt>(0)
        NamedThread.start("albumd-http") {
            takeShortTurns()
            let started = makeDaemon(limits, UnsafeMutableRawPointer(bitPattern: context))
            daemon.store(UInt(bitPattern: started), ordering: .releasing)
        }.join()
        return OpaquePointer(bitPattern: daemon.load(ordering: .acquiring))
    }

    /// Accepts no more, lets running requests finish and streams end, and returns when all is closed.
    ///
    /// What has not finished when four fifths of the time have gone is cancelled and cut off.
    package func stop(within time: Duration = .seconds(5)) async {
        server.stop(at: server.uptime() + time)
        // Fails only where its body throws.
        try? await thread.run {}
    }
}

private func makeDaemon(_ limits: Limits, _ context: UnsafeMutableRawPointer?) -> OpaquePointer? {
    shim_MHD_start(
        requestAdvanced, requestBegan, requestCompleted, connectionChanged, nothingUnescaped, context,
        Limits.unreachedConnections, UInt32(max(1, limits.idleTime.components.seconds)), Limits.connectionMemory)
}
