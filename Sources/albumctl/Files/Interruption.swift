import Glibc

// Written on the main thread before the handler is installed or after it is taken away; the handler only reads it.
nonisolated(unsafe) private var leftover: UnsafeMutablePointer<CChar>?

/// Has SIGINT, SIGTERM and SIGHUP remove a file before they end the program, as they would have; nil undoes it.
///
/// The handler calls what signal-safety(7) allows: unlink(2), signal(2), raise(3).
func removeWhenInterrupted(_ path: [UInt8]?) {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    free(leftover)
    leftover = path.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) } ?? nil
    guard leftover != nil else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, endAfterRemoval) }
}

private func endAfterRemoval(_ number: Int32) {
    if let leftover { unlink(leftover) }
    signal(number, SIG_DFL)
    raise(number)
}
