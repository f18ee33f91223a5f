import CMicroHTTPD
import Control
import Glibc
import Platform

/// From the connection to the end of its request's head.
///
/// Libmicrohttpd answers a malformed head by itself, in HTML and sometimes twice, and does not ask. So it gets only
/// connections whose head is in order, and each of them for one request (`Exchange.queue`).
extension Acceptor {
    /// Goes on with a connection of which something may have come.
    mutating func advance(_ token: UInt64) {
        switch heads[token]?.look() {
        case .whole: handOver(token)
        case .refused(let problem): refuse(token, problem)
        case .ended: drop(token)
        case .partial, nil: break
        }
    }

    /// Tells who did not bring a head in time.
    mutating func endOverdueHeads() {
        for token in server.overdue() {
            guard let head = heads[token] else { continue }
            if head.isEmpty { drop(token) } else { refuse(token, .headTooSlow) }
        }
    }

    /// Closes a connection that libmicrohttpd does not have.
    mutating func drop(_ token: UInt64) {
        guard let head = heads.removeValue(forKey: token) else { return }
        close(head.descriptor)
        server.forget(token)
    }

    private mutating func refuse(_ token: UInt64, _ problem: Problem) {
        guard let head = heads[token] else { return }
        server.log(.debug, "a request was refused: \(problem.detail)")
        head.answer(problem)
        drop(token)
    }

    private mutating func handOver(_ token: UInt64) {
        guard let head = heads.removeValue(forKey: token) else { return }
        server.readiness.watchOnlyHangUp(of: head.control, token: token)
        // libmicrohttpd closes the descriptor whether or not it takes the connection.
        guard shim_MHD_add(OpaquePointer(bitPattern: daemonBits), head.descriptor) == .YES else {
            complain("a connection could not be taken: libmicrohttpd is out of memory")
            return server.forget(token)
        }
    }
}
