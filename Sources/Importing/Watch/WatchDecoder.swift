/// Turns kernel events into signals, without a system call: a value stepped by events and by the time.
///
/// It owns the table of watches. What it cannot do itself it leaves to its driver: `walks` to be walked and
/// `takeEnded()` watches to be ended. The driver steps it through a batch, then walks, then takes the signals.
package struct WatchDecoder {
    /// A folder as the watcher knows it.
    struct Folder {
        var root: [UInt8]
        var ignores: @Sendable ([UInt8]) -> Bool
        /// Device and inode of the root when it was added; nil before the first walk.
        var identity: RootIdentity?
        var isLimited = false
    }

    struct RootIdentity: Equatable {
        var device: UInt64
        var inode: UInt64
    }

    /// How many events are read, and signals handed over, at a time.
    static let batchLimit = 4096

    package var table = WatchTable()
    package var walks = WalkQueue()
    /// The watch of the private directory for cookies; 0 is none.
    package var cookieWatch = WatchTable.none
    var folders: [Int64: Folder] = [:]
    var departures: Departures
    var rewatch: RewatchSchedule
    var barriers: [CookieBarrier] = []
    /// The last proof of life that was seen.
    var proof: [UInt8] = []
    private(set) var overflows = 0
    private(set) var signals: [WatchSignal] = []
    private var ended: [Int32] = []
    private var modified: Set<WatchTable.ChildKey> = []

    package init(times: WatchTimes) {
        departures = Departures(window: times.moveWindow)
        rewatch = RewatchSchedule(times)
    }

    package mutating func step(_ event: KernelEvent, at now: Duration) {
        if event.mask.contains(.overflow) { return overflowed(at: now) }
        if event.mask.contains(.ignored) { return watchEnded(event.watch) }
        guard !table.awaitsIgnored(event.watch) else { return }
        if event.watch == cookieWatch { return sawInCookieDirectory(event) }
        guard let place = table.place(of: event.watch) else { return }
        if event.name.isEmpty { return happenedToItself(event, place) }
        if event.mask.contains(.isDirectory) { return happenedToDirectory(event, place, at: now) }
        happenedToFile(event, place, at: now)
    }

    /// Tells what has been waited for long enough.
    ///
    /// Call it when the queue was empty after `now` was read: a MOVED_TO that was there in time is then never missed.
    package mutating func expire(at now: Duration) {
        for departure in departures.takeExpired(at: now) { left(departure) }
        guard rewatch.take(at: now) else { return }
        walkAll(.rewatch)
        holdBarriersForRewatch()
    }

    /// When `expire` has something to do next.
    package var nextDeadline: Duration? {
        [departures.nextDeadline, rewatch.due].compactMap { $0 }.min()
    }

    /// Takes the signals gathered so far; the batch ends.
    package mutating func takeSignals() -> [WatchSignal] {
        modified.removeAll(keepingCapacity: true)
        defer { signals = [] }
        return signals
    }

    /// Takes the watches that are to be ended in the kernel.
    package mutating func takeEnded() -> [Int32] {
        defer { ended = [] }
        return ended
    }

    mutating func tell(_ signal: WatchSignal) { signals.append(signal) }
    mutating func end(_ watches: [Int32]) { ended += watches }
    /// Lets the watches go that were not seen again.
    ///
    /// Only when nothing is queued: until then they may turn up.
    mutating func endDetached() { end(table.removeDetached()) }

    /// A file that may be new or changed; several writes of one batch are one.
    mutating func touched(_ event: KernelEvent, _ place: WatchTable.Place, _ how: Touch) {
        if how == .modified {
            let key = WatchTable.ChildKey(parent: event.watch, name: event.name)
            guard modified.insert(key).inserted else { return }
        }
        tellTouched(place.folder, joined(place.path, event.name), how)
    }

    mutating func tellTouched(_ folder: Int64, _ path: [UInt8], _ how: Touch) {
        guard path.count <= WatchBound.maximumPathBytes else {
            return tell(.beyondLimit(folder: folder, path: path, limit: .pathBytes))
        }
        tell(.touched(folder: folder, path: path, how: how))
    }

    private mutating func overflowed(at now: Duration) {
        overflows += 1
        // The missing halves of renames may be among what was dropped: nothing is known to be gone.
        departures.forget()
        table.forgetIgnored()
        rewatch.overflowed(at: now)
        tell(.overflow)
    }
}

/// A path below a folder and a name in it.
func joined(_ path: [UInt8], _ name: [UInt8]) -> [UInt8] {
    path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
}
