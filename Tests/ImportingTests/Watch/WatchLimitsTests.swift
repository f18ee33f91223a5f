import Importing
import Platform
import Testing

struct WatchLimitsTests {
    @Test func theKernelsLimitsAreRead() {
        let limits = WatchLimits.read(files: LinuxFiles())
        #expect((limits.watches ?? 0) > 0)
        #expect((limits.instances ?? 0) > 0)
        #expect((limits.queuedEvents ?? 0) > 0)
    }

    @Test func aLimitThatCannotBeReadIsUnknown() {
        #expect(WatchLimits.read(from: Array("/proc/nothing".utf8), files: LinuxFiles()) == WatchLimits())
        #expect(WatchLimits.read(from: Array("/proc/sys/fs".utf8), files: LinuxFiles()) == WatchLimits())
    }

    @Test(arguments: [(nil, 524_288), (8192, 524_288), (524_288, 1_048_576)])
    func theMessageNamesTheCommand(limit: Int?, wanted: Int) {
        let message = WatchLimits(watches: limit).howToRaiseWatches
        #expect(message.hasSuffix("sysctl -w fs.inotify.max_user_watches=\(wanted)"))
    }
}
