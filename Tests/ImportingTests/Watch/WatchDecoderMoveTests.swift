import Testing

@testable import Importing

struct WatchDecoderMoveTests {
    private let soon = Duration.milliseconds(499)
    private let late = Duration.milliseconds(500)

    @Test func aRenamedFileIsMovedAndACandidate() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [
            .on(2, .movedFrom, "x.part", cookie: 7), .on(3, .movedTo, "x.jpg", cookie: 7),
        ])
        #expect(
            signals == [
                .moved(folder: 1, from: bytes("a/x.part"), toFolder: 1, to: bytes("a/b/x.jpg"), isDirectory: false),
                .touched(folder: 1, path: bytes("a/b/x.jpg"), how: .movedIn),
            ])
        #expect(decoder.signalsOfExpiry(at: late) == [])
    }

    @Test func aFileMovedToAnotherFolderIsMoved() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [.on(2, .movedFrom, "x", cookie: 7), .on(10, .movedTo, "y", cookie: 7)])
        #expect(
            signals.first == .moved(folder: 1, from: bytes("a/x"), toFolder: 2, to: bytes("y"), isDirectory: false))
    }

    @Test func aFileThatDoesNotArriveIsGoneAfterTheWindow() {
        var decoder = WatchDecoder.sample()
        #expect(decoder.signals(of: [.on(2, .movedFrom, "x.jpg", cookie: 7)]) == [])
        #expect(decoder.nextDeadline == late)
        #expect(decoder.signalsOfExpiry(at: soon) == [])
        #expect(decoder.signalsOfExpiry(at: late) == [.gone(folder: 1, path: bytes("a/x.jpg"), isDirectory: false)])
        #expect(decoder.nextDeadline == nil)
    }

    @Test func aFileGoneFromADirectoryThatMovedIsGoneFromItsNewPlace() {
        var decoder = WatchDecoder.sample()
        _ = decoder.signals(of: [
            .on(2, .movedFrom, "x", cookie: 7),
            .on(1, [.movedFrom, .isDirectory], "a", cookie: 8), .on(1, [.movedTo, .isDirectory], "z", cookie: 8),
        ])
        #expect(decoder.signalsOfExpiry(at: late) == [.gone(folder: 1, path: bytes("z/x"), isDirectory: false)])
    }

    /// `mv a1 b1; mv b1 c1`, then a file deep below (W08).
    @Test func aFileInATreeRenamedTwiceHasItsLastPath() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [
            .on(1, [.movedFrom, .isDirectory], "a", cookie: 1), .on(1, [.movedTo, .isDirectory], "b1", cookie: 1),
            .on(2, .moveSelf),
            .on(1, [.movedFrom, .isDirectory], "b1", cookie: 2), .on(1, [.movedTo, .isDirectory], "c1", cookie: 2),
            .on(2, .moveSelf), .on(3, .create, "x.jpg"),
        ])
        #expect(
            signals == [
                .moved(folder: 1, from: bytes("a"), toFolder: 1, to: bytes("b1"), isDirectory: true),
                .moved(folder: 1, from: bytes("b1"), toFolder: 1, to: bytes("c1"), isDirectory: true),
                .touched(folder: 1, path: bytes("c1/b/x.jpg"), how: .created),
            ])
    }

    @Test func whatHappensInADirectoryBetweenTheTwoHalvesKeepsTheOldPath() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [
            .on(1, [.movedFrom, .isDirectory], "a", cookie: 1), .on(3, .delete, "x.jpg"),
            .on(1, [.movedTo, .isDirectory], "z", cookie: 1),
        ])
        #expect(signals.first == .gone(folder: 1, path: bytes("a/b/x.jpg"), isDirectory: false))
    }

    @Test func aDirectoryThatLeftTakesItsWatchesWithIt() {
        var decoder = WatchDecoder.sample()
        _ = decoder.signals(of: [.on(1, [.movedFrom, .isDirectory], "a", cookie: 1)])
        #expect(decoder.signalsOfExpiry(at: late) == [.gone(folder: 1, path: bytes("a"), isDirectory: true)])
        #expect(decoder.takeEnded().sorted() == [2, 3])
        #expect(decoder.signals(of: [.on(3, .create, "x")]) == [])
    }

    @Test func aDirectoryFromOutsideIsWalked() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [.on(2, [.movedTo, .isDirectory], "card", cookie: 9)])
        #expect(signals == [.directoryAppeared(folder: 1, path: bytes("a/card"))])
        #expect(decoder.walks.first?.purpose == .moved)
    }

    @Test func aDirectoryMovedToAnIgnoredNameIsGone() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [
            .on(1, [.movedFrom, .isDirectory], "a", cookie: 1), .on(1, [.movedTo, .isDirectory], "ignored", cookie: 1),
        ])
        #expect(signals == [.gone(folder: 1, path: bytes("a"), isDirectory: true)])
        #expect(decoder.takeEnded().sorted() == [2, 3])
    }

    /// RENAME_EXCHANGE of `a` (2) and `c` (4): two renames, the second of a name just given away.
    @Test func exchangedDirectoriesAreBothLookedAtAndFound() {
        var decoder = WatchDecoder.sample()
        decoder.table.put(4, "c", under: 1)
        _ = decoder.signals(of: [
            .on(1, [.movedFrom, .isDirectory], "a", cookie: 1), .on(1, [.movedTo, .isDirectory], "c", cookie: 1),
            .on(2, .moveSelf),
            .on(1, [.movedFrom, .isDirectory], "c", cookie: 2), .on(1, [.movedTo, .isDirectory], "a", cookie: 2),
            .on(4, .moveSelf),
        ])
        // What the walks see, in their order: c, a, a, c.
        #expect(decoder.walkedNames() == ["c", "a", "a", "c"])
        for (watch, name) in [(2, "c"), (4, "a"), (4, "a"), (2, "c")] as [(Int32, String)] {
            decoder.table.put(watch, name, under: 1)
        }
        decoder.endDetached()
        #expect(decoder.table.path(of: 3) == "1:c/b")
        #expect(decoder.table.path(of: 4) == "1:a")
        #expect(decoder.takeEnded() == [])
    }

    @Test func anOverflowMakesNothingGone() {
        var decoder = WatchDecoder.sample()
        let signals = decoder.signals(of: [.on(2, .movedFrom, "x.jpg", cookie: 7), .on(-1, .overflow)])
        #expect(signals == [.overflow])
        #expect(decoder.signalsOfExpiry(at: late) == [])
        #expect(decoder.overflows == 1)
    }

    @Test func afterAnOverflowEveryFolderIsWalkedOnce() {
        var decoder = WatchDecoder.sample()
        _ = decoder.signals(of: [.on(-1, .overflow), .on(-1, .overflow)])
        #expect(decoder.signalsOfExpiry(at: .milliseconds(999)) == [])
        #expect(decoder.walks.isEmpty)
        _ = decoder.signalsOfExpiry(at: .seconds(1))
        #expect(decoder.walks.first?.purpose == .rewatch)
        #expect(decoder.walkedNames() == ["", ""])
    }
}

extension WatchDecoder {
    mutating func signalsOfExpiry(at now: Duration) -> [WatchSignal] {
        expire(at: now)
        releaseBarriers()
        return takeSignals()
    }

    /// Takes every walk, and gives the names where they begin.
    mutating func walkedNames() -> [String] {
        var names: [String] = []
        while let step = walks.takeStep() {
            names.append(String(decoding: step.name, as: UTF8.self))
            walks.finishFirst()
        }
        return names
    }
}
