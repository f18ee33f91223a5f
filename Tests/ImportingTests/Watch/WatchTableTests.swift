import Platform
import TestSupport
import Testing

@testable import Importing

struct WatchTableTests {
    /// Folder 1 with `lt`, `lt/ab`, `lt/ab/deep`, `lt/abc`: watches 1 to 5.
    private func table() -> WatchTable {
        var table = WatchTable()
        _ = table.placeRoot(1, inode: 101, of: 1)
        table.put(2, "lt", under: 1)
        table.put(3, "ab", under: 2)
        table.put(4, "deep", under: 3)
        table.put(5, "abc", under: 2)
        return table
    }

    @Test func aPathIsMadeOfTheNamesAboveIt() {
        #expect(table().path(of: 1) == "1:")
        #expect(table().path(of: 4) == "1:lt/ab/deep")
    }

    @Test func renamingADirectoryLeavesASiblingAloneThatBeginsWithItsName() {
        var table = table()
        #expect(table.move(3, to: bytes("zz"), under: 2) == true)
        #expect(table.path(of: 4) == "1:lt/zz/deep")
        #expect(table.path(of: 5) == "1:lt/abc")
    }

    @Test func aTreeRenamedTwiceHasItsLastPath() {
        var table = table()
        #expect(table.move(2, to: bytes("b1"), under: 1) == true)
        #expect(table.move(2, to: bytes("c1"), under: 1) == true)
        #expect(table.path(of: 4) == "1:c1/ab/deep")
        #expect(table.child(bytes("lt"), of: 1) == nil)
    }

    @Test func aDirectoryMovedToAnotherFolderTakesAllBelowItAlong() {
        var table = table()
        _ = table.placeRoot(10, inode: 110, of: 2)
        #expect(table.move(3, to: bytes("new"), under: 10) == true)
        #expect(table.path(of: 4) == "2:new/deep")
        #expect(table.count(in: 1) == 3)
        #expect(table.count(in: 2) == 3)
    }

    @Test func aDirectoryCannotMoveBelowItself() {
        var table = table()
        #expect(table.move(2, to: bytes("x"), under: 4) == false)
        #expect(table.path(of: 4) == "1:lt/ab/deep")
    }

    @Test func aDirectorySeenElsewhereIsWhereItWasSeen() {
        var table = table()
        #expect(table.place(3, inode: 103, named: bytes("ab"), under: 2) == .unchanged)
        #expect(table.place(3, inode: 103, named: bytes("xy"), under: 1) == .moved)
        #expect(table.path(of: 4) == "1:xy/deep")
    }

    @Test func whatStoodAtTheNameLosesItsPlaceUntilItIsSeenAgain() {
        var table = table()
        #expect(table.place(6, inode: 106, named: bytes("ab"), under: 2) == .new)
        #expect(table.path(of: 6) == "1:lt/ab")
        #expect(table.path(of: 4) == nil)
        #expect(table.place(3, inode: 103, named: bytes("seen"), under: 1) == .moved)
        #expect(table.path(of: 4) == "1:seen/deep")
        #expect(table.removeDetached() == [])
    }

    @Test func whatIsNotSeenAgainGivesItsWatchesBack() {
        var table = table()
        table.detach(3)
        #expect(table.removeDetached().sorted() == [3, 4])
        #expect(table.count == 3)
        #expect(table.awaitsIgnored(4))
    }

    @Test func removingASubtreeRemovesNothingBesideIt() {
        var table = table()
        #expect(table.remove(3).sorted() == [3, 4])
        #expect(table.path(of: 5) == "1:lt/abc")
        #expect(table.childWatches(of: 2) == [5])
        #expect(table.remove(1).sorted() == [1, 2, 5])
        #expect(table.count == 0)
        #expect(table.root(of: 1) == nil)
    }

    /// In order: a directory is deleted, its number 3 is given to another, the first one's IN_IGNORED is read (W23).
    @Test func aNumberGivenOutAgainWaitsForTheEndOfTheFirst() {
        var table = table()
        #expect(table.place(3, inode: 999, named: bytes("young"), under: 1) == .new)
        #expect(table.awaitsIgnored(3))
        #expect(table.path(of: 4) == nil)
        #expect(table.passIgnored(3) == true)
        #expect(!table.awaitsIgnored(3))
        #expect(table.path(of: 3) == "1:young")
    }

    @Test func aNumberEndedTwiceWaitsForBothEnds() {
        var table = table()
        _ = table.remove(4)
        table.put(4, "again", under: 1)
        _ = table.remove(4)
        #expect(table.passIgnored(4) == true)
        #expect(table.awaitsIgnored(4))
        #expect(table.passIgnored(4) == true)
        #expect(!table.awaitsIgnored(4))
    }

    @Test func aRootThatAnotherFolderReachesIsRefused() {
        var table = table()
        #expect(table.placeRoot(3, inode: 103, of: 2) == .root(of: 1))
        #expect(table.placeRoot(1, inode: 101, of: 1) == .unchanged)
        #expect(table.place(1, inode: 101, named: bytes("loop"), under: 4) == .root(of: 1))
    }

    @Test func aWideDirectoryIsTakenApartChildByChild() {
        var table = WatchTable()
        _ = table.placeRoot(1, inode: 1, of: 1)
        for watch in 2...50_001 as ClosedRange<Int32> { table.put(watch, "d\(watch)", under: 1) }
        var order = SeededRandom(seed: 50_001)
        for watch in (2...50_001 as ClosedRange<Int32>).shuffled(using: &order) { _ = table.remove(watch) }
        #expect(table.count == 1)
        #expect(table.childWatches(of: 1) == [])
    }
}

extension WatchTable {
    /// The inode is the watch number and a hundred.
    mutating func put(_ watch: Int32, _ name: String, under parent: Int32) {
        _ = place(watch, inode: UInt64(watch) + 100, named: bytes(name), under: parent)
    }

    /// `folder:path`.
    func path(of watch: Int32) -> String? {
        place(of: watch).map { "\($0.folder):" + String(decoding: $0.path, as: UTF8.self) }
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
