import Control
import ControlServer
import Glibc
import HTTPClient
import Platform
import Testing

@Suite struct StreamTests {
    private static func following(_ stream: AsyncStream<[UInt8]>) -> @Sendable (Request) async -> Response {
        { _ in Response(status: 200, contentType: "application/x-ndjson", body: .stream(stream)) }
    }

    @Test func linesComeInOrderAndTheStreamEnds() async throws {
        let lines = AsyncStream<[UInt8]>.makeStream()
        for number in 0..<10_000 { lines.continuation.yield(Array("{\"n\":\(number)}\n".utf8)) }
        lines.continuation.finish()
        try await ServerFixture.with(respond: Self.following(lines.stream)) { fixture in
            let received = Recorder<String>()
            let reply = try await fixture.blocking { client in
                try client.lines("/v1/changes", query: ["follow": "true"]) {
                    received.add(String(decoding: $0, as: UTF8.self))
                    return true
                }
            }
            #expect(reply.status == 200)
            #expect(received.values == (0..<10_000).map { "{\"n\":\($0)}" })
        }
    }

    @Test func aLineArrivesWhileTheStreamIsOpen() async throws {
        let lines = AsyncStream<[UInt8]>.makeStream()
        try await ServerFixture.with(respond: Self.following(lines.stream)) { fixture in
            let socket = try #require(RawSocket(fixture.socketPath))
            socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for line in ["first\n", "second\n", "third\n"] {
                lines.continuation.yield(Array(line.utf8))
                #expect(try await onThread { socket.receive(until: line) } != nil)
            }
        }
    }

    @Test func aClientThatVanishesEndsASilentStream() async throws {
        let ended = Fact()
        let lines = AsyncStream<[UInt8]>.makeStream()
        lines.continuation.onTermination = { _ in ended.happen() }
        lines.continuation.yield(Array("hello\n".utf8))
        try await ServerFixture.with(respond: Self.following(lines.stream)) { fixture in
            do {
                let socket = try #require(RawSocket(fixture.socketPath))
                socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await onThread { socket.receive(until: "hello") } != nil)
            }
            await ended.wait()
        }
    }

    @Test func aClientThatVanishesBeforeItsAnswerEndsTheStreamAllTheSame() async throws {
        let (entered, gone, ended) = (Fact(), Fact(), Fact())
        let respond: @Sendable (Request) async -> Response = { _ in
            let lines = AsyncStream<[UInt8]>.makeStream()
            lines.continuation.onTermination = { _ in ended.happen() }
            entered.happen()
            await gone.wait()
            return Response(status: 200, contentType: "application/x-ndjson", body: .stream(lines.stream))
        }
        try await ServerFixture.with(respond: respond) { fixture in
            do {
                let socket = try #require(RawSocket(fixture.socketPath))
                socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                await entered.wait()
            }
            gone.happen()
            await ended.wait()
        }
    }

    @Test func aSilentStreamOutlivesTheIdleTime() async throws {
        var limits = Limits()
        limits.idleTime = .seconds(1)
        let lines = AsyncStream<[UInt8]>.makeStream()
        try await ServerFixture.with(limits: limits, respond: Self.following(lines.stream)) { fixture in
            let socket = try #require(RawSocket(fixture.socketPath))
            socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await onThread { socket.isClosed(within: 1800) } == false)
            lines.continuation.yield(Array("late\n".utf8))
            #expect(try await onThread { socket.receive(until: "late") } != nil)
        }
    }

    @Test func aStreamIsPulledNoFasterThanItIsRead() async throws {
        let pulled = Recorder<Int>()
        let chunk = [UInt8](repeating: 65, count: 16 * 1024)
        let stream = AsyncStream<[UInt8]>(unfolding: {
            pulled.add(1)
            return pulled.values.count <= 2000 ? chunk : nil
        })
        try await ServerFixture.with(respond: Self.following(stream)) { fixture in
            let socket = try #require(RawSocket(fixture.socketPath))
            socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await onThread { socket.receive() } != nil)
            // One read, what the socket holds, and what waits here: far from the 32 MiB there are.
            #expect(pulled.values.count * chunk.count < 2 << 20)
        }
    }

    @Test func aFileIsSentWhole() async throws {
        try await withScratchFolder { folder in
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
            let path = folder + "/file"
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            #expect(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
            let respond: @Sendable (Request) async -> Response = { _ in
                Response(
                    status: 200, contentType: "image/jpeg",
                    body: .file(descriptor: descriptor, byteCount: Int64(bytes.count)))
            }
            try await ServerFixture.with(respond: respond) { fixture in
                let target = open(folder + "/copy", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                defer { close(target) }
                let last = Recorder<Int64>()
                let reply = try await fixture.blocking { client in
                    try client.download("/", to: target) { received, total in
                        #expect(total == Int64(bytes.count))
                        last.add(received)
                    }
                }
                #expect(reply.status == 200)
                #expect(last.values.last == Int64(bytes.count))
                var copy = [UInt8](repeating: 0, count: bytes.count + 1)
                #expect(pread(target, &copy, copy.count, 0) == bytes.count)
                #expect(copy.dropLast() == bytes[...])
            }
        }
    }
}
