import Cloud
import Control
import Glibc
import Platform

/// How far a restore is, for a person on standard error and for a program a line of JSON each.
///
/// The end of each step, and meanwhile once a second.
struct RestoreTelling: Sendable {
    /// A line of `restore --json` before the last, which is `{"end": …}`.
    struct Row: Codable, Sendable, Equatable {
        var step: RestoreStep
        var done: Int64
        /// Bytes of a snapshot, changes, or originals.
        var all: Int64
    }

    private static let interval = Duration.seconds(1)

    private let isJSON: Bool
    private let uptime: @Sendable () -> Duration
    private let write: @Sendable (_ text: String, _ descriptor: Int32) -> Void
    private let told: Monitor<(row: Row, date: Duration)?>

    init(
        isJSON: Bool, uptime: @escaping @Sendable () -> Duration,
        write: @escaping @Sendable (_ text: String, _ descriptor: Int32) -> Void = { Daemon.write($0, to: $1) }
    ) {
        (self.isJSON, self.uptime, self.write, told) = (isJSON, uptime, write, Monitor(nil))
    }

    func tell(_ step: RestoreStep, _ done: Int64, _ all: Int64) {
        let (row, now) = (Row(step: step, done: done, all: all), uptime())
        let isDue = told.update { told in
            if let told, told.row == row { return false }
            let isWaiting = told.map { $0.row.step == step && now - $0.date < Self.interval } ?? false
            guard done == all || !isWaiting else { return false }
            told = (row, now)
            return true
        }
        guard isDue else { return }
        if isJSON {
            write(String(decoding: JSON.encode(row), as: UTF8.self) + "\n", STDOUT_FILENO)
        } else {
            write("albumd: \(row.sentence)\n", STDERR_FILENO)
        }
    }
}

extension RestoreTelling.Row {
    fileprivate var sentence: String {
        switch step {
        case .snapshot: "snapshot of the catalogue: \(done) of \(counted(Int(all), "byte"))"
        case .history: "history: \(done) of \(counted(Int(all), "change")) read"
        case .catalogue: "catalogue: \(done) of \(counted(Int(all), "change")) applied"
        case .listing: "originals: \(done) of \(all) looked for in the cloud"
        case .originals: "originals without a proof: \(done) of \(all) asked for"
        }
    }
}
