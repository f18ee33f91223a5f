package import Platform

/// The kernel's limits on inotify, for status and messages (inotify(7), /proc interfaces).
///
/// Read from proc(5), for the library's own reader answers -1 for the queue (FACTS). Nil where it cannot be read.
package struct WatchLimits: Sendable, Equatable {
    /// Watches that a user may have, and so directories.
    package var watches: Int?
    package var instances: Int?
    /// Events that wait in one queue before it overflows.
    package var queuedEvents: Int?

    package init(watches: Int? = nil, instances: Int? = nil, queuedEvents: Int? = nil) {
        self.watches = watches
        self.instances = instances
        self.queuedEvents = queuedEvents
    }

    /// Reads them now; `directory` is another for tests only.
    package static func read(
        from directory: [UInt8] = Array("/proc/sys/fs/inotify".utf8), files: any FileVerbs
    ) -> WatchLimits {
        // Without it nothing is known, which is all that a limit for a message can be.
        guard let opened = try? files.openDirectory(directory) else { return WatchLimits() }
        func number(_ name: String) -> Int? {
            guard let file = try? files.openForReading(Array(name.utf8), beneath: opened),
                let bytes = try? readBytes(file, files: files, at: 0, count: 32)
            else { return nil }
            return Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
        return WatchLimits(
            watches: number("max_user_watches"), instances: number("max_user_instances"),
            queuedEvents: number("max_queued_events"))
    }

    /// The command that gives room for more directories than are watched now.
    package var howToRaiseWatches: String {
        "raise fs.inotify.max_user_watches: sysctl -w fs.inotify.max_user_watches=\(doubled(watches, least: 524_288))"
    }

    /// The command that gives room for one more instance.
    package var howToRaiseInstances: String {
        "raise fs.inotify.max_user_instances: sysctl -w fs.inotify.max_user_instances=\(doubled(instances, least: 256))"
    }

    private func doubled(_ limit: Int?, least: Int) -> Int {
        guard let limit, limit < Int(Int32.max) / 2 else { return least }
        return max(least, 2 * limit)
    }
}
