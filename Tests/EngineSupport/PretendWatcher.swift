package import Importing
package import PhotoModel
import Platform
import Synchronization
import TestSupport

/// How badly a watcher behaves.
package struct WatcherManners: Sendable {
    /// How late a signal comes at most.
    package var delay = Duration.zero
    /// Of a hundred signals, so many come twice.
    package var duplicates = 0
    /// Of a hundred acts, so many are lost in an overflow.
    package var losses = 0

    package init() {}
}

/// What another program did, as the kernel would tell it.
package enum FolderAct: Sendable {
    case wrote(PathBytes, isNew: Bool, isClosed: Bool)
    case renamed(PathBytes, to: PathBytes, isDirectory: Bool)
    case linked(PathBytes)
    case removed(PathBytes, isDirectory: Bool)
    case madeDirectory(PathBytes)
    case attributes(PathBytes)
}

/// Tells the engine what happened in its folders: late, twice, or only that something was lost.
///
/// It keeps the promises of `WatchSignal` and no others: a cookie comes after all that was before it, an overflow is
/// mended after a second, `watching` says from when on nothing is missed.
package final class PretendWatcher: Sendable {
    private let state: Mutex<WatcherState>
    private let uptime: @Sendable () -> Duration

    package init(seed: UInt64, uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
        state = Mutex(WatcherState(generator: SeededRandom(seed: seed)))
    }

    /// The watcher as the engine sees it.
    package var port: WatchPort {
        WatchPort(
            addFolder: { id, root, _ in self.update { $0.add(id, PathBytes(root), $1) } },
            removeFolder: { id in self.update { state, _ in state.folders[id] = nil } },
            dropCookie: { name in self.update { $0.dropCookie(name, $1) } })
    }

    package func behave(_ manners: WatcherManners) { update { state, _ in state.manners = manners } }

    /// Told after each act, with what the folders hold since.
    package func happened(_ act: FolderAct, _ tree: FolderTree) { update { $0.happened(act, tree, $1) } }

    /// The signals that are due.
    package func take() -> [WatchSignal] { update { $0.take($1) } }

    /// When there will be some.
    package var nextDue: Duration? { update { state, _ in state.nextDue } }

    /// The kernel drops what is queued.
    package func overflow() { update { $0.overflow($1) } }

    /// The inotify instance dies, and is another one after a while.
    package func restart() { update { $0.restart($1) } }

    /// The kernel takes the inotify instance, and gives none before `restart`.
    package func lose() { update { $0.lose($1) } }

    /// Whether the kernel gives no more watches to who asks for them.
    package func limit(_ isLimited: Bool) { update { state, _ in state.isLimited = isLimited } }

    /// How often a folder was asked for.
    package var additions: Int { update { state, _ in state.additions } }

    /// The process is gone, with all that was queued.
    package func forget() { update { state, _ in state.forget() } }

    private func update<Result: Sendable>(_ body: (inout WatcherState, Duration) -> Result) -> Result {
        let now = uptime()
        return state.withLock { body(&$0, now) }
    }
}
