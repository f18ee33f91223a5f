import CMicroHTTPD
import Control
import Glibc
import Platform

/// The accepting thread: takes connections, hands them on when the head of their request is whole and well-formed,
/// watches for clients that go away, and shuts down who is late.
///
/// Everything here runs on that one thread.
struct Acceptor {
    private static let listenerToken: UInt64 = 0
    /// How long nothing is accepted when there is no room.
    private static let backOff: Duration = .milliseconds(20)

    let server: ServerState
    private let listener: Int32
    /// libmicrohttpd's daemon, as bits that may pass to the thread.
    let daemonBits: UInt
    /// Given up to accept, and so refuse, one connection when there is no other descriptor left (accept(2), EMFILE).
    private var spare: Int32
    private var listensAgainAt: Duration?
    private var complainsAgainAt: Duration?
    /// Who has not been handed to libmicrohttpd yet, by token.
    var heads: [UInt64: ArrivingHead] = [:]

    init(_ server: ServerState, listener: Int32, daemon: OpaquePointer) throws(FileError) {
        self.server = server
        self.listener = listener
        daemonBits = UInt(bitPattern: daemon)
        spare = openSpare()
        let flags = fcntl(listener, F_GETFL)
        guard flags >= 0, fcntl(listener, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw FileError(code: errno, verb: "fcntl")
        }
        try server.readiness.watchInput(of: listener, token: Self.listenerToken)
        server.watchDoor(listener)
    }

    /// Returns when the server has stopped and libmicrohttpd's thread has ended.
    mutating func run() {
        while server.stopsAt == nil {
            turn(upTo: shortest(server.timeToNextDeadline(), timeToListen))
            endOverdueHeads()
            server.shutDownOverdue()
            listenAgain()
        }
        windDown()
    }

    private mutating func turn(upTo timeout: Duration?) {
        for event in server.readiness.wait(upTo: timeout) {
            if event.token == Self.listenerToken {
                acceptAll()
            } else if event.isHungUp {
                drop(event.token)
                server.hangUp(event.token)?.abandon()
            } else {
                advance(event.token)
            }
        }
    }

    private mutating func acceptAll() {
        while server.stopsAt == nil {
            guard !server.isCrowded else { return pause() }
            do throws(FileError) {
                receive(try acceptConnection(on: listener))
            } catch {
                switch error.code {
                case EAGAIN: return
                // The client went away between its connect and now, or a signal came.
                case ECONNABORTED, EINTR: continue
                case EMFILE, ENFILE: refuseOne()
                default: break
                }
                complain("no connection can be accepted: \(error)")
                return pause()
            }
        }
    }

    private mutating func receive(_ descriptor: Int32) {
        do throws(FileError) {
            // Most heads are there by now.
            advance(try admit(descriptor))
        } catch {
            complain("a connection was refused: \(error)")
            close(descriptor)
        }
    }

    /// Counts the newcomer and watches for its head and its going.
    ///
    /// Throws EBUSY where all others are at work; and who cannot be named is not served.
    private mutating func admit(_ descriptor: Int32) throws(FileError) -> UInt64 {
        let peer = try SocketPeer(of: descriptor)
        let control = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard control >= 0 else { throw FileError(code: errno, verb: "dup") }
        guard let token = server.admit(Peer(peer), descriptor: descriptor, control: control) else {
            close(control)
            throw FileError(code: EBUSY, verb: "accept from uid \(peer.uid), pid \(peer.pid)")
        }
        do throws(FileError) {
            heads[token] = try ArrivingHead(of: descriptor, control: control)
            try server.readiness.watchArrivals(on: control, token: token)
        } catch {
            heads[token] = nil
            server.forget(token)
            throw error
        }
        server.log(.debug, "a client connected", ["uid": "\(peer.uid)", "pid": "\(peer.pid)"])
        return token
    }

    /// At most once a second: a client that comes again and again must not fill the journal.
    mutating func complain(_ message: String) {
        let now = server.uptime()
        guard complainsAgainAt ?? now <= now else { return }
        complainsAgainAt = now + .seconds(1)
        server.log(.error, message)
    }
}

// Out of room.
extension Acceptor {
    private mutating func refuseOne() {
        close(spare)
        if let refused = try? acceptConnection(on: listener) { close(refused) }
        spare = openSpare()
    }

    /// Leaves the listener alone for a while: the waiting connection would wake us again at once.
    private mutating func pause() {
        server.readiness.remove(listener)
        server.watchDoor(nil)
        listensAgainAt = server.uptime() + Self.backOff
    }

    private mutating func listenAgain() {
        guard let time = listensAgainAt, time <= server.uptime() else { return }
        listensAgainAt = nil
        // Fails without memory in the kernel: then once more, later.
        guard (try? server.readiness.watchInput(of: listener, token: Self.listenerToken)) != nil else { return pause() }
        server.watchDoor(listener)
    }

    private var timeToListen: Duration? { listensAgainAt.map { max(.zero, $0 - server.uptime()) } }
}

// Stopping.
extension Acceptor {
    /// Running requests may finish; the rest of the time, a fifth, is for what comes after.
    private mutating func windDown() {
        server.watchDoor(nil)
        server.readiness.remove(listener)
        close(listener)
        let now = server.uptime()
        let patience = now + max(.zero, (server.stopsAt ?? now) - now) * 4 / 5
        for token in Array(heads.keys) { drop(token) }
        for exchange in server.exchanges { exchange.endFollowing() }
        server.shutDownWaiting()
        while !server.exchanges.isEmpty, server.uptime() < patience {
            turn(upTo: patience - server.uptime())
        }
        // No connection may be suspended when the daemon stops, and none suspends itself again after this.
        for exchange in server.exchanges { exchange.abandon() }
        MHD_stop_daemon(OpaquePointer(bitPattern: daemonBits))
        close(spare)
    }
}

private func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

private func shortest(_ left: Duration?, _ right: Duration?) -> Duration? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
}

extension Peer {
    fileprivate init(_ peer: SocketPeer) {
        self.init(uid: peer.uid, gid: peer.gid, groups: peer.groups, pid: peer.pid)
    }
}
