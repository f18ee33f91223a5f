import Control
import ControlServer
import HTTPClient
import Platform
import Testing

@Suite struct ConnectionLimitTests {
    @Test func tenMuteClientsDoNotHoldUpAnAnswer() async throws {
        try await ServerFixture.with { fixture in
            let mute = (0..<10).compactMap { _ in RawSocket(fixture.socketPath) }
            for socket in mute { socket.send("GET /half") }
            let began = Machine.bootTime()
            let reply = try await fixture.get("/whole")
            #expect(reply.text == "/whole")
            #expect(Machine.bootTime() - began < .seconds(4))
            #expect(mute.count == 10)
        }
    }

    @Test func aHundredMuteConnectionsOfOurOwnGiveWayOldestFirst() async throws {
        try await ServerFixture.with { fixture in
            let path = fixture.socketPath
            try await onThread {
                let mute = try (0..<100).map { _ in try #require(RawSocket(path)) }
                #expect(try #require(RawSocket(path)).isServed())
                // 64 may stay; the newcomer is one of them.
                for socket in mute.prefix(37) { #expect(socket.isClosed(within: 2000)) }
                for socket in mute.suffix(63) { #expect(socket.isServed()) }
            }
        }
    }

    @Test func anotherUserIsHeldToItsOwnLimit() async throws {
        var limits = Limits()
        limits.unlimitedUsers = []
        limits.connectionsPerUser = 3
        try await ServerFixture.with(limits: limits) { fixture in
            let path = fixture.socketPath
            try await onThread {
                let sockets = try (0..<4).map { _ in try #require(RawSocket(path)) }
                #expect(sockets[0].isClosed(within: 2000))
                for socket in sockets.dropFirst() { #expect(socket.isServed()) }
            }
        }
    }

    @Test func aNewcomerIsRefusedWhereAllAreBusy() async throws {
        var limits = Limits()
        limits.connections = 2
        let release = Fact()
        let entered = Recorder<String>()
        let bothEntered = Fact()
        let respond: @Sendable (Request) async -> Response = { request in
            entered.add(request.path)
            if entered.values.count == 2 { bothEntered.happen() }
            await release.wait()
            return .text("done \(request.path)")
        }
        try await ServerFixture.with(limits: limits, respond: respond) { fixture in
            let busy = (0..<2).compactMap { _ in RawSocket(fixture.socketPath) }
            for socket in busy { socket.send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n") }
            await bothEntered.wait()
            let path = fixture.socketPath
            let refusal = try await onThread { try #require(RawSocket(path)).receiveAll() }
            #expect(refusal == "")
            release.happen()
            let areAnswered = try await onThread { busy.allSatisfy { $0.receive(until: "done /busy") != nil } }
            #expect(areAnswered)
        }
    }

    @Test func aHeadThatDripsIsCutOff() async throws {
        var limits = Limits()
        limits.headTime = .milliseconds(200)
        try await ServerFixture.with(limits: limits) { fixture in
            let path = fixture.socketPath
            try await onThread {
                let socket = try #require(RawSocket(path))
                socket.send("GET /drip HTTP/1.1\r\nHost: a\r\nX: ")
                #expect(socket.drip(UInt8(ascii: "x"), count: 100))
            }
        }
    }

    @Test func aBodyThatDripsIsCutOff() async throws {
        var limits = Limits()
        limits.headTime = .milliseconds(100)
        limits.idleTime = .seconds(1)
        try await ServerFixture.with(limits: limits) { fixture in
            let path = fixture.socketPath
            try await onThread {
                let socket = try #require(RawSocket(path))
                socket.send("POST /drip HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
                #expect(socket.drip(UInt8(ascii: "x"), count: 200))
            }
        }
    }

    @Test func aClientThatDoesNotReadIsDropped() async throws {
        var limits = Limits()
        limits.idleTime = .seconds(1)
        let respond: @Sendable (Request) async -> Response = { _ in
            Response(status: 200, contentType: "x/y", body: .bytes([UInt8](repeating: 7, count: 4 << 20)))
        }
        try await ServerFixture.with(limits: limits, respond: respond) { fixture in
            let path = fixture.socketPath
            try await onThread {
                let socket = try #require(RawSocket(path))
                socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(socket.isClosed(within: 5000))
            }
        }
    }

    @Test func aThousandHalfRequestsLeaveTheServerServing() async throws {
        try await ServerFixture.with { fixture in
            let path = fixture.socketPath
            try await onThread {
                for number in 0..<1000 {
                    let socket = try #require(RawSocket(path))
                    socket.send(number.isMultiple(of: 2) ? "GET /half HT" : "GET /whole HTTP/1.1\r\nHost: a\r\n\r\n")
                }
                #expect(try #require(RawSocket(path)).isServed())
            }
        }
    }
}
