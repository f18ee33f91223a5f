import Control
import Glibc
import Platform
import Synchronization

/// What the accepting thread, libmicrohttpd's thread and the answers' tasks share.
///
/// The context of every callback.
final class ServerState: Sendable {
    let limits: Limits
    let uptime: @Sendable () -> Duration
    let log: Log
    let respond: @Sendable (Request) async -> Response
    let upload: @Sendable (Request) async -> UploadDecision
    let readiness: Readiness
    let courtesy: Courtesy
    /// Where answers are made: they may block.
    let answering = BlockingExecutor(name: "albumd-answer", threadCount: 4, begin: takeShortTurns)

    private struct Protected {
        var table = ConnectionTable()
        /// When the server is to be still, once `stop` was called.
        var stopsAt: Duration?
    }
    private let protected = Mutex(Protected())

    init(
        limits: Limits, uptime: @escaping @Sendable () -> Duration, log: Log,
        respond: @escaping @Sendable (Request) async -> Response,
        upload: @escaping @Sendable (Request) async -> UploadDecision, courtesy: Courtesy
    ) throws(FileError) {
        self.limits = limits
        self.uptime = uptime
        self.log = log
        self.respond = respond
        self.upload = upload
        self.courtesy = courtesy
        readiness = try Readiness()
    }

    /// When to be still, once `stop` was called.
    var stopsAt: Duration? { protected.withLock { $0.stopsAt } }

    func stop(at time: Duration) {
        protected.withLock { $0.stopsAt = $0.stopsAt ?? time }
        readiness.wake()
    }
}

// Called by the accepting thread.
extension ServerState {
    /// Whether so many wait to leave that newcomers have to wait for them.
    var isCrowded: Bool { protected.withLock { $0.table.connections.count >= limits.connections * 2 + 16 } }

    /// Long work gives way to who comes to `listener`; to nobody where nobody is let in.
    func watchDoor(_ listener: Int32?) {
        courtesy.watch {
            guard let listener else { return false }
            var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) > 0
        }
    }

    /// Counts a newcomer, if need be in the place of another; nil where everybody is busy.
    ///
    /// `control` is our copy of the descriptor, and is closed when the connection ends.
    func admit(_ peer: Peer, descriptor: Int32, control: Int32) -> UInt64? {
        let now = uptime()
        return protected.withLock { state in
            var room = state.table.room(for: peer.uid, within: limits)
            if room != .free {
                Self.noteGone(&state.table)
                room = state.table.room(for: peer.uid, within: limits)
            }
            switch room {
            case .free: break
            case .after(let token): Self.shutDown(token, &state.table)
            case .none: return nil
            }
            let stage = ConnectionTable.Stage.waiting(since: now, until: now + limits.headTime)
            return state.table.insert(
                ConnectionTable.Connection(
                    peer: peer, descriptor: descriptor, control: control, stage: stage, ticket: courtesy.begin()))
        }
    }

    /// How long the accepting thread may sleep; nil is for ever.
    ///
    /// While anybody is connected it is the head's time at most: deadlines that arise meanwhile are later than that,
    /// so nobody has to wake it for them.
    func timeToNextDeadline() -> Duration? {
        let now = uptime()
        return protected.withLock { state in
            guard !state.table.connections.isEmpty else { return nil }
            let latest = now + limits.headTime
            return max(.zero, min(state.table.nextDeadline ?? latest, latest) - now)
        }
    }

    /// Whose time is up.
    func overdue() -> [UInt64] {
        let now = uptime()
        return protected.withLock { $0.table.overdue(at: now) }
    }

    /// Shuts down who did not bring a request in time, and forgets whom libmicrohttpd had no memory for.
    func shutDownOverdue() {
        let now = uptime()
        let unknown = protected.withLock { state in
            let overdue = state.table.overdue(at: now)
            for token in overdue { Self.shutDown(token, &state.table) }
            return overdue.filter { state.table.connections[$0]?.hasStarted == false }
        }
        for token in unknown { forget(token) }
    }

    /// Shuts down who has no request running.
    func shutDownWaiting() {
        protected.withLock { state in
            for (token, connection) in state.table.connections where connection.exchange == nil {
                Self.shutDown(token, &state.table)
            }
        }
    }

    /// The requests that run now.
    var exchanges: [Exchange] { protected.withLock { $0.table.connections.values.compactMap(\.exchange) } }

    /// The client of `token` has gone; the request that nobody waits for any more.
    func hangUp(_ token: UInt64) -> Exchange? {
        protected.withLock { state in
            state.table.setGone(token)
            return state.table.connections[token]?.exchange
        }
    }

    /// Marks who has gone by now (poll(2), POLLHUP): a client may come again before its going was told of.
    private static func noteGone(_ table: inout ConnectionTable) {
        let tokens = Array(table.connections.keys)
        var entries = tokens.map { pollfd(fd: table.connections[$0]?.control ?? -1, events: 0, revents: 0) }
        poll(&entries, nfds_t(entries.count), 0)
        for (token, entry) in zip(tokens, entries) where entry.revents & Int16(POLLHUP) != 0 { table.setGone(token) }
    }

    /// libmicrohttpd sees the end of the input and closes (shutdown(2)).
    private static func shutDown(_ token: UInt64, _ table: inout ConnectionTable) {
        guard let connection = table.connections[token] else { return }
        shutdown(connection.control, Int32(SHUT_RDWR))
        table.set(.leaving, for: token)
    }
}

// Called by libmicrohttpd's thread.
extension ServerState {
    func start(descriptor: Int32) -> UInt64? { protected.withLock { $0.table.start(descriptor: descriptor) } }

    /// Also called by the accepting thread, for a connection that could not be handed over.
    func forget(_ token: UInt64) {
        guard let connection = protected.withLock({ $0.table.remove(token) }) else { return }
        if let ticket = connection.ticket { courtesy.end(ticket) }
        close(connection.control)
    }

    /// A request line has come.
    ///
    /// False where nobody waits for an answer, or the server stops and takes no more.
    func begin(_ exchange: Exchange, on token: UInt64) -> Bool {
        protected.withLock { state in
            guard state.stopsAt == nil, state.table.connections[token]?.isGone == false else { return false }
            state.table.set(exchange, for: token)
            return true
        }
    }

    func peer(of token: UInt64) -> Peer? { protected.withLock { $0.table.connections[token]?.peer } }

    /// A request's head is complete and its JSON body is to come, at once.
    func expectBody(on token: UInt64) {
        let now = uptime()
        protected.withLock { $0.table.set(.waiting(since: now, until: now + limits.idleTime), for: token) }
    }

    /// He wants no short answer: long work goes on.
    func endCourtesy(to token: UInt64) {
        guard let ticket = protected.withLock({ $0.table.takeTicket(of: token) }) else { return }
        courtesy.end(ticket)
    }

    func setBusy(_ token: UInt64) { protected.withLock { $0.table.set(.busy, for: token) } }

    /// A request is over, and with it the connection: libmicrohttpd closes it next.
    func end(on token: UInt64) {
        let isStopping = protected.withLock { state in
            state.table.set(nil, for: token)
            state.table.set(.leaving, for: token)
            return state.stopsAt != nil
        }
        if isStopping { readiness.wake() }
    }
}
