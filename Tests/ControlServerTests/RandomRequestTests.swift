import Control
import ControlServer
import HTTPClient
import Platform
import TestSupport
import Testing

/// Any bytes get an answer or a close, and leave the server serving (RULES I40).
@Suite struct RandomRequestTests {
    private static let seed: UInt64 = 0x5EED_0048

    @Test func anyBytesGetAnAnswerOrAClose() async throws {
        try await ServerFixture.with(upload: { _ in .accept(ForgetfulSink()) }) { fixture in
            let path = fixture.socketPath
            try await onThread {
                var random = SeededRandom(seed: Self.seed)
                for round in 0..<500 {
                    let bytes = Self.request(&random)
                    let socket = try #require(RawSocket(path))
                    socket.send(bytes)
                    socket.closeSending()
                    let reply = socket.receiveAll()
                    #expect(reply != nil, "seed \(Self.seed), round \(round): neither answer nor close")
                    #expect(reply?.utf8.count ?? 0 <= 65_536, "seed \(Self.seed), round \(round)")
                    // Of broken chunks libmicrohttpd speaks by itself.
                    let hasChunks = String(decoding: bytes, as: UTF8.self).contains("chunked")
                    #expect(hasChunks || reply?.contains("<html>") != true, "seed \(Self.seed), round \(round)")
                }
                #expect(try #require(RawSocket(path)).isServed())
            }
        }
    }

    /// Bytes of every kind: noise, and requests with something wrong in them.
    private static func request(_ random: inout SeededRandom) -> [UInt8] {
        guard random.number(below: 4) != 0 else { return noise(&random, upTo: 2000) }
        var bytes = Array(models[random.number(below: models.count)].utf8)
        for _ in 0..<random.number(below: 6) {
            let index = random.number(below: bytes.count)
            switch random.number(below: 5) {
            case 0: bytes[index] = UInt8(random.number(below: 256))
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: noise(&random, upTo: 20), at: index)
            case 3: bytes.insert(contentsOf: bytes[index...], at: index)
            default: bytes.removeLast(min(bytes.count - 1, random.number(below: 20)))
            }
        }
        return bytes
    }

    private static func noise(_ random: inout SeededRandom, upTo count: Int) -> [UInt8] {
        (0..<random.number(below: count) + 1).map { _ in UInt8(random.number(below: 256)) }
    }

    private static let models = [
        "GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/assets?limit=10&after=%C3%BC HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /v1/changes HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{\"a\":1234}",
        "POST /v1/changes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n3;x=y\r\nabc\r\n0\r\n\r\n",
        "PUT /v1/uploads HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nabcde",
        "PUT /v1/uploads HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\nTrailer: x\r\n\r\n",
        "DELETE /v1/albums/1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
}

private struct ForgetfulSink: UploadSink {
    func write(_: [UInt8]) -> Bool { true }
    func finish() async -> Response { .text("forgotten") }
    func abort() {}
}

extension SeededRandom {
    fileprivate mutating func number(below count: Int) -> Int { Int(next(upperBound: UInt(count))) }
}
