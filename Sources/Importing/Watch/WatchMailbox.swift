import CInotifyTools
import Glibc
import Synchronization

/// How other threads reach the watching thread: orders in, status out, and a descriptor that wakes it.
final class WatchMailbox: Sendable {
    enum Order: Sendable {
        case add(Int64, root: [UInt8], ignores: @Sendable ([UInt8]) -> Bool)
        case remove(Int64)
        case cookie([UInt8])
        case stop
    }

    private struct Content {
        var orders: [Order] = []
        var status = WatcherStatus()
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let wake: Int32
    private let content = Mutex(Content())

    init() throws(WatchError) {
        wake = inotify_wake_descriptor()
        guard wake >= 0 else { throw .noThread(code: errno) }
    }

    deinit { close(wake) }

    func post(_ order: Order) {
        content.withLock { $0.orders.append(order) }
        // eventfd(2): a write of 1 makes it readable; it cannot fail before 2^64 - 1 of them.
        _ = eventfd_write(wake, 1)
    }

    func takeOrders() -> [Order] {
        var count: eventfd_t = 0
        _ = eventfd_read(wake, &count)
        return content.withLock { content in
            defer { content.orders = [] }
            return content.orders
        }
    }

    var status: WatcherStatus {
        get { content.withLock { $0.status } }
        set { content.withLock { $0.status = newValue } }
    }

    func end() {
        let waiting = content.withLock { content in
            content.hasEnded = true
            defer { content.waiting = [] }
            return content.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the thread has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = content.withLock { content in
                if !content.hasEnded { content.waiting.append(continuation) }
                return content.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }
}
