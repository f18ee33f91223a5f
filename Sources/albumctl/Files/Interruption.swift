import Glibc
import Synchronization

/// The path's bits, 0 where there is none: the handler only reads it, and tests run several programs in one.
private let leftover = Atomic<UInt>(0)

/// Has SIGINT, SIGTERM and SIGHUP remove a file before they end the program, as they would have; nil undoes it.
///
/// The handler calls what signal-safety(7) allows: unlink(2), signal(2), raise(3).
func removeWhenInterrupted(_ path: [UInt8]?) {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    let text: UnsafeMutablePointer<CChar>? = path.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) } ?? nil
    let before = leftover.exchange(UInt(bitPattern: text), ordering: .sequentiallyConsistent)
    free(UnsafeMutablePointer<CChar>(bitPattern: before))
    guard text != nil else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, endAfterRemoval) }
}

private func endAfterRemoval(_ number: Int32) {
    if let path = UnsafePointer<CChar>(bitPattern: leftover.load(ordering: .sequentiallyConsistent)) { unlink(path) }
    signal(number, SIG_DFL)
    raise(number)
}
