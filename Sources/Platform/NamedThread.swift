import CLinux
import Glibc

/// A POSIX thread with a name that `top -H` shows (pthreads(7)).
package struct NamedThread: Sendable {
    private let identifier: pthread_t

    /// Starts it.
    ///
    /// A name has at most 15 bytes. One that yields does the bulk of the work, and lets those go first that somebody
    /// waits for (sched(7), "The nice value"). Traps where the machine has no thread left: nothing here works without.
    @discardableResult
    package static func start(
        _ name: String, yields: Bool = false, _ body: @escaping @Sendable () -> Void
    ) -> NamedThread {
        let start = Unmanaged.passRetained(ThreadStart(name: name, yields: yields, body: body))
        var identifier = pthread_t()
        let code = pthread_create(&identifier, nil, runThread, start.toOpaque())
        precondition(code == 0, "pthread_create: no thread for '\(name)': error \(code)")
        return NamedThread(identifier: identifier)
    }

    /// How much the calling thread yields to others: 0 is as most do (getpriority(2)).
    package static var niceness: Int32 { linux_niceness_of_this_thread() }

    /// Blocks until the thread has ended.
    ///
    /// Once only (pthread_join(3)).
    package func join() { pthread_join(identifier, nil) }

    /// Lets the thread free itself when it ends; instead of `join` (pthread_detach(3)).
    package func detach() { pthread_detach(identifier) }
}

private final class ThreadStart: Sendable {
    let name: String
    let yields: Bool
    let body: @Sendable () -> Void

    init(name: String, yields: Bool, body: @escaping @Sendable () -> Void) {
        (self.name, self.yields) = (name, yields)
        self.body = body
    }
}

@Sendable private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    linux_name_this_thread(start.name)
    if start.yields { linux_yield_to_other_threads() }
    start.body()
    return nil
}
