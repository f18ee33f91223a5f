/// When a folder may be scanned again: whatever goes wrong with it, sixty scans at most begin in an hour (RULES I39).
///
/// The first follows its cause at once, the next ones 1, 2, 4 … 64 s and then 66 s after the one before: the more scans
/// the last hour had, the longer. 1 + 2 + … + 64 + 53 · 66 s are more than an hour. A folder that is polled is scanned
/// in its interval; where both come together, the sixty-first waits until the first is an hour old. What a person asks for does not wait, and is not counted.
struct ScanPace: Sendable {
    private static let hour = Duration.seconds(3600)
    private static let most = 60
    private static let longestPause = Duration.seconds(66)

    /// When scans began, within an hour before the last of them.
    private var begun: [Duration] = []

    mutating func began(at now: Duration) {
        begun = begun.filter { now - $0 < ScanPace.hour } + [now]
    }

    /// The first moment from `wanted` on for a scan that something went wrong for.
    func earliest(from wanted: Duration) -> Duration {
        let recent = recent(at: wanted)
        guard let last = recent.last else { return wanted }
        let pause = recent.count < 8 ? Duration.seconds(1 << (recent.count - 1)) : ScanPace.longestPause
        return max(last + pause, earliestPeriodic(from: wanted))
    }

    /// The same for one that comes by its interval.
    func earliestPeriodic(from wanted: Duration) -> Duration {
        let recent = recent(at: wanted)
        guard recent.count >= ScanPace.most else { return wanted }
        return max(wanted, recent[recent.count - ScanPace.most] + ScanPace.hour)
    }

    private func recent(at moment: Duration) -> [Duration] { begun.filter { moment - $0 < ScanPace.hour } }
}
