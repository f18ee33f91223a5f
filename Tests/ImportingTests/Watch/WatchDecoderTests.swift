import Testing

@testable import Importing

struct WatchDecoderTests {
    @Test(arguments: [
        (EventMask.create, Touch.created), (.closeWrite, .closedAfterWrite), (.modify, .modified),
        (.attributes, .attributes), (.movedTo, .movedIn),
    ])
    func aFilesEventMakesItACandidate(mask: EventMask, how: Touch) {
        var decoder = WatchDecoder.sample()
        #expect(
            decoder.signals(of: [.on(3, mask, "x.jpg")]) == [.touched(folder: 1, path: bytes("a/b/x.jpg"), how: how)])
    }

    @Test func namesAreExactBytes() {
        var decoder = WatchDecoder.sample()
        let name: [UInt8] = [0x4A, 0xF1, 0x0A, 0x2E, 0x6A]
        let event = KernelEvent(watch: 1, mask: .create, name: name)
        #expect(decoder.signals(of: [event]) == [.touched(folder: 1, path: name, how: .created)])
    }

    @Test func writesOfOneBatchAreToldOnce() {
        var decoder = WatchDecoder.sample()
        let writes = [KernelEvent.on(2, .modify, "x"), .on(2, .modify, "y"), .on(2, .modify, "x")]
        #expect(decoder.signals(of: writes).count == 2)
        #expect(decoder.signals(of: writes).count == 2)
    }

    @Test func aNewDirectoryIsToldAndWalked() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [.on(2, [.create, .isDirectory], "new")])
        #expect(signals == [.directoryAppeared(folder: 1, path: bytes("a/new"))])
        #expect(decoder.walks.first?.purpose == .appeared)
        #expect(decoder.walks.remaining == [WalkJob.Step(parent: 2, name: bytes("new"))])
    }

    @Test func aDirectoryThatAWalkHasFoundIsNotWalkedAgain() {
        var decoder = WatchDecoder.sample()
        #expect(decoder.signals(of: [.on(2, [.create, .isDirectory], "b")]) == [])
        #expect(decoder.walks.isEmpty)
    }

    @Test func aDirectoryThatBecomesReadableIsWalked() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [
            .on(2, [.attributes, .isDirectory], "closed"), .on(2, [.attributes, .isDirectory], "b"),
        ])
        // That one has a watch already: what is in it may be readable now.
        #expect(
            signals == [
                .directoryAppeared(folder: 1, path: bytes("a/closed")),
                .directoryAttributes(folder: 1, path: bytes("a/b")),
            ])
        #expect(decoder.walks.remaining == [WalkJob.Step(parent: 2, name: bytes("closed"))])
        decoder.walks.finishFirst()
        #expect(decoder.walks.isEmpty)
    }

    @Test func anIgnoredDirectoryIsLeftAlone() {
        var decoder = WatchDecoder.sample()
        #expect(decoder.signals(of: [.on(1, [.create, .isDirectory], "ignored")]) == [])
        #expect(decoder.walks.isEmpty)
    }

    /// As the kernel sends them for `rm -r a/b; mkdir a/b` (W10).
    @Test func aDirectoryMadeAgainIsNotItsPredecessor() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [
            .on(3, .deleteSelf), .on(3, .ignored), .on(2, [.delete, .isDirectory], "b"),
            .on(2, [.create, .isDirectory], "b"), .on(3, .create, "late"),
        ])
        #expect(
            signals == [
                .gone(folder: 1, path: bytes("a/b"), isDirectory: true),
                .directoryAppeared(folder: 1, path: bytes("a/b")),
            ])
        #expect(decoder.table.isUnknown(3))
        #expect(!decoder.table.awaitsIgnored(3))
    }

    /// Somebody holds the directory open, so IN_DELETE_SELF comes late or never.
    @Test func aDeletedDirectoryThatIsHeldOpenEndsItsWatch() {
        var decoder = WatchDecoder.sample()
        _ = decoder.signals(of: [.on(2, [.delete, .isDirectory], "b"), .on(3, .create, "late")])
        #expect(decoder.takeEnded() == [3])
        #expect(decoder.signals(of: [.on(3, .deleteSelf), .on(3, .ignored)]) == [])
        #expect(!decoder.table.awaitsIgnored(3))
    }

    @Test func aLateEventOfANumberGivenOutAgainIsIgnored() {
        var decoder = WatchDecoder.sample()
        _ = decoder.table.place(3, inode: 999, named: bytes("young"), under: 1)
        let signals = decoder.signals(of: [.on(3, .create, "old"), .on(3, .ignored), .on(3, .create, "x")])
        #expect(signals == [.touched(folder: 1, path: bytes("young/x"), how: .created)])
    }

    @Test func aWatchThatEndsForNoReasonIsLookedInto() {
        var decoder = WatchDecoder.sample()
        #expect(decoder.signals(of: [.on(3, .ignored)]) == [])
        #expect(decoder.walks.first?.purpose == .rewatch)
        #expect(decoder.walks.remaining == [WalkJob.Step(parent: 2, name: bytes("b"))])
    }

    @Test(arguments: [(EventMask.deleteSelf, RootLoss.deleted), (.moveSelf, .moved), (.unmount, .unmounted)])
    func aLostRootEndsTheFolder(mask: EventMask, reason: RootLoss) {
        var decoder = WatchDecoder.sample()
        #expect(decoder.signals(of: [.on(1, mask), .on(2, .create, "x")]) == [.rootGone(folder: 1, reason: reason)])
        #expect(decoder.takeEnded().sorted() == [1, 2, 3])
        #expect(decoder.table.count == 1)
    }

    @Test func anUnmountOfADirectoryBelowIsNotTheRoots() {
        var decoder = WatchDecoder.sample()
        #expect(decoder.signals(of: [.on(3, .unmount)]) == [])
    }

    @Test func aRemovedFolderIsSilent() {
        var decoder = WatchDecoder.sample()
        decoder.remove(1)
        #expect(decoder.signals(of: [.on(2, .create, "x")]) == [])
        #expect(decoder.takeEnded().sorted() == [1, 2, 3])
    }

    @Test func aPathBeyondTheBoundIsSaidToBe() {
        var decoder = WatchDecoder.sample()
        let name = [UInt8](repeating: 0x61, count: 4096)
        let signals = decoder.signals(of: [KernelEvent(watch: 2, mask: .create, name: name)])
        #expect(signals == [.beyondLimit(folder: 1, path: bytes("a/") + name, limit: .pathBytes)])
    }
}

extension KernelEvent {
    static func on(_ watch: Int32, _ mask: EventMask, _ name: String = "", cookie: UInt32 = 0) -> KernelEvent {
        KernelEvent(watch: watch, mask: mask, cookie: cookie, name: bytes(name))
    }
}

extension WatchDecoder {
    /// Folder 1 with `a` (watch 2) and `a/b` (3) below its root (1); folder 2 with its root (10) alone.
    ///
    /// Directories called `ignored` are left alone.
    static func sample(times: WatchTimes = WatchTimes()) -> WatchDecoder {
        var decoder = WatchDecoder(times: times)
        for folder in [1, 2] as [Int64] {
            decoder.add(folder, root: bytes("/w\(folder)")) {
                $0.split(separator: 0x2F).contains(bytes("ignored")[...])
            }
            decoder.walks.finishFirst()
        }
        _ = decoder.table.placeRoot(1, inode: 101, of: 1)
        decoder.table.put(2, "a", under: 1)
        decoder.table.put(3, "b", under: 2)
        _ = decoder.table.placeRoot(10, inode: 110, of: 2)
        return decoder
    }

    mutating func signals(of events: [KernelEvent], at now: Duration = .zero) -> [WatchSignal] {
        for event in events { step(event, at: now) }
        releaseBarriers()
        return takeSignals()
    }
}
