import Glibc
import Importing
import Platform
import Testing

/// Against the kernel.
///
/// Barriers instead of sleeping: `flush` returns when everything before it has been told.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LiveWatchTests {
    @Test func aFileWrittenIsTold() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.write("w/x.jpg")
            let signals = try await fixture.flush()
            #expect(signals.contains(.touched(folder: 1, path: Array("x.jpg".utf8), how: .created)))
            #expect(signals.contains(.touched(folder: 1, path: Array("x.jpg".utf8), how: .closedAfterWrite)))
        }
    }

    /// W05.
    @Test func nothingMadeInADirectoryJustMadeIsLost() async throws {
        try await WatchFixture.with { fixture in
            for round in 1...100 {
                try fixture.scratch.makeDirectories("w/\(round)/a/b/c")
                try fixture.scratch.write("w/\(round)/a/b/c/x.jpg")
            }
            let expected = Set((1...100).map { "\($0)/a/b/c/x.jpg" })
            #expect(try await fixture.touchedPaths() == expected)
            #expect(fixture.watcher.status.watches == 402)
        }
    }

    /// W06: a file on each of twelve levels, fifty times, while level 3 is renamed.
    @Test func nothingInDeepTreesRenamedMeanwhileIsLost() async throws {
        try await WatchFixture.with { fixture in
            try await withThrowingTaskGroup { group in
                for tree in 1...50 {
                    group.addTask { try fixture.scratch.growAndRename(tree: tree) }
                }
                try await group.waitForAll()
            }
            let expected = try fixture.scratch.files(below: "w")
            let told = try await fixture.touchedPaths()
            #expect(expected.count == 600)
            #expect(expected.subtracting(told) == [])
        }
    }

    /// W07.
    @Test func aFileMovedInIsToldByItsName() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.write("out/x.jpg")
            try fixture.scratch.rename("out/x.jpg", "w/y.jpg")
            let signals = try await fixture.flush()
            #expect(signals.first == .touched(folder: 1, path: Array("y.jpg".utf8), how: .movedIn))
        }
    }

    /// W08.
    @Test func aFileInATreeRenamedTwiceHasItsLastPath() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.makeDirectories("w/a1/a2/a3")
            _ = try await fixture.flush()
            try fixture.scratch.rename("w/a1", "w/b1")
            try fixture.scratch.rename("w/b1", "w/c1")
            _ = try await fixture.flush()
            try fixture.scratch.write("w/c1/a2/a3/x.jpg")
            #expect(try await fixture.touchedPaths() == ["c1/a2/a3/x.jpg"])
        }
    }

    /// W10.
    @Test func aDirectoryMadeAgainIsToldUnderItsOwnName() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.makeDirectories("w/d/old")
            try fixture.scratch.write("w/d/old.jpg")
            _ = try await fixture.flush()
            try fixture.scratch.removeTree("w/d")
            try fixture.scratch.makeDirectory("w/d")
            try fixture.scratch.write("w/d/new.jpg")
            let signals = try await fixture.flush()
            #expect(signals.contains(.gone(folder: 1, path: Array("d/old.jpg".utf8), isDirectory: false)))
            #expect(signals.contains(.gone(folder: 1, path: Array("d".utf8), isDirectory: true)))
            #expect(signals.contains { if case .touched(1, Array("d/new.jpg".utf8), _) = $0 { true } else { false } })
            #expect(fixture.watcher.status.watches == 3)
        }
    }

    /// W11.
    @Test func aFileMovedAwayIsGone() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.write("w/x.jpg")
            _ = try await fixture.flush()
            try fixture.scratch.rename("w/x.jpg", "out/x.jpg")
            let signals = try await fixture.flush()
            #expect(signals.first == .gone(folder: 1, path: Array("x.jpg".utf8), isDirectory: false))
        }
    }

    @Test func aTreeMovedAwayIsGoneAndNoLongerHeard() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.makeDirectories("w/d/e")
            _ = try await fixture.flush()
            try fixture.scratch.rename("w/d", "out/d")
            #expect(
                try await fixture.flush().first == .gone(folder: 1, path: Array("d".utf8), isDirectory: true))
            try fixture.scratch.write("out/d/e/x.jpg")
            #expect(try await fixture.touchedPaths() == [])
            #expect(fixture.watcher.status.watches == 2)
        }
    }

    @Test func aTreeMovedBetweenFoldersIsMovedAndItsFilesTold() async throws {
        try await WatchFixture.with { fixture in
            try fixture.scratch.makeDirectories("w/d/e")
            try fixture.scratch.write("w/d/e/x.jpg")
            _ = try await fixture.flush()
            try fixture.scratch.rename("w/d", "v/z")
            let signals = try await fixture.flush()
            #expect(
                signals.first
                    == .moved(
                        folder: 1, from: Array("d".utf8), toFolder: 2, to: Array("z".utf8), isDirectory: true))
            #expect(signals.contains(.touched(folder: 2, path: Array("z/e/x.jpg".utf8), how: .movedIn)))
            #expect(fixture.watcher.status.watches == 4)
        }
    }

    /// W19.
    @Test func watchesCountDirectoriesOnly() async throws {
        try await WatchFixture.with { fixture in
            for directory in 1...3 {
                try fixture.scratch.makeDirectory("w/\(directory)")
                for file in 1...333 { try fixture.scratch.write("w/\(directory)/\(file).jpg") }
            }
            #expect(try await fixture.touchedPaths().count == 999)
            #expect(fixture.watcher.status.watches == 5)
            #expect(inotifyWatchesOfThisProcess() == 6)
        }
    }

    /// W21.
    @Test func directoriesThatCameAndWentLeaveNoWatch() async throws {
        try await WatchFixture.with { fixture in
            for number in 1...1000 { try fixture.scratch.makeDirectory("w/\(number)") }
            _ = try await fixture.flush()
            #expect(fixture.watcher.status.watches == 1002)
            for number in 1...500 { try fixture.scratch.rename("w/\(number)", "out/\(number)") }
            for number in 501...1000 { try fixture.scratch.removeDirectory("w/\(number)") }
            _ = try await fixture.flush()
            // What the flush found to be gone is given back before the next one ends.
            _ = try await fixture.flush()
            #expect(fixture.watcher.status.watches == 2)
            #expect(inotifyWatchesOfThisProcess() == 3)
        }
    }
}
