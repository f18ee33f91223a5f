import Control
import Platform
import Synchronization

/// One line on stderr that is drawn over and over while something takes long.
///
/// In a pipe nothing at all, or, where that `tellsPipes`, a line of its own every ten seconds: a log shows that it goes on.
final class ProgressLine: Sendable {
    private let output: Output
    private let uptime: @Sendable () -> Duration
    private let tellsPipes: Bool
    private let last: Mutex<Duration?>

    init(_ output: Output, uptime: @escaping @Sendable () -> Duration, tellsPipes: Bool = false) {
        self.output = output
        self.uptime = uptime
        self.tellsPipes = tellsPipes
        // What is over within ten seconds needs no line in a log.
        last = Mutex(output.showsProgress ? nil : uptime())
    }

    /// Draws, at most five times a second.
    func show(_ text: () -> String) {
        guard output.showsProgress || tellsPipes else { return }
        let now = uptime()
        let interval: Duration = output.showsProgress ? .milliseconds(200) : .seconds(10)
        let isDue = last.withLock { last in
            if let last, now - last < interval { return false }
            last = now
            return true
        }
        guard isDue else { return }
        guard output.showsProgress else { return output.remark("albumctl: \(text())") }
        // Back to the first column, and the rest of the line erased (ECMA-48, EL).
        output.draw("\r" + String(inert(text()).prefix(100)) + "\u{1B}[K")
    }

    /// Leaves an empty line for what comes next.
    func clear() {
        guard output.showsProgress, last.withLock({ $0.take() }) != nil else { return }
        output.draw("\r\u{1B}[K")
    }
}

extension Invocation {
    /// Does work that blocks, and on a terminal asks twice a second for a line about it.
    func waiting<Value>(
        _ say: @escaping @Sendable () -> String, _ work: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard output.showsProgress else { return try work() }
        let line = ProgressLine(output, uptime: host.machine.uptime)
        let isDone = Monitor(false)
        let thread = NamedThread.start("albumctl-wait") {
            while isDone.wait(for: .milliseconds(500), { $0 ? true : nil }) == nil { line.show(say) }
        }
        defer {
            isDone.update { $0 = true }
            thread.join()
            line.clear()
        }
        return try work()
    }

    /// What the daemon is at, for such a line.
    var whatWaits: @Sendable () -> String {
        let api = api
        return {
            guard let status = try? api.ask(.status, as: StatusReport.self).value else { return "waiting for albumd" }
            let waiting = listed(status.waiting)
            let scan = status.isScanning ? "scanning; " : ""
            return "\(scan)\(counted(status.assetCount, "asset")); \(waiting.isEmpty ? "nothing" : waiting) waiting"
        }
    }
}
