import Glibc
import Platform

/// Why there is no watcher now.
///
/// The engine polls every folder until there is one (R24).
package enum WatchError: Error, Sendable, Equatable {
    /// inotify_init(2) failed. EMFILE: the user has too many instances, or the process too many descriptors.
    case noInstance(code: Int32)
    /// libinotifytools is one for the whole process, and another watcher has it.
    case alreadyRunning
    /// select(2), which libinotifytools uses, cannot take a descriptor of 1024 or more.
    case descriptorTooHigh
    /// The descriptor is not among those of the process, or somebody closed it and its number is another file now.
    case descriptorLost
    /// The private directory for cookies cannot be opened or watched; `code` is the errno.
    case cookieDirectory(code: Int32)
    /// pthread_create(3) or eventfd(2) failed.
    case noThread(code: Int32)
}

extension WatchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noInstance(let code): "no inotify instance: \(FileError(code: code, verb: "inotify_init"))"
        case .alreadyRunning: "another watcher runs in this process"
        case .descriptorTooHigh: "too many open files: the inotify descriptor is not below 1024"
        case .descriptorLost: "the inotify descriptor was closed from outside"
        case .cookieDirectory(let code): "\(FileError(code: code, verb: "watching the directory for cookies"))"
        case .noThread(let code): "\(FileError(code: code, verb: "starting the watching thread"))"
        }
    }

    /// The errno behind it, for a status.
    package var code: Int32 {
        switch self {
        case .noInstance(let code), .cookieDirectory(let code), .noThread(let code): code
        case .alreadyRunning: EBUSY
        case .descriptorTooHigh: EMFILE
        case .descriptorLost: EBADF
        }
    }
}
