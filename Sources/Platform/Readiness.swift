import CLinux
import Glibc

/// Waits on many descriptors at once (epoll(7)); another thread can wake the waiter.
///
/// A descriptor leaves by itself when its last copy is closed. One thread waits; any thread may add, remove and wake.
package final class Readiness: Sendable {
    package struct Event: Sendable, Equatable {
        package var token: UInt64
        package var isReadable: Bool
        /// Both directions are closed: the other end is gone.
        package var isHungUp: Bool
    }

    private static let wakeToken = UInt64.max
    private let epoll: Int32
    private let waker: Int32

    package init() throws(FileError) {
        epoll = linux_epoll_create()
        guard epoll >= 0 else { throw FileError(code: errno, verb: "epoll_create1") }
        waker = linux_eventfd()
        guard waker >= 0, linux_epoll_add_input(epoll, waker, Self.wakeToken) == 0 else {
            let error = FileError(code: errno, verb: "eventfd")
            close(waker)
            close(epoll)
            throw error
        }
    }

    deinit {
        close(waker)
        close(epoll)
    }

    /// Tells of input on `descriptor`, again and again while there is some.
    package func watchInput(of descriptor: Int32, token: UInt64) throws(FileError) {
        guard linux_epoll_add_input(epoll, descriptor, token) == 0 else {
            throw FileError(code: errno, verb: "epoll_ctl")
        }
    }

    /// Tells of each arrival on `descriptor` once, be it read or not, and of its other end having gone.
    package func watchArrivals(on descriptor: Int32, token: UInt64) throws(FileError) {
        guard linux_epoll_add_arrivals(epoll, descriptor, token) == 0 else {
            throw FileError(code: errno, verb: "epoll_ctl")
        }
    }

    /// Tells once when the other end of `descriptor`, watched until now for arrivals, has gone; input does not matter.
    package func watchOnlyHangUp(of descriptor: Int32, token: UInt64) {
        // Fails only for a descriptor that is not watched.
        _ = linux_epoll_keep_hang_up(epoll, descriptor, token)
    }

    package func remove(_ descriptor: Int32) { _ = linux_epoll_remove(epoll, descriptor) }

    /// Makes the present or the next `wait` return.
    package func wake() {
        var one: UInt64 = 1
        _ = write(waker, &one, MemoryLayout<UInt64>.size)
    }

    /// What is ready, at most 64 at a time; empty after a wake, a signal or the time-out.
    ///
    /// Nil waits for ever.
    package func wait(upTo timeout: Duration?) -> [Event] {
        var ready = [linux_ready](repeating: linux_ready(), count: 64)
        let count = linux_epoll_wait(epoll, &ready, 64, Self.milliseconds(timeout))
        var events: [Event] = []
        for one in ready.prefix(max(0, Int(count))) {
            guard one.token != Self.wakeToken else {
                drainWaker()
                continue
            }
            events.append(Event(token: one.token, isReadable: one.is_readable, isHungUp: one.is_hung_up))
        }
        return events
    }

    private func drainWaker() {
        var count: UInt64 = 0
        _ = read(waker, &count, MemoryLayout<UInt64>.size)
    }

    /// Rounded up, so that a deadline has passed when the wait returns.
    private static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        let (seconds, attoseconds) = timeout.components
        guard seconds < 86_400 else { return 86_400_000 }
        return Int32(max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
