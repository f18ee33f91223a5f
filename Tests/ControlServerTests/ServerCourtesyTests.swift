import Control
import ControlServer
import HTTPClient
import Platform
import Testing

/// Long work gives way to a question from when it comes until its answer is sent; not to what takes long itself.
@Suite struct ServerCourtesyTests {
    @Test func aQuestionIsGivenWayToAndAnOrderIsNot() async throws {
        let courtesy = Courtesy { .zero }
        let respond: @Sendable (Request) async -> Response = { _ in .text("\(courtesy.isWaitedFor)") }
        try await ServerFixture.with(respond: respond, courtesy: courtesy) { fixture in
            #expect(try await fixture.get("/v1/status").text == "true")
            try await fixture.blocking { client in while courtesy.isWaitedFor {} }
            let order = try await fixture.blocking { try $0.send(.post, "/v1/flush", body: Array("{}".utf8)) }
            #expect(order.text == "false")
        }
    }

    @Test func whoGoesWithoutAQuestionIsNotWaitedFor() async throws {
        let courtesy = Courtesy { .zero }
        try await ServerFixture.with(courtesy: courtesy) { fixture in
            var mute = RawSocket(fixture.socketPath)
            try #require(mute != nil)
            try await fixture.blocking { _ in while !courtesy.isWaitedFor {} }
            mute = nil
            try await fixture.blocking { _ in while courtesy.isWaitedFor {} }
        }
    }
}
