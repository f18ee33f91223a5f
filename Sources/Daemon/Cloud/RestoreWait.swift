import Cloud
import Platform

/// How a restore waits for the store: as long as that takes, saying so every ten seconds.
struct RestoreWait: Sendable {
    /// One that has not answered for so long is given up.
    static let patience = Duration.seconds(600)
    private static let interval = Duration.seconds(10)
    private static let slice = Duration.seconds(1)

    private let uptime: @Sendable () -> Duration
    private let pause: @Sendable (Duration) -> Void
    private let tell: @Sendable (String) -> Void
    private let began: Duration
    private let told: Monitor<Duration>

    init(
        uptime: @escaping @Sendable () -> Duration, pause: @escaping @Sendable (Duration) -> Void,
        tell: @escaping @Sendable (String) -> Void
    ) {
        (self.uptime, self.pause, self.tell) = (uptime, pause, tell)
        began = uptime()
        told = Monitor(began)
    }

    /// Blocks for that long, in slices: a person is told in the midst of a long wait, too.
    ///
    /// `cause` is what the store said, where it said something.
    func rest(_ duration: Duration, because cause: ObjectStoreError? = nil) {
        var left = duration
        while left > .zero {
            pause(min(left, Self.slice))
            left -= Self.slice
            let now = uptime()
            let isDue = told.update { told in
                guard now - told >= Self.interval else { return false }
                told = now
                return true
            }
            if isDue {
                let why = cause.map { " (\($0))" } ?? ""
                tell(
                    "waiting for the cloud\(why), for \((now - began).components.seconds) s since the restore began; where it does not answer "
                        + "for \(Self.patience.components.seconds / 60) minutes, the restore ends, and goes on when it is asked for again"
                )
            }
        }
    }
}
