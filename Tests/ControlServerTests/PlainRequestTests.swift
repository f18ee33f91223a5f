import Control
import ControlServer
import HTTPClient
import Platform
import Testing

@Suite struct PlainRequestTests {
    @Test func aRequestReachesTheHandlerWithAllItsParts() async throws {
        let respond: @Sendable (Request) async -> Response = { request in
            let query = request.query.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",")
            let body = String(decoding: request.body, as: UTF8.self)
            return .text("\(request.method.rawValue) \(request.path) \(query) \(body) \(request.peer.uid)", status: 201)
        }
        try await ServerFixture.with(respond: respond) { fixture in
            let reply = try await fixture.blocking {
                try $0.send(.post, "/v1/albums", query: ["a": "1 & 2", "b": "ü+"], body: Array("{}".utf8))
            }
            #expect(reply.status == 201)
            #expect(reply.text == "POST /v1/albums a=1 & 2,b=ü+ {} \(ProcessIdentity.uid)")
            #expect(reply.header("content-type") == "text/plain")
        }
    }

    @Test func anAnswerEndsItsConnection() async throws {
        try await ServerFixture.with { fixture in
            let requests =
                "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nnonsense"
            let reply = try await rawReply(fixture, requests)
            #expect(reply.contains("\r\nConnection: close\r\n"))
            #expect(reply.hasSuffix("\r\n\r\n/1"), "\(reply)")
        }
    }

    @Test func aThousandRequestsComeOneAfterTheOther() async throws {
        try await ServerFixture.with { fixture in
            try await fixture.blocking { client in
                for number in 0..<1000 {
                    let reply = try client.send(.get, "/number/\(number)")
                    #expect(reply.text == "/number/\(number)")
                }
            }
        }
    }

    @Test func fortyClientsAtOnceAllGetTheirOwnAnswer() async throws {
        try await ServerFixture.with { fixture in
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    let client = HTTPClient(socketPath: fixture.socketPath)
                    group.addTask {
                        try await onThread {
                            for round in 0..<20 {
                                let path = "/\(number)/\(round)"
                                let reply = try client.send(.get, path)
                                #expect(reply.text == path)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aMegabyteComesBackWhole() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let respond: @Sendable (Request) async -> Response = { _ in
            Response(status: 200, contentType: "application/octet-stream", body: .bytes(bytes))
        }
        try await ServerFixture.with(respond: respond) { fixture in
            let reply = try await fixture.get("/")
            #expect(reply.body == bytes)
        }
    }

    @Test(arguments: ["HEAD", "OPTIONS", "PATCH", "get", "X"])
    func anUnknownMethodIsRefused(method: String) async throws {
        try await ServerFixture.with { fixture in
            let reply = try await rawReply(
                fixture, "\(method) /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(reply.hasPrefix("HTTP/1.1 405 "))
            #expect(reply.contains("Allow: GET\r\n"))
        }
    }

    @Test(arguments: [("/v1/albums", "Allow: GET, POST\r\n"), ("/v1/flush", "Allow: POST\r\n"), ("/", "HTTP/1.1 404 ")])
    func onlyWhatThePathTakesIsAllowed(path: String, words: String) async throws {
        try await ServerFixture.with { fixture in
            let reply = try await rawReply(fixture, "HEAD \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(reply.contains(words), "\(reply)")
        }
    }

    @Test(arguments: [
        "/a%2e%2e/b", "/..", "/a/../b", "/a/./b", "/%00", "/a%2fb", "/a\u{0}b", "/a\u{0}", "/ü", "*", "http://x/",
        "/a?b=%", "/a?b=%zz", "/a?b=%ff", "/a?b=1&b=2", "/a?b=1&%62=2", "/a?b=%00", "/a?b=ü", "a/b", "//a b",
    ])
    func aMalformedTargetIsRefused(target: String) async throws {
        try await ServerFixture.with { fixture in
            let reply = try await rawReply(fixture, "GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(reply.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func aBodyOnGetIsRefused() async throws {
        try await ServerFixture.with { fixture in
            let reply = try await rawReply(fixture, "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
            #expect(reply.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(arguments: ["GET /", "POST /", "PUT /v1/uploads"])
    func aLengthThatNobodyCanCountToIsRefused(request: String) async throws {
        try await ServerFixture.with { fixture in
            let reply = try await rawReply(
                fixture,
                "\(request) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9223372036854775808\r\n\r\nabc")
            #expect(reply.hasPrefix("HTTP/1.1 413 "))
            #expect(reply.contains("application/problem+json"))
        }
    }

    @Test func aClientThatClosesItsSideStillGetsItsAnswer() async throws {
        try await ServerFixture.with { fixture in
            let path = fixture.socketPath
            let reply = try await onThread {
                let socket = try #require(RawSocket(path))
                socket.send("GET /half HTTP/1.1\r\nHost: a\r\n\r\n")
                socket.closeSending()
                return socket.receive(until: "/half")
            }
            #expect(reply?.contains("200 OK") == true)
        }
    }
}

func rawReply(_ fixture: ServerFixture, _ request: String) async throws -> String {
    let path = fixture.socketPath
    return try await onThread {
        let socket = try #require(RawSocket(path))
        socket.send(request)
        return socket.receiveAll() ?? ""
    }
}
