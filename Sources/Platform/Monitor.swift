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
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Changes the value, and wakes whoever waits for such a change.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
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
}
