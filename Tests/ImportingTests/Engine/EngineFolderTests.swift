import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// Folders that come, go, and are not what they were (RULES R24, R32).
@Suite struct EngineFolderTests {
    private func standing(_ name: String, _ bench: EngineBench) -> Standing? {
        bench.engine?.status.folders.first { $0.rule.path == bench.path(name).bytes }?.standing
    }

    private func watching(_ name: String, _ bench: EngineBench) -> Watching? {
        bench.engine?.status.folders.first { $0.rule.path == bench.path(name).bytes }?.watching
    }

    private func isPolled(_ name: String, _ bench: EngineBench) -> Bool {
        if case .polling = watching(name, bench) { true } else { false }
    }

    /// The daemon serves before it has handed its folders over.
    @Test func whoAsksBeforeTheFoldersAreKnownWaitsForThem() throws {
        try BenchDisk.simulated.withBench { bench in
            bench.end()
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            let rules = bench.rules
            bench.rules = []
            try bench.start()
            let told = Mutex<(flush: FlushReport?, scan: Int?)>((nil, nil))
            let engine = try #require(bench.engine)
            _ = try engine.step([
                .flush(name: Array("early".utf8), deadline: .seconds(3600)) { report in
                    told.withLock { $0.flush = report }
                },
                .scan(nil) { folders in told.withLock { $0.scan = folders.count } },
            ])
            #expect(told.withLock { $0.flush == nil && $0.scan == nil })
            bench.rules = rules
            bench.post(.setFolders(rules))
            try bench.run(atMost: .seconds(60)) { told.withLock { $0.flush != nil && $0.scan != nil } }
            #expect(told.withLock { $0.scan } == 2)
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aFolderThatIsNotThereIsLookedForWithoutHaste() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.rename("two", to: "gone")
            bench.watcher.restart()
            let opened = bench.simulation.files.callCount(.openDirectory)
            try bench.run(for: .seconds(600))
            #expect(bench.simulation.files.callCount(.openDirectory) - opened < 600)
            guard case .offline = standing("two", bench) else {
                Issue.record("it is \(String(describing: standing("two", bench)))")
                return
            }
            #expect(try bench.flush().offline == [bench.path("two")])
            try bench.rename("gone", to: "two")
            try bench.write("two/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(20))
            #expect(standing("two", bench) == .online)
            #expect(try bench.source("two/a.jpg")?.outcome == .imported)
        }
    }

    @Test func anIdleEngineSleepsForHours() throws {
        try BenchDisk.simulated.withBench { bench in
            let listed = bench.simulation.files.callCount(.list)
            try bench.run(for: .seconds(5 * 3600))
            #expect(bench.simulation.files.callCount(.list) == listed)
            try bench.run(for: .seconds(2 * 3600))
            #expect(bench.simulation.files.callCount(.list) == listed + 2)
        }
    }

    @Test func watchesThatAreNeverSetAreWaitedForWithoutSpinning() throws {
        let bench = try EngineBench()
        try bench.addFolder("in", album: "Inbox")
        try bench.start()
        try bench.run(for: .milliseconds(1))
        bench.watcher.forget()
        try bench.run(for: .seconds(30))
        #expect(watching("in", bench) == .starting)
    }

    @Test func aFolderWhoseMarkerWasCopiedIsNotTakenForTheFirst() throws {
        try BenchDisk.simulated.withBench { bench in
            let marker = try bench.program.read(bench.path("in/.albumd-folder").bytes)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.addFolder("a-copy", album: "Copy")
            try bench.program.write(bench.path("a-copy/.albumd-folder").bytes, marker)
            try bench.run(for: .seconds(30))
            guard case .offline(let why) = standing("a-copy", bench) else {
                Issue.record("it is \(String(describing: standing("a-copy", bench)))")
                return
            }
            #expect(why.contains("copy of that of '/in'"))
            #expect(standing("in", bench) == .online)
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aFolderThatWasRenamedKeepsItsSources() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let asset = try bench.source("in/a.jpg")?.localIdentifier
            try bench.rename("in", to: "renamed")
            bench.rules[0].path = bench.path("renamed").bytes
            bench.post(.setFolders(bench.rules))
            try bench.scan()
            #expect(try bench.source("renamed/a.jpg")?.localIdentifier == asset)
            #expect(try bench.source("renamed/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aFolderOnANetworkIsPolledAndStaysSoWhateverTheWatcherDoes() throws {
        let bench = try EngineBench()
        try bench.start()
        bench.simulation.files.configure { $0.kind = .remote("nfs") }
        try bench.addFolder("in", album: "Inbox")
        try bench.run(for: .seconds(1))
        #expect(isPolled("in", bench))
        bench.watcher.restart()
        try bench.write("in/a.jpg", SampleMedia.picture(1))
        try bench.run(for: .seconds(70))
        #expect(isPolled("in", bench))
        #expect(try bench.source("in/a.jpg")?.outcome == .imported)
    }

    @Test func withoutAnInotifyInstanceFoldersArePolledUntilThereIsOne() throws {
        try BenchDisk.simulated.withBench { bench in
            bench.watcher.lose()
            try bench.run(for: .milliseconds(1))
            let why = "there is no inotify instance: raise fs.inotify.max_user_instances"
            #expect(watching("in", bench) == .polling(why))
            try bench.addFolder("third", album: "Third")
            try bench.write("third/a.jpg", SampleMedia.picture(1))
            try bench.scan()
            #expect(isPolled("third", bench))
            #expect(try bench.source("third/a.jpg")?.outcome == .imported)
            bench.watcher.restart()
            try bench.run(for: .seconds(1))
            #expect(watching("in", bench) == .inotify)
            #expect(watching("third", bench) == .inotify)
        }
    }

    /// What the lost watches had still to tell is found by a scan, which a flush waits for.
    @Test func aFlushAfterTheLossOfTheInstanceMissesNothing() throws {
        try BenchDisk.simulated.withBench { bench in
            var manners = WatcherManners()
            manners.delay = .seconds(60)
            bench.watcher.behave(manners)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.watcher.lose()
            try bench.run(for: .milliseconds(1))
            try bench.flush(atMost: .seconds(30))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    /// R24, I29: a limit that was raised is noticed, by itself and when a person asks; until then it is polled.
    @Test(arguments: ["time", "reload", "reconcile"])
    func aFolderBeyondTheWatchLimitIsWatchedAgainWhenThereIsRoom(when: String) throws {
        let bench = try EngineBench()
        bench.watcher.limit(true)
        try bench.addFolder("in", album: "Inbox")
        try bench.start()
        try bench.run(for: .seconds(5 * 3600))
        #expect(isPolled("in", bench))
        // At the start and every ten minutes: no more than that.
        #expect(bench.watcher.additions <= 31)
        bench.watcher.limit(false)
        // Of which no event will tell.
        try bench.program.write(bench.path("in/a.jpg").bytes, SampleMedia.picture(1))
        switch when {
        case "reload": bench.post(.setFolders(bench.rules))
        case "reconcile": bench.post(.scan(nil) { _ in })
        default: try bench.run(for: .seconds(600))
        }
        try bench.run(for: .seconds(10))
        #expect(watching("in", bench) == .inotify)
        #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        try bench.write("in/b.jpg", SampleMedia.picture(2))
        try bench.run(for: .seconds(10))
        #expect(try bench.source("in/b.jpg")?.outcome == .imported)
        let additions = bench.watcher.additions
        try bench.run(for: .seconds(3600))
        #expect(bench.watcher.additions == additions)
    }

    @Test func theWatchLimitMakesAFolderPolled() throws {
        try BenchDisk.simulated.withBench { bench in
            bench.post(.watch([.watchLimit(folder: 1)]))
            try bench.flush()
            #expect(isPolled("in", bench) != isPolled("two", bench))
            // After an overflow nobody says that such a folder's watches are mended.
            let polled = isPolled("in", bench) ? "in" : "two"
            bench.post(.watch([.overflow, .watching(folder: 2, directories: 1)]))
            bench.watcher.forget()
            try bench.write("\(polled)/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(130))
            #expect(isPolled(polled, bench))
            #expect(try bench.source("\(polled)/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aFolderIsConfirmedByAPerson() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.program.unlink(bench.path("in/.albumd-folder").bytes)
            try bench.scan()
            #expect(standing("in", bench) != .online)
            let answer = Mutex<Result<FolderStatus, EngineError>?>(nil)
            bench.post(.confirm(bench.path("in")) { result in answer.withLock { $0 = result } })
            try bench.flush()
            #expect(standing("in", bench) == .online)
            guard case .success(let status) = answer.withLock({ $0 }) else {
                Issue.record("it was not confirmed")
                return
            }
            #expect(status.isMarked)
        }
    }

    @Test func aFolderThatIsLetGoTakesItsCandidatesAndAnswersWhoWaits() throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            let isAnswered = Mutex(false)
            bench.post(.scan(bench.path("in")) { _ in isAnswered.withLock { $0 = true } })
            bench.post(.setFolders([bench.rules[1]]))
            try bench.run(for: .seconds(5))
            #expect(isAnswered.withLock { $0 })
            #expect(bench.board.candidates().isEmpty)
            #expect(bench.engine?.status.folders.count == 1)
        }
    }
}
