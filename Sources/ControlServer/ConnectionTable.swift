import Control
import Platform

/// Who is connected, and for how long each may stay without a request: a value, stepped by events (RULES R48).
struct ConnectionTable {
    enum Stage: Equatable {
        /// No complete request is there: a head or a JSON body is still to come. May be shut down for a newcomer.
        case waiting(since: Duration, until: Duration)
        /// A request is being answered, or an upload streams.
        case busy
        /// Shut down, or answered; it has yet to be closed.
        case leaving
    }

    struct Connection {
        let peer: Peer
        /// libmicrohttpd's descriptor, to recognise the connection by when it starts.
        let descriptor: Int32
        /// Our own copy of the descriptor, so that shutting down can never hit a stranger who got the same number.
        let control: Int32
        var stage: Stage
        /// Long work gives way to him.
        var ticket: Courtesy.Ticket?
        var hasStarted = false
        /// The client has closed both directions.
        var isGone = false
        var exchange: Exchange?
    }

    /// Whether one more may come.
    enum Room: Equatable {
        case free
        case after(shuttingDown: UInt64)
        case none
    }

    private(set) var connections: [UInt64: Connection] = [:]
    private var lastToken: UInt64 = 0

    /// Whether a connection of `user` may come, and who has to go for it: the oldest without a complete request.
    func room(for user: UInt32, within limits: Limits) -> Room {
        let present = connections.filter { $0.value.stage != .leaving && !$0.value.isGone }
        let own = present.filter { $0.value.peer.uid == user }
        let isUserFull = !limits.unlimitedUsers.contains(user) && own.count >= limits.connectionsPerUser
        guard isUserFull || present.count >= limits.connections else { return .free }
        guard let oldest = Self.longestWaiting(isUserFull ? own : present) else { return .none }
        return .after(shuttingDown: oldest)
    }

    /// Counts a connection from now on.
    ///
    /// Tokens are never used twice.
    mutating func insert(_ connection: Connection) -> UInt64 {
        lastToken += 1
        connections[lastToken] = connection
        return lastToken
    }

    mutating func remove(_ token: UInt64) -> Connection? { connections.removeValue(forKey: token) }

    /// The token of the newest connection with that descriptor that libmicrohttpd has not spoken of yet.
    mutating func start(descriptor: Int32) -> UInt64? {
        let token = connections.filter { $0.value.descriptor == descriptor && !$0.value.hasStarted }.keys.max()
        if let token { connections[token]?.hasStarted = true }
        return token
    }

    mutating func set(_ stage: Stage, for token: UInt64) {
        guard let present = connections[token]?.stage, present != .leaving else { return }
        connections[token]?.stage = stage
    }

    mutating func setGone(_ token: UInt64) { connections[token]?.isGone = true }

    mutating func takeTicket(of token: UInt64) -> Courtesy.Ticket? { connections[token]?.ticket.take() }

    mutating func set(_ exchange: Exchange?, for token: UInt64) { connections[token]?.exchange = exchange }

    /// The tokens of those whose time is up.
    func overdue(at now: Duration) -> [UInt64] {
        connections.filter { ($0.value.deadline ?? now + .seconds(1)) <= now }.map(\.key)
    }

    var nextDeadline: Duration? { connections.values.compactMap(\.deadline).min() }

    private static func longestWaiting(_ connections: [UInt64: Connection]) -> UInt64? {
        let waiting = connections.compactMap { token, connection in
            connection.waitingSince.map { (since: $0, token: token) }
        }
        return waiting.min { $0 < $1 }?.token
    }
}

extension ConnectionTable.Connection {
    fileprivate var deadline: Duration? {
        guard case .waiting(_, let until) = stage else { return nil }
        return until
    }

    fileprivate var waitingSince: Duration? {
        guard case .waiting(let since, _) = stage else { return nil }
        return since
    }
}
