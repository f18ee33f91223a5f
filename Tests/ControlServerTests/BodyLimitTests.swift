import Control
import ControlServer
import HTTPClient
import Testing

@Suite struct BodyLimitTests {
    private static let echoCount: @Sendable (Request) async -> Response = { .text("\($0.body.count)") }

    @Test(arguments: [
        ("/v1/albums", 65_536, 200), ("/v1/albums", 65_537, 413), ("/v1/albums", 10_000_000, 413),
        ("/v1/changes", 4_194_304, 200), ("/v1/changes", 4_194_305, 413),
    ])
    func aBodyIsTakenUpToItsLimit(path: String, count: Int, status: Int) async throws {
        try await ServerFixture.with(respond: Self.echoCount) { fixture in
            let reply = try await fixture.blocking {
                try $0.send(.post, path, body: [UInt8](repeating: 32, count: count))
            }
            #expect(reply.status == status)
            if status == 200 { #expect(reply.text == "\(count)") }
            guard status == 413 else { return }
            #expect(reply.header("content-type") == "application/problem+json")
            let problem = try JSON.decode(Problem.self, from: reply.body)
            #expect(problem.type == "albumd:contentTooLarge")
        }
    }

    @Test(arguments: [(60_000, "200 OK"), (70_000, "413 ")])
    func aBodyOfUnknownLengthHasTheSameLimit(count: Int, status: String) async throws {
        try await ServerFixture.with(respond: Self.echoCount) { fixture in
            let piece = "3e8\r\n" + String(repeating: " ", count: 1000) + "\r\n"
            let body = String(repeating: piece, count: count / 1000) + "0\r\n\r\n"
            let head = "POST /v1/albums HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            let reply = try await rawReply(fixture, head + body)
            #expect(reply.contains("HTTP/1.1 \(status)"))
        }
    }

    @Test func aHeadWithoutEndIsRefused() async throws {
        try await ServerFixture.with { fixture in
            let line = "X-Header: " + String(repeating: "x", count: 1000) + "\r\n"
            let reply = try await rawReply(
                fixture, "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: line, count: 200))
            #expect(reply.hasPrefix("HTTP/1.1 431 "))
            let after = try await fixture.get("/after")
            #expect(after.text == "/after")
        }
    }
}
