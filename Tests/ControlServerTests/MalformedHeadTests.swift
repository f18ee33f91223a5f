import Control
import ControlServer
import Platform
import Testing

/// What is no request is answered once, with a problem and a status of RFC 9112, and the connection ends.
@Suite struct MalformedHeadTests {
    @Test func whatIsNoHTTPIsNotUnderstood() async throws {
        try await expectProblems(Self.noHTTP.map { ($0, 400) })
    }

    @Test func aBodyWhoseEndNobodyKnowsIsNotUnderstood() async throws {
        try await expectProblems(
            Self.unclearLengths.map { ("POST /v1/albums HTTP/1.1\r\nHost: a\r\n\($0)\r\n\r\nabcde", 400) })
    }

    /// RFC 9112, 3.2: one in HTTP/1.1, never two.
    @Test func aHostIsWantedOnce() async throws {
        try await expectProblems([
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400),
            ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ])
    }

    @Test func whatIsNotTakenHasItsOwnStatus() async throws { try await expectProblems(Self.notTaken) }

    @Test func whatIsTooLargeIsSaidToBe() async throws { try await expectProblems(Self.tooLarge) }

    /// Libmicrohttpd has to have room for each.
    @Test func theLargestHeadsReachTheHandler() async throws {
        try await ServerFixture.with(respond: { _ in .text("ours") }) { fixture in
            for head in Self.largest {
                let reply = try await rawReply(fixture, head)
                #expect(reply.hasSuffix("\r\n\r\nours") || reply.contains("gives a key twice"), "\(head.prefix(30))")
            }
        }
    }

    @Test func whatIsWellFormedIsServed() async throws {
        try await ServerFixture.with(respond: { _ in .text("ours") }) { fixture in
            for request in Self.wellFormed {
                let reply = try await rawReply(fixture, request)
                #expect(
                    reply.hasPrefix("HTTP/1.1 200 OK") || reply.hasPrefix("HTTP/1.0 200 OK"), "\(request): \(reply)")
                #expect(reply.hasSuffix("\r\n\r\nours"), "\(request)")
            }
        }
    }

    @Test func aHeadThatEndsEarlyIsAnsweredWhereItsClientStillListens() async throws {
        try await ServerFixture.with { fixture in
            let path = fixture.socketPath
            let reply = try await onThread {
                let socket = try #require(RawSocket(path))
                socket.send("GET / HTTP/1.1\r\nHost:")
                socket.closeSending()
                return socket.receiveAll()
            }
            let problem = try Self.problem(in: reply ?? "")
            #expect(problem.status == 400)
        }
    }

    @Test func aHeadMayComeByteByByte() async throws {
        try await ServerFixture.with { fixture in
            let path = fixture.socketPath
            try await onThread {
                let socket = try #require(RawSocket(path))
                for byte in "GET /slow HTTP/1.1\r\nHost: albumd\r\n\r\n".utf8 { #expect(socket.send([byte])) }
                #expect(socket.receive(until: "/slow") != nil)
            }
        }
    }

    @Test func aHeadThatIsNotWholeInTimeIsToldSo() async throws {
        var limits = Limits()
        limits.headTime = .milliseconds(100)
        try await ServerFixture.with(limits: limits) { fixture in
            let problem = try Self.problem(in: try await rawReply(fixture, "GET / HTTP/1.1\r\nHost: a\r\n"))
            #expect(problem.status == 408)
            let silence = try await rawReply(fixture, "")
            #expect(silence.isEmpty)
        }
    }

    private func expectProblems(_ cases: [(head: String, status: Int)]) async throws {
        try await ServerFixture.with { fixture in
            for (head, status) in cases {
                let problem = try Self.problem(in: try await rawReply(fixture, head))
                #expect(problem.status == status, "\(head.prefix(100).debugDescription)")
            }
        }
    }

    /// The problem of an answer that is one, and nothing more.
    private static func problem(in answer: String) throws -> Problem {
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        try #require(parts.count == 2, "\(answer)")
        #expect(parts[0].contains("Content-Type: application/problem+json"), "\(answer)")
        #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"), "\(answer)")
        let problem = try JSON.decode(Problem.self, from: Array(parts[1].utf8))
        #expect(answer.hasPrefix("HTTP/1.1 \(problem.status) "))
        #expect(problem.fix != nil)
        return problem
    }
}

// The tables.
extension MalformedHeadTests {
    private static let noHTTP: [String] = [
        "GET / HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\r\nHost: x\n\r\n", "\r\n",
        "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET\r\n\r\n", "GET /\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1 \r\n\r\n",
        "GET /\tHTTP/1.1\r\nHost: a\r\n\r\n", "GET / x HTTP/1.1\r\nHost: a\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / http/1.1\r\n\r\n",
        "GET / HTTP/1\r\n\r\n", "GET / HTTP/1.10\r\n\r\n", "GET / HTTP/x.1\r\n\r\n", "GET / FTP/1.1\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nA\u{0}: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA: b\u{0}c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA: b\rc\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nA: \u{7F}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n A: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n",
    ]

    private static let unclearLengths: [String] = [
        "Content-Length: -5", "Content-Length: +5", "Content-Length: 5, 5", "Content-Length: x", "Content-Length:",
        "Content-Length: 0x5", "Content-Length: 5 5", "Content-Length: 5 ", "Transfer-Encoding: chunked ",
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5\r\ncontent-length: 6", "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: gzip", "Transfer-Encoding: identity", "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", "Transfer-Encoding:", "Transfer-Encoding: chunked,",
    ]

    private static let notTaken: [(head: String, status: Int)] = [
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nabc", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 501),
        ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/0.9\r\n\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ]

    private static let tooLarge: [(head: String, status: Int)] = [
        ("GET /\(String(repeating: "x", count: 20_000))", 414),
        ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "x", count: 20_000))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "x", count: 20_000))", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "a:\r\n", count: 3000))\r\n", 431),
        ("GET /?\(String(repeating: "a&", count: 3000)) HTTP/1.1\r\nHost: a\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "a;", count: 3000))\r\n\r\n", 431),
    ]

    private static let largest: [String] = [
        "GET /\(String(repeating: "x", count: 16_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /?\(String(repeating: "a&", count: 250)) HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "x", count: 16_000))\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "x", count: 16_000))\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "a=b;", count: 250))\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "a:\r\n", count: 250))\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "a: \(String(repeating: "x", count: 55))\r\n", count: 250))\r\n",
    ]

    private static let wellFormed: [String] = [
        "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nhOST:\r\n\r\n", "GET / HTTP/1.2\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.9\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA:\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nA:b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA: b \t \r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nA: ü\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~0a: b:c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 002\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\t2\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\tChunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: nothing\r\n\r\n{}",
    ]
}
