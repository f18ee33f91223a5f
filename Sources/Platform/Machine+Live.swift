import FoundationEssentials
import Glibc
import Synchronization

extension Machine {
    /// The machine itself.
    ///
    /// One for a process: it keeps a thread for each core but one.
    package static func live(log: Log) -> Machine {
        let loop = ParallelLoop(width: ProcessInfo.processInfo.activeProcessorCount)
        var machine = Machine(
            now: { Date() },
            uptime: { bootTime() },
            makeUUID: { randomUUID() },
            files: LinuxFiles(),
            reach: crashPoint(log: log),
            concurrently: { count, body in loop.run(count, body) },
            log: log)
        machine.beginLoop = { count, body in loop.begin(count, body) }
        let apart = BlockingPool(name: "albumd-apart", threadCount: 2)
        machine.runApart = { apart.add($0) }
        return machine
    }

    /// A random identifier (RFC 9562, version 4) of the kernel's own numbers, by getrandom(2).
    ///
    /// libuuid's would be all zeros, without a word, where /dev/urandom cannot be opened.
    private static func randomUUID() -> UUID {
        var numbers = SystemRandomNumberGenerator()
        let (high, low) = (numbers.next(), numbers.next())
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64($0 % 8 * 8)) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0F | 0x40, bytes[7],
                bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    /// Time since boot, suspended time included (clock_gettime(2), CLOCK_BOOTTIME).
    package static func bootTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// In debug builds, ALBUMD_CRASH_AT=`milestone` or `milestone:N` kills the process where that point is reached
    /// for the Nth time (1 if not said), as a crash would: nothing is closed, nothing is flushed.
    private static func crashPoint(log: Log) -> @Sendable (Milestone) throws -> Void {
        #if DEBUG
        guard let value = getenv("ALBUMD_CRASH_AT") else { return { _ in } }
        let text = String(cString: value)
        guard let point = CrashPoint(text) else {
            log(.error, "ALBUMD_CRASH_AT names no milestone", ["value": text])
            return { _ in }
        }
        return { point.reach($0) }
        #else
        return { _ in }
        #endif
    }
}

#if DEBUG
private final class CrashPoint: Sendable {
    private let milestone: Milestone
    private let remaining: Mutex<Int>

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard let name = parts.first, let milestone = Milestone(rawValue: String(name)),
            let count = parts.count == 1 ? 1 : Int(parts[1]), count > 0
        else { return nil }
        self.milestone = milestone
        remaining = Mutex(count)
    }

    func reach(_ reached: Milestone) {
        guard reached == milestone else { return }
        let isNow = remaining.withLock { count in
            count -= 1
            return count == 0
        }
        if isNow { kill(getpid(), SIGKILL) }
    }
}
#endif
