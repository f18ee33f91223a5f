import Control
import ControlServer
import Glibc
import HTTPClient
import Platform
import Testing

@Suite struct HTTPClientTests {
    @Test func anAbsentSocketIsSaidToBeAbsent() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            #expect(await failure(at: path) == .noSocket(path: path))
        }
    }

    @Test func aDeadDaemonsSocketIsSaidToBeDead() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            close(try ControlSocket.make(at: path))
            #expect(await failure(at: path) == .nobodyListening(path: path))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may connect to every socket"))
    func aForbiddenSocketIsSaidToBeForbidden() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            let listening = try ControlSocket.make(at: path)
            defer { close(listening) }
            #expect(chmod(path, 0) == 0)
            #expect(await failure(at: path) == .permission(path: path))
        }
    }

    @Test func anAnswerThatIsLateIsATimeout() async throws {
        let release = Fact()
        try await ServerFixture.with(respond: { _ in
            await release.wait()
            return .text("late")
        }) { fixture in
            #expect(await failure(at: fixture.socketPath, timeout: .milliseconds(100)) == .timeout)
            release.happen()
        }
    }

    @Test func aConnectionThatEndsEarlyIsBroken() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            let listening = try ControlSocket.make(at: path)
            defer { close(listening) }
            async let closing: Void = onThread {
                var entry = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, 5000)
                close(try acceptConnection(on: listening))
            }
            guard case .broken = await failure(at: path) else {
                Issue.record("the connection was not said to be broken")
                return
            }
            try await closing
        }
    }

    @Test func aServerThatStartsAgainIsFoundAgain() async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            let client = HTTPClient(socketPath: path)
            for round in 0..<3 {
                let server = try ControlServer(
                    listening: try ControlSocket.make(at: path), uptime: Machine.bootTime, log: .silent,
                    respond: { _ in .text("\(round)") }, upload: { _ in .refuse(.text("no")) })
                #expect(try await onThread { try client.send(.get, "/").text } == "\(round)")
                await server.stop()
            }
        }
    }

    @Test func aRefusalIsNotWrittenToTheFile() async throws {
        try await ServerFixture.with(respond: { _ in .text("not here", status: 404) }) { fixture in
            try await withScratchFolder { folder in
                let target = open(folder + "/copy", O_RDWR | O_CREAT, 0o600)
                defer { close(target) }
                let reply = try await fixture.blocking { try $0.download("/", to: target) }
                #expect(reply.status == 404)
                #expect(reply.text == "not here")
                #expect(lseek(target, 0, SEEK_END) == 0)
                let lines = try await fixture.blocking { client in
                    try client.lines("/") { _ in
                        Issue.record("a refusal is no line")
                        return true
                    }
                }
                #expect(lines.text == "not here")
            }
        }
    }

    @Test func aFollowerStopsWhenItHasSeenEnough() async throws {
        let lines = AsyncStream<[UInt8]>.makeStream()
        lines.continuation.yield(Array("1\n2\n3\n".utf8))
        let respond: @Sendable (Request) async -> Response = { _ in
            Response(status: 200, contentType: "application/x-ndjson", body: .stream(lines.stream))
        }
        try await ServerFixture.with(respond: respond) { fixture in
            let seen = Recorder<[UInt8]>()
            let reply = try await fixture.blocking { client in
                try client.lines("/") {
                    seen.add($0)
                    return seen.values.count < 2
                }
            }
            #expect(reply.status == 200)
            #expect(seen.values == [Array("1".utf8), Array("2".utf8)])
        }
    }

    private func failure(at path: String, timeout: Duration? = nil) async -> HTTPClientError? {
        let client = HTTPClient(socketPath: path, timeout: timeout)
        do {
            let reply = try await onThread { try client.send(.get, "/v1/status") }
            Issue.record("there was an answer: \(reply.status)")
            return nil
        } catch {
            return error as? HTTPClientError
        }
    }
}
