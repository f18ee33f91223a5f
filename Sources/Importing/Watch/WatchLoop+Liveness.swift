import Glibc
import Platform

// Cookies, and what is done when they are not seen (R27).

extension WatchLoop {
    /// Makes the first instance, or begins without one, as after a loss.
    mutating func begin() {
        do { decoder.cookieWatch = try makeInstance() } catch { lose(error) }
    }

    /// Gives the watch of the private directory for cookies.
    ///
    /// An instance that cannot watch it could not be told from a dead one, and is given up.
    private mutating func makeInstance() throws(WatchError) -> Int32 {
        try library.reopen()
        do {
            let watch = try jar.open(calls, instance: library.descriptor)
            walker.instance = library.descriptor
            return watch
        } catch {
            library.endUseless()
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
            do { decoder.cookieWatch = try jar.open(calls, instance: library.descriptor) } catch { restart(at: now) }
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
        let cookieWatch: Int32
        do { cookieWatch = try makeInstance() } catch { return lose(error) }
        decoder.restart()
        decoder.cookieWatch = cookieWatch
        status.restarts += 1
        status.lost = nil
        for name in jar.outstanding { drop(name) }
    }

    /// Nobody would see the cookies that are out.
    private mutating func lose(_ error: WatchError) {
        defer { for name in jar.outstanding { fail(name, error.code) } }
        guard status.lost != error else { return }
        status.lost = error
        decoder.tell(.watcherLost(code: error.code))
    }

    private mutating func drop(_ name: [UInt8]) {
        if let lost = status.lost { return fail(name, lost.code) }
        do { try jar.drop(name) } catch { fail(name, error.code) }
    }

    private mutating func fail(_ name: [UInt8], _ code: Int32) {
        jar.settle(name)
        decoder.tell(.cookieFailed(name: name, code: code))
    }
}
