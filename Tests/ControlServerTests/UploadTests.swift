import Control
import ControlServer
import Glibc
import HTTPClient
import Platform
import Synchronization
import Testing

/// Hashes and counts what comes, and says so in its answer.
private final class HashingSink: UploadSink {
    private struct State {
        var hasher = ContentHasher()
        var count = 0
    }
    private let state = Mutex(State())
    private let limit: Int
    let hasBytes = Fact()
    let isAborted = Fact()

    init(limit: Int = .max) { self.limit = limit }

    var count: Int { state.withLock { $0.count } }

    func write(_ bytes: [UInt8]) -> Bool {
        defer { hasBytes.happen() }
        return state.withLock { state in
            bytes.withUnsafeBytes { state.hasher.update($0) }
            state.count += bytes.count
            return state.count <= limit
        }
    }

    func finish() async -> Response {
        let (digest, count) = state.withLock { ($0.hasher.finish(), $0.count) }
        guard count <= limit else { return .text("no room", status: 507) }
        return Response(status: 201, contentType: "x/digest", body: .bytes(digest))
    }

    func abort() { isAborted.happen() }
}

@Suite struct UploadTests {
    private static let piece = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }

    @Test func fiftyMebibytesArriveAsTheyWere() async throws {
        let sink = HashingSink()
        let furthestAhead = Atomic(0)
        try await ServerFixture.with(upload: { _ in .accept(sink) }) { fixture in
            try await withLargeFile(pieces: 50) { descriptor, digest in
                let reply = try await fixture.blocking { client in
                    try client.upload("/v1/uploads", from: descriptor) { sent, total in
                        #expect(total == 50 << 20)
                        furthestAhead.max(Int(sent) - sink.count, ordering: .relaxed)
                    }
                }
                #expect(reply.status == 201)
                #expect(reply.body == digest)
            }
        }
        #expect(sink.count == 50 << 20)
        // Ours, libmicrohttpd's, the socket's, curl's: never the file.
        #expect(furthestAhead.load(ordering: .relaxed) < 3 << 20)
    }

    @Test func aPipeIsSentInChunks() async throws {
        let sink = HashingSink()
        try await ServerFixture.with(upload: { request in
            #expect(request.byteCount == nil)
            return .accept(sink)
        }) { fixture in
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            let (reading, writing) = (ends[0], ends[1])
            async let written: Void = onThread {
                for _ in 0..<3 { _ = Self.piece.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) } }
                close(writing)
            }
            let reply = try await fixture.blocking { try $0.upload("/v1/uploads", from: reading) }
            try await written
            close(reading)
            #expect(reply.status == 201)
            #expect(sink.count == 3 << 20)
        }
    }

    @Test func anEmptyUploadIsAnUpload() async throws {
        let sink = HashingSink()
        try await ServerFixture.with(upload: { _ in .accept(sink) }) { fixture in
            let reply = try await fixture.blocking { client in
                let descriptor = open("/dev/null", O_RDONLY)
                defer { close(descriptor) }
                return try client.upload("/v1/uploads", from: descriptor)
            }
            #expect(reply.body == ContentHasher().finish())
        }
    }

    @Test func anUnwelcomeUploadIsRefusedBeforeItsBytes() async throws {
        let upload: @Sendable (Request) async -> UploadDecision = { .refuse(.text($0.query["why"] ?? "", status: 403)) }
        try await ServerFixture.with(upload: upload) { fixture in
            try await withLargeFile(pieces: 20) { descriptor, _ in
                let reply = try await fixture.blocking {
                    try $0.upload("/v1/uploads", query: ["why": "because"], from: descriptor)
                }
                #expect(reply.status == 403)
                #expect(reply.text == "because")
            }
            // curl sends after a second all the same; this client waits.
            let head =
                "PUT /v1/uploads?why=because HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
            let reply = try await rawReply(fixture, head)
            #expect(reply.hasPrefix("HTTP/1.1 403 ") && reply.hasSuffix("because"))
        }
    }

    @Test func aSinkThatIsFullAnswersAtTheEnd() async throws {
        let sink = HashingSink(limit: 1000)
        try await ServerFixture.with(upload: { _ in .accept(sink) }) { fixture in
            try await withLargeFile(pieces: 5) { descriptor, _ in
                let reply = try await fixture.blocking { try $0.upload("/v1/uploads", from: descriptor) }
                #expect(reply.status == 507)
                #expect(sink.count < 1 << 20)
            }
        }
    }

    @Test func anUploadWhoseClientGoesAwayIsAborted() async throws {
        let sink = HashingSink()
        try await ServerFixture.with(upload: { _ in .accept(sink) }) { fixture in
            do {
                let socket = try #require(RawSocket(fixture.socketPath))
                socket.send("PUT /v1/uploads HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
                socket.send(Array(Self.piece.prefix(100_000)))
                await sink.hasBytes.wait()
            }
            await sink.isAborted.wait()
        }
    }

    @Test func anUploadWithoutAByteForTooLongIsAborted() async throws {
        var limits = Limits()
        limits.idleTime = .seconds(1)
        let sink = HashingSink()
        try await ServerFixture.with(limits: limits, upload: { _ in .accept(sink) }) { fixture in
            let socket = try #require(RawSocket(fixture.socketPath))
            socket.send("PUT /v1/uploads HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc")
            await sink.isAborted.wait()
            #expect(socket.isClosed(within: 2000))
        }
    }

    @Test func anUploadIsAbortedWhenTheServerStops() async throws {
        let sink = HashingSink()
        try await ServerFixture.with(upload: { _ in .accept(sink) }) { fixture in
            let socket = try #require(RawSocket(fixture.socketPath))
            socket.send("PUT /v1/uploads HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await onThread { socket.receive(until: "100 Continue") } != nil)
            await fixture.server.stop(within: .milliseconds(200))
            await sink.isAborted.wait()
        }
    }

    /// A file of so many mebibytes, at its beginning, and its hash.
    private func withLargeFile(pieces: Int, _ body: (Int32, [UInt8]) async throws -> Void) async throws {
        try await withScratchFolder { folder in
            let descriptor = open(folder + "/large", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            var hasher = ContentHasher()
            for _ in 0..<pieces {
                Self.piece.withUnsafeBytes { bytes in
                    hasher.update(bytes)
                    #expect(write(descriptor, bytes.baseAddress, bytes.count) == bytes.count)
                }
            }
            lseek(descriptor, 0, SEEK_SET)
            try await body(descriptor, hasher.finish())
        }
    }
}
