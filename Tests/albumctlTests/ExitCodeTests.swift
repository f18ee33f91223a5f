import Control
import Glibc
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

@Suite struct ExitCodeTests {
    @Test(arguments: [
        (Problem.internalError("x"), 1), (.badRequest("x"), 2), (.notFound("x", fix: "f"), 4),
        (.refused("x", fix: "y"), 5),
        (.conflict("t", "x", fix: "y"), 5), (.unavailable("x", fix: "y"), 1),
    ])
    func theDaemonDecides(problem: Problem, code: Int) async throws {
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in problem.response }) { daemon in
                let ran = try await albumctl("status", "--json", socket: daemon.socketPath)
                #expect(Int(ran.code) == code)
                let told = problem.forTyping.naming(Command.all.first { $0.name == "status" })
                #expect(try ran.json([String: Problem].self) == ["error": told])
                #expect(ran.error.contains(problem.detail))
                // Who types has no use for how requests are written.
                #expect(!ran.error.contains("openapi"))
                if let fix = told.fix { #expect(ran.error.contains("\n    " + fix)) }
            }
        }
    }

    @Test func aDegradedStatusIsThree() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { _ in .json(Sample.status(isDegraded: true)) }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let ran = try await albumctl("status", socket: daemon.socketPath)
                #expect(ran.code == 3)
                #expect(ran.lines.first == "Everything is safe.")
                #expect(ran.out.contains("! a disk failed\n    look at it\n"))
            }
        }
    }

    @Test(arguments: [("live", 0), ("absent", 4), ("dangling", 1), ("trashed", 1)])
    func aMappingIsTestedByItsState(state: String, code: Int) async throws {
        try await withScratchFolder { folder in
            let result = MappingResult(state: try #require(MappingState(rawValue: state)), rows: [])
            try await FakeDaemon.with(in: folder, answer: { _ in .json(result) }) { daemon in
                let ran = try await albumctl("map", "check", "--external", "e", socket: daemon.socketPath)
                #expect(Int(ran.code) == code)
                #expect(ran.out == state + "\n")
            }
        }
    }

    @Test func noSocketSaysWhereItLookedAndHowToStart() async throws {
        let ran = try await albumctl("status", "--json")
        #expect(ran.code == 69)
        #expect(ran.error.contains("'/nonexistent/socket'"))
        #expect(ran.error.contains("systemctl start albumd"))
        #expect(try ran.json([String: Problem].self)["error"]?.type == "albumd:unreachable")
    }

    @Test func aDeadSocketIsUnreachable() async throws {
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in .json([""]) }) { _ in }
            let ran = try await albumctl("status", socket: folder.path("s"))
            #expect(ran.code == 69)
            #expect(ran.error.contains("not running"))
        }
    }

    @Test func anAnswerThatIsNotUnderstoodIsAFailure() async throws {
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in .json(["no": "status"]) }) { daemon in
                let ran = try await albumctl("status", socket: daemon.socketPath)
                #expect(ran.code == 1)
                #expect(ran.error.contains("albumctl version"))
            }
        }
    }

    @Test func theVersionIsToldWithoutADaemon() async throws {
        let ran = try await albumctl("version")
        #expect(ran.code == 69)
        #expect(ran.lines == ["albumctl \(Release.version)", "albumd   does not answer"])
        #expect(ran.error.contains("there is no socket"))
        struct Versions: Decodable {
            var albumctl: String
            var error: Problem
        }
        let told = try await albumctl("version", "--json")
        #expect(told.code == 69 && told.lines.count == 1)
        let versions = try told.json(Versions.self)
        #expect(versions.albumctl == Release.version && versions.error.exitCode == 69)
    }

    @Test func aSocketOfAnotherGroupNamesTheWayIn() async throws {
        guard geteuid() == 0, let group = getgrnam("audio")?.pointee.gr_gid else {
            print("skipped, because only root can give a file to another group")
            return
        }
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in .json([""]) }) { daemon in
                #expect(chown(daemon.socketPath, 0, group) == 0)
                let problem = SocketAccess.problem(at: daemon.socketPath)
                #expect(problem.exitCode == 5)
                #expect(problem.fix?.contains("sudo usermod -aG audio ") == true)
                #expect(chmod(daemon.socketPath, 0o600) == 0)
                #expect(SocketAccess.problem(at: daemon.socketPath).detail.contains("belongs to root alone"))
                #expect(chmod(daemon.socketPath, 0o600) == 0 && chown(daemon.socketPath, 54_321, 54_322) == 0)
                #expect(SocketAccess.problem(at: daemon.socketPath).fix == "sudo -u '#54321' albumctl …")
                #expect(chmod(daemon.socketPath, 0o660) == 0)
                #expect(SocketAccess.problem(at: daemon.socketPath).fix?.contains("groupadd -g 54322 ") == true)
            }
        }
    }
}
