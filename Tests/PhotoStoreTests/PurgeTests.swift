import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Deleting for good: one commit, then the bytes, and nothing that anybody else has (RULES R35, R37, R38; I3, I16, I17).
@Suite struct PurgeTests {
    private func isStored(_ text: String, _ library: PhotoLibrary) throws -> Bool {
        try library.directory.originals.isSound(try Sample.content(text))
    }

    private func trash(_ numbers: UInt8..., in library: isolated PhotoLibrary) throws {
        _ = try library.performChanges(origin: "test") {
            try $0.trash(numbers.map(Sample.identifier), reason: .person)
        }
    }

    @Test func aPurgeTakesTheBytesAndLeavesTheIdentifier() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b"])
                try library.perform(Sample.album(9), Sample.adding(1, 2, to: 9, by: .person))
                try trash(1, in: library)
                _ = try library.purge([Sample.identifier(1)], origin: "test", reason: .person)
                #expect(try !isStored("a", library))
                #expect(try isStored("b", library))
                #expect(try library.read { try $0.asset(Sample.identifier(1))?.state } == .purged)
                #expect(try library.read { try $0.album(Sample.identifier(9))?.count } == 1)
                #expect(throws: LibraryError.assetPurged(Sample.identifier(1))) {
                    _ = try library.performChanges(origin: "test") { try $0.restore([Sample.identifier(1)]) }
                }
            }
        }
    }

    @Test func whatIsNotInRecentlyDeletedIsNotPurged() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                #expect(try library.purge([Sample.identifier(1)], origin: "test", reason: .person).value == [])
                #expect(try isStored("a", library))
            }
        }
    }

    @Test func aCrashAfterTheCommitLeavesWorkThatTheNextStartDoes() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try trash(1, in: library)
            }
            home.simulated.onReach { milestone in if milestone == .purgeCommitted { throw SimulatedDeath() } }
            try library.inside { library throws in
                #expect(throws: SimulatedDeath.self) {
                    _ = try library.purge([Sample.identifier(1)], origin: "test", reason: .person)
                }
                #expect(try isStored("a", library))
            }
            home.simulated.onReach(nil)
            home.cutPower()
            let restarted = try home.open()
            #expect(try restarted.onThread { try !isStored("a", $0) })
            #expect(try restarted.onThread { try $0.read { try $0.asset(Sample.identifier(1))?.state } } == .purged)
        }
    }

    /// RULES R5: every unlink asks again whether a row names the bytes.
    @Test func bytesThatCameAgainMeanwhileStay() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try trash(1, in: library)
            }
            for _ in 0..<2 { home.files.failNext(.unlink, EIO) }
            try library.inside { library throws in
                _ = try library.purge([Sample.identifier(1)], origin: "test", reason: .person)
                #expect(try isStored("a", library))
                try library.importAssets(["a"], first: 2)
                try library.keepTime()
                #expect(try isStored("a", library))
            }
            home.close()
            let reopened = try home.open()
            #expect(try reopened.onThread { try isStored("a", $0) })
            #expect(try reopened.onThread { try $0.condition(of: "a") } == .sound)
        }
    }

    /// RULES R11: a full disk is when it is needed most.
    @Test func aFullDiskTakesAPurge() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try trash(1, in: library)
            }
            home.files.configure { $0.capacity = 0 }
            try library.inside { library throws in
                _ = try library.purge([Sample.identifier(1)], origin: "test", reason: .person)
                #expect(try !isStored("a", library))
            }
        }
    }

    @Test func anAssetExpiresAfterThirtyDaysOfWhichAlbumdRanOne() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try trash(1, in: library)
            }
            try run(days: 29, in: home, library)
            #expect(try library.onThread { try isStored("a", $0) })
            try run(days: 2, in: home, library)
            #expect(try library.onThread { try !isStored("a", $0) })
            let purge = try library.onThread { try $0.read { try $0.history(after: 0, limit: .max).last?.changes } }
            #expect(purge?.contains(#""reason":"expired""#) == true)
        }
    }

    /// RULES R35, R50: neither a jump nor a long time switched off makes anything old at once.
    @Test(arguments: [false, true]) func aClockThatJumpsPurgesNothingForADay(whileOff: Bool) throws {
        try withSimulatedLibrary("jump \(whileOff)") { home in
            var library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try trash(1, in: library)
            }
            if whileOff { home.close() }
            home.simulated.setWallClock(4_000_000_000_000_000_000)
            if whileOff { library = try home.open() }
            try run(hours: 23, in: home, library)
            #expect(try library.onThread { try isStored("a", $0) })
            try run(hours: 4, in: home, library)
            #expect(try library.onThread { try !isStored("a", $0) })
        }
    }

    /// A deletion is dated by the last reading of the clock, up to an hour before it; its day of running is whole.
    @Test func whatWasTrashedJustBeforeAReadingHasItsWholeDay() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in try library.importAssets(["a"]) }
            home.simulated.advance(by: .seconds(3500))
            try library.inside { library throws in try trash(1, in: library) }
            home.simulated.advance(by: .seconds(100))
            try library.inside { library throws in _ = try library.keepTime() }
            home.close()
            home.simulated.setWallClock(4_000_000_000_000_000_000)
            let reopened = try home.open()
            try run(hours: 23, in: home, reopened)
            #expect(try reopened.onThread { try isStored("a", $0) })
            try run(hours: 2, in: home, reopened)
            #expect(try reopened.onThread { try !isStored("a", $0) })
        }
    }

    /// A user's own albumd may never run for a whole hour.
    @Test func shortRunsThatEndInOrderCountForTheDayOfRunning() throws {
        try withSimulatedLibrary { home in
            var library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try trash(1, in: library)
            }
            for run in 1...33 {
                home.simulated.advance(by: .seconds(50 * 60))
                home.close(inOrder: true)
                home.simulated.advance(by: .seconds(23 * 3600))
                library = try home.open()
                if run < 30 { #expect(try library.onThread { try isStored("a", $0) }) }
            }
            // Not in order: the catalogue is checked by the next start itself, which then purges.
            home.close()
            library = try home.open()
            #expect(try library.onThread { try !isStored("a", $0) })
        }
    }

    /// What status says of the day on which photos vanish.
    @Test func noDateOfVanishingIsInThePast() throws {
        let clock = RunningClock(runningSeconds: 5000, wall: Date(microseconds: 0), frozenUntil: 9000)
        let now = Date(microseconds: 0).addingTimeInterval(50 * 86_400)
        let trashing = (date: Date(microseconds: 0), runningSeconds: Int64(0))
        #expect(clock.expiry(of: trashing, now: now) == now.addingTimeInterval(86_400 + 3600 - 5000))
        let early = Date(microseconds: 0)
        #expect(clock.expiry(of: trashing, now: early) == early.addingTimeInterval(RunningClock.retention))
    }

    private func run(days: Int, in home: SimulatedLibrary, _ library: PhotoLibrary) throws {
        try run(hours: days * 24, in: home, library)
    }

    /// As the engine does: once an hour.
    private func run(hours: Int, in home: SimulatedLibrary, _ library: PhotoLibrary) throws {
        for _ in 0..<hours {
            home.simulated.advance(by: .seconds(3600))
            try library.inside { library throws in _ = try library.keepTime() }
        }
    }
}

private struct SimulatedDeath: Error {}
