import Glibc
import Media
import MediaFacts
import Platform
import Synchronization
import TestSupport
import Testing

/// The door to the worker, where the worker is missing, mute, mad or dying.
@Suite struct MediaWorkerTests {
    @Test func withoutTheWorkerNothingIsSaidOfTheFile() throws {
        try withScratchFolder { scratch in
            let obstacle = try obstacle(scratch, program: scratch.path("albumd-media"))
            #expect(obstacle?.reason == "albumd-media: it is not installed beside albumd")
            #expect(obstacle?.fix == "make media-deps release, sudo make install, then systemctl restart albumd")
        }
    }

    /// Its libraries may be gone, its kernel too old: that is no fault of the file.
    @Test func aWorkerThatCannotStartIsUnavailable() throws {
        try withScratchFolder { scratch in
            let program = try script("exit 3", in: scratch)
            let obstacle = try obstacle(scratch, program: program)
            #expect(obstacle?.reason == "albumd-media: it ended with status 3 as it started")
            #expect(obstacle?.fix.contains("run \(program) in a shell") == true)
        }
    }

    @Test func aWorkerThatSaysWhyItCannotLockItselfInIsRepeated() throws {
        try withScratchFolder { scratch in
            let program = try script(say(#"{"cannotLockIn":{"_0":"no seccomp"}}"#), in: scratch)
            let obstacle = try obstacle(scratch, program: program)
            #expect(obstacle?.reason == "albumd-media: it cannot lock itself in: no seccomp")
            #expect(obstacle?.fix.contains("Landlock") == true)
        }
    }

    /// ld.so(8) ends with 127 where it does not find a library; installing the program again would mend nothing.
    @Test func aLibraryThatIsMissingIsLookedForByName() throws {
        try withScratchFolder { scratch in
            let obstacle = try obstacle(scratch, program: try script("exit 127", in: scratch))
            #expect(obstacle?.reason == "albumd-media: a library that it needs is missing")
            #expect(obstacle?.fix.contains("ldd \(scratch.path("albumd-media")) | grep 'not found'") == true)
            #expect(obstacle?.fix.contains("make install") == false)
        }
    }

    @Test func aProgramThatMayNotBeRunIsAllowedToBe() throws {
        try withScratchFolder { scratch in
            let program = try script("exit 0", in: scratch)
            try #require(chmod(program, 0o644) == 0)
            let obstacle = try obstacle(scratch, program: program)
            #expect(obstacle?.reason.contains("Permission denied") == true)
            #expect(obstacle?.fix.hasPrefix("sudo chmod 755 \(program)") == true)
        }
    }

    /// Whoever has the facts may want the file for itself alone: to move it, or to give up its bytes.
    @Test func theWorkerHasLetGoOfAFileWhenItAnswers() throws {
        guard let bench = WorkerBench() else { return }
        try withScratchFolder { scratch in
            let files = LinuxFiles()
            var kept = 0
            for _ in 0..<300 {
                _ = bench.worker.readFacts(of: try sample(in: scratch), .jpeg)
                let directory = try files.openDirectory(scratch.bytes)
                let file = try files.openForReading(Array("a.jpg".utf8), beneath: directory)
                if try files.isOpenElsewhere(file) { kept += 1 }
            }
            // A child that another test starts has every descriptor of this process, too, until it is another program.
            #expect(kept <= 3, "the worker still had it")
        }
    }

    @Test func aFileThatKillsTheWorkerIsUnreadableAndOnlyThatFile() throws {
        try withScratchFolder { scratch in
            let program = try script(say(#"{"isLockedIn":{}}"#) + "kill -SEGV $$", in: scratch)
            let reading = try read(scratch, program: program)
            #expect(
                reading == .unreadable(reason: "the reader of media gave up on it: it was ended by signal 11"))
        }
    }

    /// The clock of this test leaps past the deadline once that has been set.
    @Test func aFileThatTakesTooLongIsUnreadable() throws {
        try withScratchFolder { scratch in
            let program = try script(say(#"{"isLockedIn":{}}"#) + "read forever <&3", in: scratch)
            let asked = Atomic(0)
            let uptime: @Sendable () -> Duration = {
                // Three times for the first answer, whose header and content come in time; once for the next deadline.
                .seconds(asked.add(1, ordering: .relaxed).newValue <= 4 ? 0 : 31)
            }
            let reading = try read(scratch, program: program, uptime: uptime)
            #expect(
                reading == .unreadable(reason: "the reader of media gave up on it: it had not answered after 30 s"))
        }
    }

    @Test(arguments: [#"printf '\377\377\377\377' >&3"#, #"printf '\0\0\0\2no' >&3"#])
    func aWorkerThatTalksNonsenseIsUnavailable(_ words: String) throws {
        try withScratchFolder { scratch in
            guard case .unavailable = try read(scratch, program: try script(words, in: scratch)) else {
                Issue.record("it was believed")
                return
            }
        }
    }

    /// Ended when there was nothing to read, it is there again for the next file.
    @Test func aWorkerThatRestsIsStartedAgain() throws {
        guard let bench = WorkerBench() else { return }
        try withScratchFolder { scratch in
            let file = try sample(in: scratch)
            guard case .facts(let first) = bench.worker.readFacts(of: file, .jpeg) else {
                Issue.record("the first could not be read")
                return
            }
            bench.worker.rest()
            #expect(bench.worker.readFacts(of: file, .jpeg) == .facts(first))
            #expect(first.codedSize != nil)
        }
    }

    /// What ended it may have been another file: a new one is asked before this file is blamed.
    @Test func aWorkerThatHasDiedIsStartedAnewForTheNextFile() throws {
        try withScratchFolder { scratch in
            let facts = #"{"facts":{"_0":{"tags":{},"auxiliaryImages":[],"faults":[],"hasAudio":true}}}"#
            let count = "echo started >> \(scratch.path("starts")); "
            let program = try script(count + say(#"{"isLockedIn":{}}"#) + say(facts), in: scratch)
            let worker = MediaWorker(program: Array(program.utf8), uptime: { Machine.bootTime() })
            let file = try sample(in: scratch)
            for _ in 0..<3 { #expect(worker.readFacts(of: file, .jpeg) == .facts(FileFacts(hasAudio: true))) }
            let starts = try PosixProgram().read(Array(scratch.path("starts").utf8))
            #expect(String(decoding: starts, as: UTF8.self) == "started\nstarted\nstarted\n")
        }
    }

    /// The daemon has ten seconds to end, a file thirty.
    @Test func whatIsBeingReadIsGivenUpAtTheEndAndIsNotCalledUnreadable() throws {
        try withScratchFolder { scratch in
            let fifo = scratch.path("reading")
            try PosixProgram().makeFIFO(Array(fifo.utf8))
            // A FIFO is opened when both ends are: then it reads.
            let program = try script(say(#"{"isLockedIn":{}}"#) + "echo > \(fifo); read forever <&3", in: scratch)
            let worker = MediaWorker(program: Array(program.utf8), uptime: { Machine.bootTime() })
            let stopper = NamedThread.start("test-stop") {
                _ = try? PosixProgram().read(Array(fifo.utf8))
                worker.stop()
            }
            let reading = worker.readFacts(of: try sample(in: scratch), .jpeg)
            stopper.join()
            guard case .unavailable(let obstacle) = reading else {
                Issue.record("it is \(reading)")
                return
            }
            #expect(obstacle.reason == "albumd-media: albumd is stopping")
            #expect(worker.readFacts(of: try sample(in: scratch), .jpeg) == reading)
        }
    }

    private func read(
        _ scratch: ScratchFolder, program: String, uptime: @escaping @Sendable () -> Duration = { Machine.bootTime() }
    ) throws -> FactsReading {
        MediaWorker(program: Array(program.utf8), uptime: uptime).readFacts(of: try sample(in: scratch), .jpeg)
    }

    /// Why nothing can be read, where that is the answer.
    private func obstacle(_ scratch: ScratchFolder, program: String) throws -> WorkerObstacle? {
        guard case .unavailable(let obstacle) = try read(scratch, program: program) else { return nil }
        return obstacle
    }

    private func sample(in scratch: ScratchFolder) throws -> OpenFile {
        let files = LinuxFiles()
        try PosixProgram().write(Array(scratch.path("a.jpg").utf8), SampleMedia.jpeg(1))
        return try files.openForReading(Array("a.jpg".utf8), beneath: try files.openDirectory(scratch.bytes))
    }

    /// A worker of one line of shell, which has the socket as its descriptor 3.
    private func script(_ line: String, in scratch: ScratchFolder) throws -> String {
        let path = scratch.path("albumd-media")
        try PosixProgram().write(Array(path.utf8), Array("#!/bin/sh\n\(line)\n".utf8))
        let files = LinuxFiles()
        let directory = try files.openDirectory(scratch.bytes)
        try files.setMode(try files.openForReading(Array("albumd-media".utf8), beneath: directory), 0o755)
        return path
    }

    /// The shell for one frame.
    private func say(_ json: String) -> String {
        "printf '\\0\\0\\0\\\(String(json.utf8.count, radix: 8))%s' '\(json)' >&3; "
    }
}
