import Glibc
import Platform

// Cookies, and what is done when they are not seen (R27).

extension WatchLoop {
    /// Opens the private directory for cookies and watches it.
    mutating func openCookieJar() throws(WatchError) {
        do {
            decoder.cookieWatch = try jar.open(calls, instance: library.descriptor)
        } catch {
            throw .cookieDirectory(code: error.code)
        }
    }

    /// Drops a barrier and remembers it until it is seen.
    mutating func dropBarrier(_ name: [UInt8]) {
        jar.await(name)
        drop(name)
    }

    /// Drops a proof of life when it is time, and starts again when the last one was not seen.
    mutating func prove(at now: Duration) {
        if liveness.isDead(at: now) { return restart(at: now) }
        guard let name = liveness.due(at: now) else { return }
        guard status.lost == nil else { return restart(at: now) }
        do {
            try jar.drop(name)
        } catch {
            // A full or vanished directory says nothing about the watcher; try again later, with the directory anew.
            liveness.postpone(at: now)
            reopenCookieJar()
        }
    }

    /// An overflow was read: that is a sign of life, but any cookie may have been dropped with it.
    mutating func cookiesMayBeLost(at now: Duration) {
        liveness.heard(at: now)
        for name in jar.outstanding { drop(name) }
    }

    /// Replaces the inotify instance, after its last events were read.
    mutating func restart(at now: Duration) {
        while !library.isBroken, !readBatch(at: now) { deliver() }
        deliver()
        liveness.postpone(at: now)
        do {
            try library.reopen()
        } catch {
            lose(error)
            return
        }
        walker.instance = library.descriptor
        decoder.restart()
        status.restarts += 1
        status.lost = nil
        reopenCookieJar()
        for name in jar.outstanding { drop(name) }
    }

    private mutating func lose(_ error: WatchError) {
        guard status.lost != error else { return }
        status.lost = error
        decoder.tell(.watcherLost(code: error.code))
    }

    private mutating func reopenCookieJar() {
        // Without it there are no cookies, and `lastCookieSeen` in the status grows old.
        decoder.cookieWatch = (try? jar.open(calls, instance: library.descriptor)) ?? WatchTable.none
    }

    private mutating func drop(_ name: [UInt8]) {
        do {
            try jar.drop(name)
        } catch {
            jar.settle(name)
            decoder.tell(.cookieFailed(name: name, code: error.code))
        }
    }
}
