/// What the watcher says about itself.
package struct WatcherStatus: Sendable, Equatable {
    /// Directories watched in folders.
    package var watches = 0
    package var overflows = 0
    package var restarts = 0
    /// Folders for which the kernel gave no watches.
    package var limitReached: [Int64] = []
    /// When the watcher last proved that it hears, in uptime.
    package var lastCookieSeen: Duration?
    /// Why there is no inotify instance now; nil while there is one.
    package var lost: WatchError?

    package init() {}
}
