import MediaFacts
import Testing

@Suite struct FrameTests {
    @Test(arguments: [WorkerRequest.readFacts(format: "heic"), .tryTheLock])
    func whatIsAskedArrives(_ request: WorkerRequest) throws {
        let frame = try Frame.bytes(of: request)
        let count = Frame.contentByteCount(header: Array(frame.prefix(4)), limit: Frame.requestLimit)
        #expect(count == frame.count - 4)
        #expect(try Frame.message(WorkerRequest.self, in: Array(frame.dropFirst(4))) == request)
    }

    @Test func factsArriveWhole() throws {
        let facts = FileFacts(
            codedSize: PixelSize(width: 4032, height: 3024), containerOrientation: 6, frameCount: 1, duration: 1.5,
            videoStream: VideoStream(codec: "hevc", frameRate: 29.97), hasAudio: true, tags: [.make: "Apple\u{0}é"],
            auxiliaryImages: ["depth"], trailingMovie: ByteSpan(offset: 1, count: 2), faults: ["none"])
        let frame = try Frame.bytes(of: WorkerAnswer.facts(facts))
        #expect(try Frame.message(WorkerAnswer.self, in: Array(frame.dropFirst(4))) == .facts(facts))
    }

    /// The other end is not to be trusted with the memory of this one.
    @Test(arguments: [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0x10, 1], [0, 0, 1], []] as [[UInt8]])
    func aHeaderThatAsksTooMuchIsRefused(_ header: [UInt8]) {
        #expect(Frame.contentByteCount(header: header, limit: Frame.requestLimit) == nil)
    }
}
