import Testing

@testable import Importing

struct WatchTimesTests {
    /// W03: an overflow every half second for half a minute.
    @Test func aStormOfOverflowsIsMendedEverMoreSeldom() {
        var schedule = RewatchSchedule(WatchTimes())
        var mended: [Duration] = []
        for tick in 1...60 {
            let now = Duration.milliseconds(500 * tick)
            if schedule.take(at: now) { mended.append(now) }
            schedule.overflowed(at: now)
        }
        #expect(mended.count <= 5)
        #expect(mended.first == .milliseconds(1500))
    }

    @Test func afterAQuietMinuteAnOverflowIsMendedSoonAgain() {
        var schedule = RewatchSchedule(WatchTimes())
        schedule.overflowed(at: .seconds(10))
        #expect(schedule.take(at: .seconds(11)) == true)
        schedule.overflowed(at: .seconds(12))
        #expect(schedule.due == .seconds(14))
        #expect(schedule.take(at: .seconds(14)) == true)
        schedule.overflowed(at: .seconds(100))
        #expect(schedule.due == .seconds(101))
    }

    @Test func aProofThatIsSeenInTimeProvesLife() throws {
        var liveness = Liveness(WatchTimes(), at: .zero)
        let dropped = liveness.due(at: .zero)
        let name = try #require(dropped)
        #expect(liveness.due(at: .seconds(1)) == nil)
        liveness.saw(name, at: .seconds(2))
        #expect(!liveness.isDead(at: .seconds(50)))
        #expect(liveness.lastSeen == .seconds(2))
        #expect(liveness.nextDeadline == .seconds(60))
    }

    @Test func aProofThatIsNotSeenInTimeMeansDeath() {
        var liveness = Liveness(WatchTimes(), at: .zero)
        #expect(liveness.due(at: .zero) != nil)
        liveness.saw(bytes("alive-99"), at: .seconds(1))
        #expect(!liveness.isDead(at: .seconds(9)))
        #expect(liveness.isDead(at: .seconds(10)))
        liveness.postpone(at: .seconds(10))
        #expect(!liveness.isDead(at: .seconds(10)))
        #expect(liveness.nextDeadline == .seconds(70))
    }
}

struct CookieBarrierTests {
    @Test func aCookieIsToldAfterWhatCameBeforeIt() {
        var decoder = WatchDecoder.sample()
        decoder.cookieWatch = 20
        let signals = decoder.signals(of: [.on(2, .create, "x"), .on(20, .create, "flush")])
        #expect(signals == [.touched(folder: 1, path: bytes("a/x"), how: .created), .cookieSeen(name: bytes("flush"))])
    }

    @Test func aCookieWaitsForTheWalksBeforeItAndForNoLater() {
        var decoder = WatchDecoder.sample()
        decoder.cookieWatch = 20
        let signals = decoder.signals(of: [
            .on(2, [.create, .isDirectory], "new"), .on(20, .create, "flush"),
            .on(2, [.create, .isDirectory], "later"),
        ])
        #expect(!signals.contains(.cookieSeen(name: bytes("flush"))))
        decoder.walks.finishFirst()
        #expect(decoder.signals(of: []) == [.cookieSeen(name: bytes("flush"))])
    }

    @Test func aCookieWaitsUntilAnOverflowIsMended() {
        var decoder = WatchDecoder.sample()
        decoder.cookieWatch = 20
        #expect(decoder.signals(of: [.on(-1, .overflow), .on(20, .create, "flush")]) == [.overflow])
        #expect(decoder.signalsOfExpiry(at: .seconds(1)) == [])
        decoder.walks.finishFirst()
        #expect(decoder.signals(of: []) == [])
        decoder.walks.finishFirst()
        #expect(decoder.signals(of: []) == [.cookieSeen(name: bytes("flush"))])
    }

    @Test func aCookieWaitsForTheRenamesBeforeIt() {
        var decoder = WatchDecoder.sample()
        decoder.cookieWatch = 20
        #expect(decoder.signals(of: [.on(2, .movedFrom, "x", cookie: 1), .on(20, .create, "flush")]) == [])
        #expect(
            decoder.signalsOfExpiry(at: .seconds(1)) == [
                .gone(folder: 1, path: bytes("a/x"), isDirectory: false), .cookieSeen(name: bytes("flush")),
            ])
    }
}
