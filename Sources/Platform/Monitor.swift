import Glibc

/// A value under a lock, on whose change threads can wait (pthread_cond_wait(3)); `Mutex` cannot wait.
///
/// Only for threads of our own: who waits here on the cooperative pool takes one of its few threads away.
package final class Monitor<State: Sendable>: Sendable {
    // The two are made in init and freed in deinit, and pthreads are made to be shared.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // As above.
    nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Touched only between lock and unlock.
    nonisolated(unsafe) private var state: State

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        // Timed waits are measured on the clock that nobody sets (pthread_condattr_setclock(3)).
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Changes the value, and wakes whoever waits for such a change.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        defer { pthread_cond_broadcast(condition) }
        return change(body)
    }

    /// The same where one of them is enough, whichever it is.
    package func updateForOne<Result>(_ body: (inout State) -> Result) -> Result {
        defer { pthread_cond_signal(condition) }
        return change(body)
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        // Who is woken finds the lock free.
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Blocks until `body` gives a result; it is asked again after each `update`.
    package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// The same for at most `timeout`; nil when that passed first.
    ///
    /// Without a timeout it waits for ever.
    package func wait<Result>(for timeout: Duration?, _ body: (inout State) -> Result?) -> Result? {
        guard let timeout else { return wait(body) }
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.add(timeout)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            // Even a time that has passed would be slept for: the kernel's timers have some slack (prctl(2)).
            guard timeout > .zero else { return nil }
            if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return body(&state) }
        }
    }
}

extension timespec {
    fileprivate mutating func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        // A year is as good as for ever, and keeps the sum in its range.
        tv_sec += Int(min(seconds, 31_536_000))
        tv_nsec += Int(attoseconds / 1_000_000_000)
        guard tv_nsec >= 1_000_000_000 else { return }
        tv_sec += 1
        tv_nsec -= 1_000_000_000
    }
}
