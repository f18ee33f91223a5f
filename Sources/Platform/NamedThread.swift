import CLinux
import Glibc

/// A POSIX thread with a name that `top -H` shows (pthreads(7)).
package struct NamedThread: Sendable {
    private let identifier: pthread_t

    /// Starts it.
    ///
    /// A name has at most 15 bytes. Traps where the machine has no thread left: nothing here works without.
    @discardableResult
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> NamedThread {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var identifier = pthread_t()
        let code = pthread_create(&identifier, nil, runThread, start.toOpaque())
        precondition(code == 0, "pthread_create: no thread for '\(name)': error \(code)")
        return NamedThread(identifier: identifier)
    }

    /// Blocks until the thread has ended.
    ///
    /// Once only (pthread_join(3)).
    package func join() { pthread_join(identifier, nil) }

    /// Lets the thread free itself when it ends; instead of `join` (pthread_detach(3)).
    package func detach() { pthread_detach(identifier) }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

@Sendable private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    linux_name_this_thread(start.name)
    start.body()
    return nil
}
