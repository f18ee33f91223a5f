import Glibc

/// Starts a thread of its own for `body`, with every signal blocked: they are for the rest of the process.
///
/// Throws what pthread_create(3) returns.
func startWatchThread(_ body: sending @escaping () -> Void) throws(WatchError) {
    let box = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runThreadBody, box.toOpaque())
    guard code == 0 else {
        box.release()
        throw .noThread(code: code)
    }
    pthread_detach(thread)
}

private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
