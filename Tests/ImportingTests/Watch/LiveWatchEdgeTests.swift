import Glibc
import Importing
import Platform
import Synchronization
import Testing

extension LiveWatchTests {
    @Test func aHardLinkIsTold() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.write("out/x.jpg")
            try fixture.scratch.link("out/x.jpg", "w/y.jpg")
            #expect(try await fixture.flush().first == .touched(folder: 1, path: Array("y.jpg".utf8), how: .created))
        }
    }

    /// O_TMPFILE and linkat(2), as open(2) shows it.
    @Test func aNamelessFileThatGetsItsNameIsTold() async throws {
        try await WatchFixture.with { fixture in
            let nameless = O_DIRECTORY | 0o20_000_000
            let file = open("\(fixture.scratch.root)/w", nameless | O_WRONLY | O_CLOEXEC, 0o600)
            try #require(file >= 0)
            let name = "\(fixture.scratch.root)/w/x.jpg"
            #expect(linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            close(file)
            let signals = try await fixture.flush()
            #expect(signals.contains(.touched(folder: 1, path: Array("x.jpg".utf8), how: .created)))
        }
    }

    @Test(arguments: [
        [0x4A, 0xF1, 0x2E, 0x6A], [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0x0A, 0x5C, 0x1B], [0x20, 0xFF],
    ])
    func aNameIsExactlyItsBytes(name: [UInt8]) async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.write(bytes: Array("w/".utf8) + name)
            #expect(try await fixture.flush().first == .touched(folder: 1, path: name, how: .created))
        }
    }

    /// W18.
    @Test func symlinksAreNotFollowed() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.makeDirectory("w/d")
            try fixture.scratch.symlink("..", at: "w/d/loop")
            try fixture.scratch.symlink("/", at: "w/root")
            #expect(try await fixture.touchedPaths() == ["d/loop", "root"])
            try await fixture.add(1, "w")
            #expect(fixture.watcher.status.watches == 3)
        }
    }

    @Test func anIgnoredDirectoryIsNotWatched() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.makeDirectory("w/ignored")
            try fixture.scratch.write("w/ignored/x.jpg")
            #expect(try await fixture.touchedPaths() == [])
            #expect(fixture.watcher.status.watches == 2)
        }
    }

    @Test func aTreeTooDeepIsSaidToBe() async throws {
        try await WatchFixture.with { fixture in
            let deep = (1...66).map(String.init).joined(separator: "/")
            try fixture.scratch.makeDirectories("w/\(deep)")
            let bound = Array((1...65).map(String.init).joined(separator: "/").utf8)
            let signals = try await fixture.flush()
            #expect(signals.contains(.beyondLimit(folder: 1, path: bound, limit: .depth)))
            #expect(fixture.watcher.status.watches == 66)
        }
    }

    @Test(arguments: ["deleted", "moved"])
    func aLostRootIsTold(how: String) async throws {
        try await WatchFixture.with { fixture in
            if how == "moved" {
                try fixture.scratch.rename("w", "elsewhere")
            } else {
                try fixture.scratch.removeTree("w")
            }
            let reason: RootLoss = how == "moved" ? .moved : .deleted
            let signals = try await fixture.flush()
            #expect(signals.contains(.rootGone(folder: 1, reason: reason)))
            #expect(fixture.watcher.status.watches == 1)
        }
    }

    @Test func aRootThatIsNotThereIsUnreadable() async throws {
        try await WatchFixture.with { fixture in
            fixture.watcher.addFolder(3, root: fixture.scratch.path("nothing"), ignoring: { _ in false })
            let signals = try await fixture.flush()
            #expect(signals.contains(.folderUnreadable(folder: 3, code: ENOENT)))
        }
    }

    @Test func aFolderInsideAnotherIsRefused() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.makeDirectory("w/inner")
            _ = try await fixture.flush()
            fixture.watcher.addFolder(3, root: fixture.scratch.path("w/inner"), ignoring: { _ in false })
            let signals = try await fixture.flush()
            #expect(signals.contains(.folderOverlaps(folder: 3, other: 1)))
        }
    }

    @Test func aRemovedFolderIsNotHeard() async throws {
        try await WatchFixture.with { fixture in
            fixture.watcher.removeFolder(1)
            _ = try await fixture.flush()
            try fixture.scratch.write("w/x.jpg")
            #expect(try await fixture.touchedPaths() == [])
            #expect(inotifyWatchesOfThisProcess() == 2)
        }
    }

    @Test func onlyOneWatcherRunsInAProcess() async throws {
        try await WatchFixture.with { fixture in
            #expect(throws: WatchError.alreadyRunning) {
                _ = try FolderWatcher(
                    machine: .forWatching, cookieDirectory: fixture.scratch.path("cookies"), sink: { _ in })
            }
        }
    }

    @Test func theDescriptorIsNotForChildren() async throws {
        try await WatchFixture.with { _ in
            for number in 0..<1024 as Range<Int32> {
                var target = [CChar](repeating: 0, count: 64)
                guard readlink("/proc/self/fd/\(number)", &target, 63) == 18,
                    target.starts(with: "anon_inode:inotify".utf8.map { CChar($0) })
                else { continue }
                #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
                #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
            }
        }
    }
}

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
}
