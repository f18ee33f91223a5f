import Control
import ControlServer
import HTTPClient
import Platform
import Testing

@Suite struct StopTests {
    @Test func aRunningRequestIsFinishedFirst() async throws {
        let (entered, release) = (Fact(), Fact())
        let respond: @Sendable (Request) async -> Response = { _ in
            entered.happen()
            await release.wait()
            return .text("finished")
        }
        try await ServerFixture.with(respond: respond) { fixture in
            let socket = try #require(RawSocket(fixture.socketPath))
            socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await entered.wait()
            async let stopped: Void = fixture.server.stop(within: .seconds(5))
            let path = fixture.socketPath
            // The listener is closed first, and then nobody new comes in.
            while RawSocket(path) != nil { await Task.yield() }
            release.happen()
            #expect(try await onThread { socket.receiveAll() }?.hasSuffix("finished") == true)
            await stopped
        }
    }

    @Test func aRequestThatNeverEndsIsCutOffInTime() async throws {
        let (entered, cancelled) = (Fact(), Fact())
        let respond: @Sendable (Request) async -> Response = { _ in
            entered.happen()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.happen()
            }
            return .text("too late")
        }
        try await ServerFixture.with(respond: respond) { fixture in
            let socket = try #require(RawSocket(fixture.socketPath))
            socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await entered.wait()
            let began = Machine.bootTime()
            await fixture.server.stop(within: .milliseconds(300))
            #expect(Machine.bootTime() - began < .seconds(1))
            await cancelled.wait()
            #expect(try await onThread { socket.receiveAll() } == "")
        }
    }

    @Test func anOpenStreamIsEndedAtOnceAndWhole() async throws {
        let lines = AsyncStream<[UInt8]>.makeStream()
        lines.continuation.yield(Array("hello\n".utf8))
        let respond: @Sendable (Request) async -> Response = { _ in
            Response(status: 200, contentType: "application/x-ndjson", body: .stream(lines.stream))
        }
        try await ServerFixture.with(respond: respond) { fixture in
            let (first, received) = (Fact(), Recorder<[UInt8]>())
            async let reply = fixture.blocking { client in
                try client.lines("/") {
                    received.add($0)
                    first.happen()
                    return true
                }
            }
            await first.wait()
            let began = Machine.bootTime()
            await fixture.server.stop(within: .seconds(5))
            #expect(Machine.bootTime() - began < .seconds(2))
            let status = try await reply.status
            #expect(status == 200)
            #expect(received.values.count == 1)
        }
    }

    @Test func idleConnectionsDoNotHoldUpTheStop() async throws {
        try await ServerFixture.with { fixture in
            #expect(try await fixture.get("/kept").status == 200)
            let mute = try #require(RawSocket(fixture.socketPath))
            let began = Machine.bootTime()
            await fixture.server.stop(within: .seconds(5))
            #expect(Machine.bootTime() - began < .seconds(2))
            #expect(mute.isClosed(within: 0))
        }
    }

    @Test func whoAsksTwiceIsToldTwice() async throws {
        try await ServerFixture.with { fixture in
            async let one: Void = fixture.server.stop()
            async let other: Void = fixture.server.stop()
            await one
            await other
        }
    }
}
