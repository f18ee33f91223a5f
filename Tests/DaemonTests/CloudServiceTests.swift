import Cloud
import Control
import FoundationEssentials
import PhotoStore
import Platform
import Testing

@testable import Daemon

/// A store and a configuration that change while the tier is at work.
@Suite struct CloudServiceTests {
    private func withCloud(_ body: (CloudService) throws -> Void) throws {
        let scratch = try Scratch()
        let machine = Machine.live(log: .standardError(minimum: .fault))
        let library = try PhotoLibrary.open(
            Array((scratch.path + "/library").utf8), machine: machine, executor: .inline())
        defer { library.onThread { $0.close() } }
        let readers = try LibraryReaders(of: library, count: 1)
        defer { readers.close() }
        let (opened, _) = try CloudService.open(
            CloudSettings(), library: library, readers: readers, machine: machine)
        let cloud = try #require(opened)
        defer { cloud.stop() }
        try body(cloud)
    }

    @Test func rulesAndFaultsHoldFromTheReloadOn() throws {
        try withCloud { cloud in
            var settings = CloudSettings()
            // What a person simulates stays, until the configuration says something else of it.
            cloud.store.faults.isOffline = true
            settings.policy.keepLocal = 20
            settings.policy.deletesPurged = .seconds(60)
            cloud.adopt(settings)
            #expect(cloud.policy() == settings.policy)
            #expect(cloud.store.faults.isOffline)
            settings.faults.errorRate = 0.5
            cloud.adopt(settings)
            #expect(cloud.store.faults == settings.faults)
        }
    }

    @Test func whatFindsNoRoomOnTheDiskIsAProblem() {
        #expect(StatusProblem(withoutRoom: 0) == nil)
        let problem = StatusProblem(withoutRoom: 2)
        #expect(problem?.what.hasPrefix("2 originals are wanted on the disk") == true)
        #expect(problem?.fix.contains("free some space") == true)
    }

    /// What does not pass by itself is said at once; an outage only when it lasts.
    @Test func anObstacleIsSaidAtOnceOrWhenItLasts() throws {
        for kind in [ObjectStoreError.Kind.forbidden, .refused, .quotaExceeded] {
            var round = TierRound()
            round.obstacle = .store(ObjectStoreError(kind, "no"))
            let problem = StatusProblem(obstacle: CloudObstacle(round, historyFailure: nil, before: nil))
            #expect(problem?.what.contains("\(kind.rawValue): no") == true && problem?.fix.isEmpty == false)
        }
        var obstacle: CloudObstacle?
        for number in 1...4 {
            obstacle = CloudObstacle(
                nil, historyFailure: ObjectStoreError(.unavailable, "500"), before: obstacle)
            #expect((StatusProblem(obstacle: obstacle) != nil) == (number > CloudObstacle.patientRounds))
        }
        #expect(CloudObstacle(TierRound(), historyFailure: nil, before: obstacle) == nil)
        // It has a problem of its own.
        #expect(CloudObstacle(nil, historyFailure: MirrorError.vanished, before: nil) == nil)
    }

    /// Another copy of the library wrote there: a check says so, and nothing of the store is believed from then on.
    @Test(arguments: [true, false]) func aStoreWithALaterHistoryIsNotBelievedAnyMore(isByPerson: Bool) throws {
        try withCloud { cloud in
            cloud.keepHistory(through: cloud.store)
            #expect(cloud.state.update { $0.isStoreKnown })
            let line = #"{"token":900,"date":"2026-01-01T00:00:00.000000Z","origin":"import","changes":[]}"# + "\n"
            let key = try #require(ObjectKey("library/changes/0000000000000900-0000000000000900"))
            _ = try cloud.store.put(key, ObjectBody(Array(line.utf8)))
            if isByPerson {
                #expect(throws: MirrorError.ahead(token: 900)) {
                    try cloud.checkMirror(through: cloud.store) { _ in true }
                }
            } else {
                cloud.lookAtMirror()
            }
            #expect(!cloud.state.update { $0.isStoreKnown })
            #expect(cloud.state.update { $0.mirrorProblem }?.what.contains("a later library") == true)
            #expect(throws: TierError.self) { try cloud.requireStore(through: cloud.store) }
        }
    }

    /// What is in the way stands with what to do about it, whoever met it.
    @Test func whatIsInTheWayHasItsFix() throws {
        try withCloud { cloud in
            #expect(cloud.standstill == nil)
            cloud.store.faults.isOffline = true
            #expect(cloud.standstill?.fix == "albumctl cloud simulate --online")
            cloud.store.faults.isOffline = false
            cloud.state.update { $0.mirrorFailure = MirrorError.vanished }
            #expect(cloud.standstill?.fix == MirrorError.vanished.fix)
            cloud.state.update { $0.mirrorFailure = nil }
            for kind in [ObjectStoreError.Kind.quotaExceeded, .forbidden, .refused, .unreachable] {
                var round = TierRound()
                round.obstacle = .store(ObjectStoreError(kind, "no"))
                cloud.state.update { $0.obstacle = CloudObstacle(round, historyFailure: nil, before: nil) }
                #expect(cloud.standstill?.what.contains("no") == true)
                #expect(cloud.standstill?.fix == CloudObstacle.fix(of: kind))
            }
        }
    }

    /// A person's command succeeds before the next round does.
    @Test func anAnswerEndsAnOutage() throws {
        try withCloud { cloud in
            cloud.note(.store(ObjectStoreError(.unreachable, "no")))
            #expect(cloud.standstill != nil && cloud.silence != nil)
            cloud.noteAnswer()
            #expect(cloud.standstill == nil && cloud.silence == nil)
            // What is full is full, whatever it gives out.
            cloud.note(.store(ObjectStoreError(.quotaExceeded, "no")))
            cloud.noteAnswer()
            #expect(cloud.standstill?.fix == CloudObstacle.fix(of: .quotaExceeded))
        }
    }

    /// An advice names what helps, and not the command that says no more.
    @Test func aRepairFromTheCloudThatFailedSaysWhatHelps() {
        let errors: [(TierError, String)] = [
            (.notOurs(.vanished), MirrorError.vanished.fix), (.noRoom(byteCount: 1), "free some space"),
            (.lost, lostOriginalFix), (.store(ObjectStoreError(.unreachable, "no")), "albumctl cloud status"),
            (.store(ObjectStoreError(.notFound, "no")), "albumctl cloud verify"),
        ]
        for (error, words) in errors { #expect(error.fixOfRepair.contains(words), "\(error)") }
        #expect(fixOfHistory(TierError.notOurs(.vanished)) == MirrorError.vanished.fix)
    }

    /// Whoever asks hears it at once; and that it is back, too.
    @Test func aDirectoryThatIsNotInItsPlaceIsSeenWhenSomebodyAsks() throws {
        try withCloud { cloud in
            cloud.keepHistory(through: cloud.store)
            let place = String(decoding: cloud.directory, as: UTF8.self)
            try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
            cloud.lookAtPlace()
            #expect(cloud.standstill?.what.contains("not there any more") == true)
            #expect(cloud.standstill?.fix.contains("mount its disk") == true)
            #expect(cloud.silence != nil)
            // Questions are no rounds: it does not last longer by them.
            for _ in 1...5 { cloud.lookAtPlace() }
            #expect(cloud.state.update { $0.obstacle?.rounds } == 1)
            // Another trouble of the same kind is said at once, and in one voice.
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            cloud.lookAtPlace()
            #expect(cloud.standstill?.what.contains("another directory") == true)
            #expect(cloud.state.update { $0.obstacle?.why.contains("another directory") } == true)
            try FileManager.default.removeItem(atPath: place)
            try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
            cloud.lookAtPlace()
            #expect(cloud.standstill == nil && cloud.silence == nil)
        }
    }

    /// An idle daemon leaves the machine alone.
    @Test func theHistoryIsReadAgainForASmallPartOfTheTime() throws {
        try withCloud { cloud in
            cloud.keepHistory(through: cloud.store)
            cloud.store.faults.latency = .milliseconds(20)
            cloud.lookAtMirror()
            let (first, next) = cloud.state.update { ($0.mirrorCursor, $0.nextMirrorLook) }
            #expect(first != nil)
            #expect(next > cloud.machine.uptime() + .seconds(15))
            cloud.lookAtMirror()
            #expect(cloud.state.update { $0.mirrorCursor } == first)
        }
    }

    /// Found when a proof is asked for, and not only when the history is read.
    @Test func aStoreWithALaterHistoryProvesNothing() throws {
        try withCloud { cloud in
            try cloud.requireBelief(in: cloud.store)
            let line = #"{"token":900,"date":"2026-01-01T00:00:00.000000Z","origin":"import","changes":[]}"# + "\n"
            let key = try #require(ObjectKey("library/changes/0000000000000900-0000000000000900"))
            _ = try cloud.store.put(key, ObjectBody(Array(line.utf8)))
            // The second time from what is known of it.
            for _ in 1...2 { #expect(throws: TierError.self) { try cloud.requireBelief(in: cloud.store) } }
            try cloud.store.delete(key)
            try cloud.requireBelief(in: cloud.store)
        }
    }
}
