import CSystemd
import Glibc
import Platform

/// Tells the service manager how the daemon fares (sd_notify(3)); where there is none, every word is dropped.
package struct ServiceNotifier: Sendable {
    private let send: @Sendable (String) -> Void

    /// Speaks to the manager that started this process, over `NOTIFY_SOCKET`.
    package init() {
        // An error means that the manager is gone, and then there is nobody to tell.
        self.init { state in _ = sd_notify(0, state) }
    }

    init(send: @escaping @Sendable (String) -> Void) { self.send = send }

    /// Lock, catalogue and socket are up (RULES R52): not that the first scan is done.
    package func ready(_ status: String) { send("READY=1\nSTATUS=\(printable(status))") }

    /// One line for people, shown by `systemctl status`.
    package func status(_ text: String) { send("STATUS=\(printable(text))") }

    /// The configuration is being read anew; `ready` ends it.
    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds())")
    }

    package func stopping(_ status: String) { send("STOPPING=1\nSTATUS=\(printable(status))") }

    /// The control loop is alive; nobody else may say it, or a dead loop would go unseen (RULES R52).
    package func alive() { send("WATCHDOG=1") }

    /// Asks for this much more time to start, reload or stop, counted from now.
    package func extendTimeout(by duration: Duration) {
        send("EXTEND_TIMEOUT_USEC=\(microseconds(duration))")
    }

    /// Goes on asking for more time while `body` runs, for what takes as long as the library is big and has no steps
    /// that could be told: the check of the whole catalogue, the copy of a snapshot (RULES R52).
    package func extendingTimeout<Value>(
        every interval: Duration = .seconds(30), _ body: () throws -> Value
    ) rethrows -> Value {
        let isDone = Monitor(false)
        let thread = NamedThread.start("albumd-start") {
            repeat { extendTimeout(by: interval * 4) } while isDone.wait(for: interval, { $0 ? true : nil }) == nil
        }
        defer {
            isDone.update { $0 = true }
            thread.join()
        }
        return try body()
    }
}

extension ServiceNotifier {
    /// How often `alive` must be called: half the manager's limit (sd_watchdog_enabled(3)); nil where none is set.
    package static func watchdogInterval() -> Duration? {
        var limit: UInt64 = 0
        guard sd_watchdog_enabled(0, &limit) > 0 else { return nil }
        return .microseconds(Int64(clamping: limit / 2))
    }
}

private func microseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
}

/// The manager compares with CLOCK_MONOTONIC, which the machine's clock of timers, CLOCK_BOOTTIME, is not.
private func monotonicMicroseconds() -> Int64 {
    var now = timespec()
    guard clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
}
