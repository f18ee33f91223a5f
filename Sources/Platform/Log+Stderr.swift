import Glibc
import Synchronization

extension Log {
    /// Writes each event as one line on standard error: `notice: message key=value key="va lue"`.
    ///
    /// A line has at most 4 KiB. Of one message about one thing (its first field) ten pass in ten seconds; the next
    /// one says `suppressed=N` (RULES S8). Safe from any thread.
    package static func standardError(minimum: Level = .info) -> Log {
        lines(minimum: minimum, uptime: { Machine.bootTime() }) { line in
            // Where not even stderr takes a line, nobody is left to be told.
            _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    /// The same with a clock and an end of its own.
    ///
    /// A line ends with a newline, and is written by one call.
    package static func lines(
        minimum: Level, uptime: @escaping @Sendable () -> Duration, to write: @escaping @Sendable ([UInt8]) -> Void
    ) -> Log {
        let gate = LineGate()
        return Log { entry in
            guard entry.level <= minimum else { return }
            gate.pass(entry, at: uptime(), to: write)
        }
    }
}

/// Holds the rate, and lets one line out at a time.
private final class LineGate: Sendable {
    private let limit = Mutex(RateLimit(count: 10, per: .seconds(10)))

    func pass(_ entry: Log.Entry, at time: Duration, to write: ([UInt8]) -> Void) {
        let key = entry.message + "\n" + (entry.fields.first.map { $0.key + "=" + $0.value } ?? "")
        limit.withLock { limit in
            guard let heldBack = limit.pass(key, at: time) else { return }
            write(line(of: entry, heldBack: heldBack))
        }
    }
}

private func line(of entry: Log.Entry, heldBack: Int) -> [UInt8] {
    var text = "\(name(of: entry.level)): \(entry.message)"
    for field in entry.fields { text += " \(field.key)=\(quoted(field.value))" }
    if heldBack > 0 { text += " suppressed=\(heldBack)" }
    return cut(Array(text.utf8), to: 4095) + [UInt8(ascii: "\n")]
}

/// A value with a space, a quote or an equals sign is quoted; a backslash is in none (see `printable`).
private func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && !value.utf8.contains { [0x20, 0x22, 0x3D].contains($0) }
    return isPlain
        ? value : "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
}

/// The first bytes, without half a character at their end.
private func cut(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    guard bytes.count > count else { return bytes }
    var end = count
    while end > 0 && bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
}

private func name(of level: Log.Level) -> String {
    switch level {
    case .fault: "fault"
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
}
