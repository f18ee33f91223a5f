/// Names that left a watched directory and may yet arrive in another: MOVED_FROM waiting for MOVED_TO (R25).
package struct Departures {
    package struct Departure: Equatable {
        package var cookie: UInt32
        /// The watched directory that the name left; its path may change while this waits.
        package var parent: Int32
        package var name: [UInt8]
        /// Where it was when it left.
        package var place: WatchTable.Place
        package var isDirectory: Bool
        /// The watch of the directory that moved, if it was watched.
        package var watch: Int32?
        package var deadline: Duration
        package var serial: UInt64
    }

    private let window: Duration
    private var waiting: [UInt32: Departure] = [:]
    private var order: [Departure] = []
    private var passed = 0
    private var lastSerial: UInt64 = 0

    package init(window: Duration) { self.window = window }

    /// The mark of what waits now: settled when `isSettled` says so.
    package var mark: UInt64 { lastSerial }
    package func isSettled(_ mark: UInt64) -> Bool { first.map { $0.serial > mark } ?? true }
    package var nextDeadline: Duration? { first?.deadline }

    package mutating func add(_ event: KernelEvent, _ place: WatchTable.Place, watch: Int32?, at now: Duration) {
        lastSerial += 1
        let departure = Departure(
            cookie: event.cookie, parent: event.watch, name: event.name, place: place,
            isDirectory: event.mask.contains(.isDirectory), watch: watch, deadline: now + window, serial: lastSerial)
        waiting[event.cookie] = departure
        order.append(departure)
    }

    /// Takes the departure that an arrival belongs to.
    package mutating func take(_ cookie: UInt32) -> Departure? {
        defer { skipSettled() }
        return waiting.removeValue(forKey: cookie)
    }

    /// Takes those whose time is over, oldest first.
    package mutating func takeExpired(at now: Duration) -> [Departure] {
        var expired: [Departure] = []
        while let oldest = first, oldest.deadline <= now {
            waiting[oldest.cookie] = nil
            expired.append(oldest)
            skipSettled()
        }
        return expired
    }

    package mutating func forget() {
        waiting = [:]
        skipSettled()
    }

    private var first: Departure? { passed < order.count ? order[passed] : nil }

    private mutating func skipSettled() {
        while let oldest = first, waiting[oldest.cookie]?.serial != oldest.serial { passed += 1 }
        guard passed == order.count || passed > 1024 else { return }
        order.removeFirst(passed)
        passed = 0
    }
}
