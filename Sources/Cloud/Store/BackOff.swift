/// How long to wait before the next try: twice as long each time, up to a minute, spread so that many do not come at once
/// (docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html).
package struct BackOff: Sendable {
    private static let first = Duration.milliseconds(200)
    package static let longest = Duration.seconds(60)

    private let longest: Duration
    private(set) var tries = 0

    /// `longest` bounds the step: who has patience for a minute must not spend half of it on one wait.
    package init(longest: Duration = BackOff.longest) { self.longest = longest }

    /// The wait after one more failure: between half of the step and all of it, and never less than the store asked for.
    package mutating func next(after error: ObjectStoreError, random: UInt64) -> Duration {
        let step = min(BackOff.first * (1 << min(tries, 20)), longest)
        tries += 1
        let spread = step / 2 + step / 2 * Double(random % 1024) / 1024
        return max(spread, error.retryAfter ?? .zero)
    }
}
