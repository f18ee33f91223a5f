import Control
import Platform
import Synchronization

/// One line on stderr that is drawn over and over while something takes long; nothing at all in a pipe.
final class ProgressLine: Sendable {
    private let output: Output
    private let uptime: @Sendable () -> Duration
    private let last = Mutex<Duration?>(nil)

    init(_ output: Output, uptime: @escaping @Sendable () -> Duration) {
        self.output = output
        self.uptime = uptime
    }

    /// Draws, at most five times a second.
    func show(_ text: () -> String) {
        guard output.showsProgress else { return }
        let now = uptime()
        let isDue = last.withLock { last in
            if let last, now - last < .milliseconds(200) { return false }
            last = now
            return true
        }
        // Back to the first column, and the rest of the line erased (ECMA-48, EL).
        if isDue { output.draw("\r" + String(inert(text()).prefix(100)) + "\u{1B}[K") }
    }

    /// Leaves an empty line for what comes next.
    func clear() {
        guard last.withLock({ $0.take() }) != nil else { return }
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
