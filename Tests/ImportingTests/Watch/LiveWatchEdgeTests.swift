import Glibc
import Importing
import Platform
import TestSupport
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
            let file = open("\(fixture.scratch.folder.path)/w", nameless | O_WRONLY | O_CLOEXEC, 0o600)
            try #require(file >= 0)
            let name = "\(fixture.scratch.folder.path)/w/x.jpg"
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
            for number in inotifyDescriptorsOfThisProcess() {
                #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
                #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
            }
        }
    }
}
