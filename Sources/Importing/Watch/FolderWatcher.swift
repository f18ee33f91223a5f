package import Platform

/// Watches the folders: one thread that owns libinotifytools and tells what happens as batches of signals.
///
/// It is a hint, the scan is the truth (RULES section 4). One for each process. The sink is called on the watching
/// thread and should only take the batch over. Letting the last reference go stops the thread, too.
package final class FolderWatcher: Sendable {
    private let mailbox: WatchMailbox

    /// Starts to watch.
    ///
    /// Where the kernel gives no inotify instance now, `watcherLost` says so, and it is tried again and again. The
    /// private directory `cookieDirectory` (absolute) is made where it is not there.
    package init(
        machine: Machine, cookieDirectory: [UInt8], times: WatchTimes = WatchTimes(), calls: WatchCalls = .linux,
        sink: @escaping @Sendable ([WatchSignal]) -> Void
    ) throws(WatchError) {
        let library = try InotifyLibrary()
        let mailbox = try WatchMailbox()
        let jar = CookieJar(path: cookieDirectory, files: machine.files)
        var loop = WatchLoop(
            machine: machine, times: times, calls: calls, library: library, mailbox: mailbox, jar: jar, sink: sink)
        loop.begin()
        try startWatchThread {
            loop.run()
            mailbox.end()
        }
        self.mailbox = mailbox
    }

    deinit { mailbox.post(.stop) }

    /// Watches a folder, or sets its watches right: `watching` tells when every directory is watched, and that is when
    /// a scan should begin.
    ///
    /// `root` is absolute; `ignoring` takes the path of a directory below it.
    package func addFolder(_ id: Int64, root: [UInt8], ignoring: @escaping @Sendable ([UInt8]) -> Bool) {
        mailbox.post(.add(id, root: root, ignores: ignoring))
    }

    /// Ends the folder's watches.
    package func removeFolder(_ id: Int64) { mailbox.post(.remove(id)) }

    /// Drops a cookie: `cookieSeen(name)` tells when everything that happened before this call has been told.
    ///
    /// The name should be new each time; it is part of a file's name.
    package func dropCookie(_ name: [UInt8]) { mailbox.post(.cookie(name)) }

    /// Ends the thread and the inotify instance; returns when that is done.
    package func stop() async {
        mailbox.post(.stop)
        await mailbox.ended()
    }

    package var status: WatcherStatus { mailbox.status }
}
