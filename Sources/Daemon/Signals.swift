import Dispatch
import Glibc

/// The signals that a daemon hears, as a stream; made before anything else runs.
final class Signals: Sendable {
    enum Signal: Sendable {
        case stop
        case reload
    }

    let stream: AsyncStream<Signal>
    private let continuation: AsyncStream<Signal>.Continuation
    // Made and activated in init, and only kept alive since.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// SIGTERM and SIGINT stop, SIGHUP reloads; SIGPIPE, SIGIO and SIGXFSZ are ignored: their calls say EPIPE, EFBIG.
    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        (self.stream, self.continuation) = (stream, continuation)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGIO, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let meanings: [(Int32, Signal)] = [(SIGTERM, .stop), (SIGINT, .stop), (SIGHUP, .reload)]
        sources = meanings.map { number, meaning in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in continuation.yield(meaning) }
            source.activate()
            return source
        }
    }

    /// From within: the engine met its end.
    func stop() { continuation.yield(.stop) }
}
