import Glibc
import Importing
import Platform
import Synchronization
import Testing

extension LiveWatchTests {
    /// R24.
    @Test func aFolderBeyondTheKernelsLimitIsToldOnce() async throws {
        let given = Atomic(0)
        let calls = WatchCalls(
            add: { instance, directory throws(FileError) in
                guard given.add(1, ordering: .relaxed).newValue <= 5 else {
                    throw FileError(code: ENOSPC, verb: "inotify_add_watch")
                }
                return try WatchCalls.linux.add(instance, directory)
            }, end: WatchCalls.linux.end)
        try await WatchFixture.with(calls: calls) { fixture in
            for number in 1...10 { try fixture.scratch.makeDirectory("w/\(number)") }
            let signals = try await fixture.flush()
            #expect(signals.count { $0 == .watchLimit(folder: 1) } == 1)
            #expect(fixture.watcher.status.limitReached == [1])
        }
    }

    /// R27: the first watch of the cookies' directory is no watch, so that the first proof of life is not seen.
    @Test func aWatcherThatHearsNothingStartsAgain() async throws {
        let isFirst = Atomic(true)
        let calls = WatchCalls(
            add: { instance, directory throws(FileError) in
                if isFirst.exchange(false, ordering: .relaxed) { return 1_000_000 }
                return try WatchCalls.linux.add(instance, directory)
            }, end: WatchCalls.linux.end)
        var times = WatchTimes()
        times.cookieTimeout = .milliseconds(100)
        try await WatchFixture.with(times: times, calls: calls) { fixture in
            try await fixture.log.wait(after: 0) { $0 == .watcherRestarted }
            _ = try await fixture.flush()
            try fixture.scratch.makeDirectories("w/a/b")
            try fixture.scratch.write("w/a/b/x.jpg")
            #expect(try await fixture.touchedPaths() == ["a/b/x.jpg"])
            #expect(fixture.watcher.status.restarts == 1)
            #expect(fixture.watcher.status.watches == 4)
        }
    }

    /// R23: the reader stands still until the kernel's queue is full.
    @Test func afterAnOverflowDirectoriesThatWereMissedAreWatched() async throws {
        let queue = WatchLimits.read(files: LinuxFiles()).queuedEvents ?? 0
        guard (1...65_536).contains(queue) else {
            return print("skipped: a queue of \(queue) events takes too long to fill")
        }
        var times = WatchTimes()
        times.firstRewatch = .milliseconds(10)
        try await WatchFixture.with(times: times) { fixture in
            fixture.log.hold()
            // Each file is three events; the reader may take a batch before it stands still.
            for number in 1...(queue / 3 + 3000) { try fixture.scratch.write("w/\(number)") }
            try fixture.scratch.makeDirectories("w/missed/deep")
            fixture.log.release()
            #expect(try await fixture.flush().contains(.overflow) == true)
            #expect(fixture.watcher.status.overflows >= 1)
            try fixture.scratch.write("w/missed/deep/x.jpg")
            #expect(try await fixture.touchedPaths() == ["missed/deep/x.jpg"])
        }
    }

    /// W22: somebody closes the descriptor, and its number is another file for a while.
    @Test func aWatcherWhoseDescriptorIsTakenSaysSoAndStartsAgain() async throws {
        var times = WatchTimes()
        times.cookieInterval = .milliseconds(50)
        times.cookieTimeout = .milliseconds(100)
        try await WatchFixture.with(times: times) { fixture in
            let stolen = try #require(inotifyDescriptorsOfThisProcess().first)
            let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
            dup2(other, stolen)
            try await fixture.log.wait(after: 0) { $0 == .watcherLost(code: EBADF) }
            #expect(fixture.watcher.status.lost == .descriptorLost)
            close(other)
            close(stolen)
            try await fixture.log.wait(after: 0) { $0 == .watcherRestarted }
            _ = try await fixture.flush()
            try fixture.scratch.write("w/x.jpg")
            #expect(try await fixture.touchedPaths() == ["x.jpg"])
            #expect(fixture.watcher.status.lost == nil)
        }
    }
}
