import Glibc
import Platform

/// What the watching thread does: orders, events, walks, deadlines, then sleep until there is more.
struct WatchLoop {
    let machine: Machine
    let calls: WatchCalls
    let library: InotifyLibrary
    let mailbox: WatchMailbox
    let sink: @Sendable ([WatchSignal]) -> Void
    var decoder: WatchDecoder
    var walker: DirectoryWalker
    var jar: CookieJar
    var liveness: Liveness
    var status = WatcherStatus()
    /// Directories walked between two looks at the queue, so that a big walk does not let it overflow.
    private static let walkSteps = 64

    init(
        machine: Machine, times: WatchTimes, calls: WatchCalls, library: InotifyLibrary, mailbox: WatchMailbox,
        jar: CookieJar, sink: @escaping @Sendable ([WatchSignal]) -> Void
    ) {
        self.machine = machine
        self.calls = calls
        self.library = library
        self.mailbox = mailbox
        self.sink = sink
        self.jar = jar
        decoder = WatchDecoder(times: times)
        walker = DirectoryWalker(files: machine.files, calls: calls, instance: library.descriptor, sink: sink)
        liveness = Liveness(times, at: machine.uptime())
    }

    mutating func run() {
        while obey(mailbox.takeOrders()) {
            let now = machine.uptime()
            let isDrained = readBatch(at: now)
            walk()
            if isDrained { meetDeadlines(at: now) }
            if isDrained, decoder.walks.isEmpty { decoder.endDetached() }
            endWatches()
            publish()
            deliver()
            wait(isBusy: !isDrained || hasWalks)
        }
        library.close()
    }

    /// Does what was ordered; false is the order to stop.
    private mutating func obey(_ orders: [WatchMailbox.Order]) -> Bool {
        var isAsked = false
        for order in orders {
            switch order {
            case .add(let folder, let root, let ignores):
                decoder.add(folder, root: root, ignoring: ignores)
                isAsked = true
            case .remove(let folder): decoder.remove(folder)
            case .cookie(let name): dropBarrier(name)
            case .stop: return false
            }
        }
        // Whoever asks for watches may know that the kernel gives an instance by now.
        if isAsked, status.lost != nil { restart(at: machine.uptime()) }
        return true
    }

    /// Reads up to a batch of events; true where the queue is empty now.
    mutating func readBatch(at now: Duration) -> Bool {
        let overflows = decoder.overflows
        library.check()
        var isDrained = false
        for _ in 0..<WatchDecoder.batchLimit where !isDrained {
            if let event = library.next() { decoder.step(event, at: now) } else { isDrained = true }
        }
        if decoder.overflows != overflows { cookiesMayBeLost(at: now) }
        liveness.saw(decoder.proof, at: now)
        return isDrained
    }

    private mutating func walk() {
        for _ in 0..<Self.walkSteps where hasWalks { walker.step(&decoder) }
        walker.letGo(decoder)
    }

    private var hasWalks: Bool { library.descriptor >= 0 && !decoder.walks.isEmpty }

    private mutating func meetDeadlines(at now: Duration) {
        decoder.expire(at: now)
        prove(at: now)
    }

    mutating func endWatches() {
        for watch in decoder.takeEnded() { calls.end(library.descriptor, watch) }
    }

    /// Hands the signals over, and notes which barriers are among them.
    mutating func deliver() {
        decoder.releaseBarriers()
        let signals = decoder.takeSignals()
        guard !signals.isEmpty else { return }
        for case .cookieSeen(let name) in signals { jar.settle(name) }
        sink(signals)
    }

    private mutating func publish() {
        status.watches = status.lost == nil ? decoder.table.count : 0
        status.overflows = decoder.overflows
        status.limitReached = decoder.limitedFolders
        status.lastCookieSeen = liveness.lastSeen
        if mailbox.status != status { mailbox.status = status }
    }

    /// Sleeps until an event, an order or the next deadline (poll(2)).
    ///
    /// A descriptor of -1 is left out by the kernel.
    private mutating func wait(isBusy: Bool) {
        var descriptors = [
            pollfd(fd: library.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, isBusy ? 0 : millisecondsToDeadline())
        let broken = Int16(POLLNVAL | POLLERR | POLLHUP)
        if library.isBroken || descriptors[0].revents & broken != 0 { restart(at: machine.uptime()) }
    }

    private func millisecondsToDeadline() -> Int32 {
        let next = min(liveness.nextDeadline, decoder.nextDeadline ?? liveness.nextDeadline)
        let (seconds, attoseconds) = (next - machine.uptime()).components
        // Rounded up: waking a little early would spin until the deadline.
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, milliseconds))
    }
}
