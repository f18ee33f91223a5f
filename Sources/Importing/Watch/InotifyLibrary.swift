import CInotifyTools
import Glibc
import Synchronization

/// libinotifytools: it makes the inotify instance, reads and decodes.
///
/// It is process-global and not thread-safe, so one object owns it, on one thread at a time.
///
/// What it is not used for: its map of paths and its recursive watches, which are wrong after renames and races (RULES
/// section 4). Watches are added to its descriptor with inotify_add_watch(2), and `WatchTable` knows them.
final class InotifyLibrary {
    /// The library's descriptor; -1 where there is no instance.
    private(set) var descriptor: Int32 = -1
    private(set) var isBroken = false
    /// Its number even when it is broken, for the library will close that number.
    private var number: Int32 = -1
    /// Set last: a deinit follows an init that throws, too, and must not end somebody else's instance.
    private var isOpen = false
    private static let isTaken = Atomic(false)

    /// Takes the library; `reopen` makes the instance.
    init() throws(WatchError) {
        guard !Self.isTaken.exchange(true, ordering: .acquiringAndReleasing) else { throw .alreadyRunning }
        isOpen = true
    }

    deinit { close() }

    /// Ends the instance; another watcher may begin.
    func close() {
        guard isOpen else { return }
        isOpen = false
        // The library would close the number: where that is somebody's file, it stays taken for good.
        guard isOurs || isClosed else { return }
        endInstance()
        Self.isTaken.store(false, ordering: .releasing)
    }

    /// The next event, copied, or nil where none is there now.
    ///
    /// It never waits: a timeout of 0 s, one event (FACTS).
    func next() -> KernelEvent? {
        guard descriptor >= 0 else { return nil }
        guard let event = inotifytools_next_events(0, 1) else {
            let code = inotifytools_error()
            isBroken = code != 0 && code != EAGAIN && code != EINTR
            return nil
        }
        let length = inotify_event_name_length(event)
        let name = UnsafeRawBufferPointer(start: inotify_event_name(event), count: length)
        return KernelEvent(
            watch: event.pointee.wd, mask: EventMask(rawValue: event.pointee.mask), cookie: event.pointee.cookie,
            name: [UInt8](name))
    }

    /// Looks whether the descriptor is still the library's.
    ///
    /// If somebody closed it, its number may be another file by now, from which the library would read.
    func check() {
        guard descriptor >= 0, !isOurs else { return }
        isBroken = true
        descriptor = -1
    }

    /// Ends the instance, if there is one, and makes a new one.
    ///
    /// The caller has read what it wants of the old one.
    func reopen() throws(WatchError) {
        descriptor = -1
        isBroken = false
        guard isOurs || isClosed else { throw .descriptorLost }
        endInstance()
        try open()
    }

    /// Ends an instance that is of no use; `reopen` makes another.
    func endUseless() {
        endInstance()
        descriptor = -1
    }
}

extension InotifyLibrary {
    private func open() throws(WatchError) {
        let before = inotifyDescriptors()
        guard inotifytools_initialize() != 0 else { throw .noInstance(code: inotifytools_error()) }
        let new = inotifyDescriptors().subtracting(before)
        // The library hides its descriptor; /proc/self/fd shows it.
        guard let found = new.first, new.count == 1 else {
            inotifytools_cleanup()
            throw .descriptorLost
        }
        guard found < FD_SETSIZE else {
            inotifytools_cleanup()
            throw .descriptorTooHigh
        }
        descriptor = found
        number = found
        _ = fcntl(found, F_SETFD, FD_CLOEXEC)
        _ = fcntl(found, F_SETFL, O_NONBLOCK)
    }

    /// Ends the instance, and empties the library's static buffer, which would come back as events of the next (FACTS).
    ///
    /// A descriptor that is never readable takes the number first (dup2(2)): then only the buffer is read, and writers
    /// who do not rest cannot hold this up.
    private func endInstance() {
        guard number >= 0 else { return }
        let silent = inotify_wake_descriptor()
        if silent >= 0, isOurs { dup2(silent, number) }
        if silent >= 0 { Glibc.close(silent) }
        while inotifytools_next_events(0, 1) != nil { continue }
        inotifytools_cleanup()
        number = -1
    }

    /// Whether the number still names an inotify instance, and not whatever was opened after somebody closed it.
    private var isOurs: Bool { number >= 0 && isInotify(number) }
    private var isClosed: Bool { fcntl(number, F_GETFD) == -1 }
}

private func inotifyDescriptors() -> Set<Int32> {
    guard let directory = opendir("/proc/self/fd") else { return [] }
    defer { closedir(directory) }
    var found: Set<Int32> = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let number = Int32(name), isInotify(number) { found.insert(number) }
    }
    return found
}

private func isInotify(_ descriptor: Int32) -> Bool {
    let target = Array("anon_inode:inotify".utf8)
    let link = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        let length = buffer.withMemoryRebound(to: CChar.self) { characters -> Int in
            guard let start = characters.baseAddress else { return 0 }
            return readlink("/proc/self/fd/\(descriptor)", start, characters.count)
        }
        count = max(0, length)
    }
    return link == target
}
