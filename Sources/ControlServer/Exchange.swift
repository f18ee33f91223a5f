import Control
import Platform
import Synchronization

/// One request and its answer, from the request line to the last byte: the state machine behind the callbacks.
///
/// libmicrohttpd's thread steps it by `advance` and `complete`; a task brings the answer; the accepting thread may
/// `abandon` it. Between them the connection is suspended, and resumed exactly once for each time.
final class Exchange: Sendable {
    enum Phase {
        case head
        case collecting(Request)
        /// Suspended: whether the upload is welcome.
        case deciding(Request)
        case decided(UploadDecision)
        case uploading(UploadPipe)
        /// The answer is being made. Suspended at the next callback, not at the one that brought the last byte: else
        /// libmicrohttpd would still want to read when it goes on, find the end where the client has closed its side,
        /// and drop the connection with the answer. Without an answer and not suspended it calls again at once.
        case answering
        case answered(Response)
        case replying(StreamBody?, endsWithServer: Bool)
        /// Nobody waits for the answer any more.
        case over
    }

    /// What a callback is to do.
    enum Verdict {
        /// Go on; `takesData` where the bytes given were taken.
        case carryOn(takesData: Bool)
        case queue(Response)
        case close
    }

    struct State {
        var phase = Phase.head
        /// The JSON body as far as it has come; nil once it is too large.
        var body: [UInt8]? = []
        var isSuspended = false
        var task: Task<Void, Never>?
    }

    let server: ServerState
    let token: UInt64
    let target: [UInt8]
    let connection: MHDConnection
    private let state = Mutex(State())

    init(server: ServerState, token: UInt64, target: [UInt8], connection: MHDConnection) {
        self.server = server
        self.token = token
        self.target = target
        self.connection = connection
        if !server.begin(self, on: token) { state.withLock { $0.phase = .over } }
    }

    /// The next callback of libmicrohttpd: first the head alone, then data, then once more without data.
    func advance(head: () -> RequestHead, data: UnsafeRawBufferPointer) -> Verdict {
        state.withLock { state in
            switch state.phase {
            case .head: begin(head(), &state)
            case .collecting(let request): collect(data, of: request, &state)
            case .deciding, .answering: wait(&state)
            case .decided(.accept(let sink)): startUpload(to: sink, &state)
            case .decided(.refuse(let response)), .answered(let response): reply(response, &state)
            case .uploading(let pipe): upload(data, through: pipe, &state)
            case .replying, .over: .close
            }
        }
    }

    /// The answer's stream, once there is one.
    func attach(_ stream: StreamBody, endsWithServer: Bool) {
        let isOver = state.withLock { state in
            guard case .replying = state.phase else { return true }
            state.phase = .replying(stream, endsWithServer: endsWithServer)
            return false
        }
        if isOver { stream.cut() }
    }

    /// The server stops: a stream of lines, which would never end, ends.
    func endFollowing() {
        guard case .replying(let stream?, endsWithServer: true) = state.withLock({ $0.phase }) else { return }
        stream.endEarly()
    }

    /// Nobody will read the answer: the client has gone, or the server stops.
    ///
    /// libmicrohttpd is made to notice.
    func abandon() { leave(andResume: true) }

    /// libmicrohttpd is done with the request, in whatever way.
    ///
    /// The connection is not touched after this.
    func complete() {
        leave(andResume: false)
        server.end(on: token)
    }

    private func leave(andResume mustResume: Bool) {
        let (phase, task) = state.withLock { state in
            let left = (state.phase, state.task.take())
            state.phase = .over
            if mustResume { resume(&state) }
            return left
        }
        task?.cancel()
        switch phase {
        case .decided(.accept(let sink)): UploadPipe(to: sink, limit: 0, drained: {}).abort()
        case .uploading(let pipe): pipe.abort()
        case .decided(.refuse(let response)), .answered(let response): response.discard()
        case .replying(let stream, _): stream?.cut()
        case .head, .collecting, .deciding, .answering, .over: break
        }
    }
}

// The steps, each on libmicrohttpd's thread with the state locked.
extension Exchange {
    private func begin(_ head: RequestHead, _ state: inout sending State) -> Verdict {
        guard let peer = server.peer(of: token) else { return .close }
        switch head.judge(target: target, peer: peer, limits: server.limits) {
        case .refuse(let response):
            server.setBusy(token)
            return reply(response, &state)
        case .collect(let request):
            if head.hasBody { server.expectBody(on: token) } else { server.setBusy(token) }
            state.phase = .collecting(request)
            return .carryOn(takesData: false)
        case .upload(let request):
            server.setBusy(token)
            server.endCourtesy(to: token)
            state.phase = .deciding(request)
            state.task = Task { await self.decide(request) }
            return wait(&state)
        }
    }

    private func collect(
        _ data: UnsafeRawBufferPointer, of request: Request, _ state: inout sending State
    ) -> Verdict {
        let limit = server.limits.bodyBytes(at: request.path)
        guard data.isEmpty else {
            // Only a body of unknown length comes here too large: it is dropped, and read on for the idle time at most.
            let fits = (state.body?.count ?? limit) + data.count <= limit
            if fits { state.body?.append(contentsOf: data) } else { state.body = nil }
            return .carryOn(takesData: true)
        }
        server.setBusy(token)
        guard let body = state.body.take() else { return reply(.bodyTooLarge(limit: limit), &state) }
        state.phase = .answering
        // What is only read is short: lists, status, metrics.
        if request.method != .get { server.endCourtesy(to: token) }
        state.task = Task(executorPreference: server.answering) {
            let response = await self.server.respond(request.with(body: body))
            self.answer(response)
        }
        return .carryOn(takesData: false)
    }

    private func startUpload(to sink: any UploadSink, _ state: inout sending State) -> Verdict {
        let limit = server.limits.queuedUploadBytes
        state.phase = .uploading(UploadPipe(to: sink, limit: limit) { [weak self] in self?.wake() })
        return .carryOn(takesData: false)
    }

    private func upload(
        _ data: UnsafeRawBufferPointer, through pipe: UploadPipe, _ state: inout sending State
    ) -> Verdict {
        guard !data.isEmpty else {
            state.phase = .answering
            pipe.finish { self.answer($0) }
            return .carryOn(takesData: false)
        }
        guard pipe.hasRoom() else { return wait(&state) }
        pipe.push(Array(data))
        return .carryOn(takesData: true)
    }

    private func reply(_ response: Response, _ state: inout sending State) -> Verdict {
        state.phase = .replying(nil, endsWithServer: false)
        return .queue(response)
    }

    private func wait(_ state: inout sending State) -> Verdict {
        if !state.isSuspended {
            state.isSuspended = true
            connection.suspend()
        }
        return .carryOn(takesData: false)
    }
}

// What the tasks bring.
extension Exchange {
    private func decide(_ request: Request) async {
        let decision = await server.upload(request)
        let isWanted = change(to: .decided(decision)) { if case .deciding = $0 { true } else { false } }
        guard !isWanted, case .accept(let sink) = decision else { return }
        UploadPipe(to: sink, limit: 0, drained: {}).abort()
    }

    private func answer(_ response: Response) {
        let isWanted = change(to: .answered(response)) { if case .answering = $0 { true } else { false } }
        if !isWanted { response.discard() }
    }

    /// Enters `phase` from a phase that `isExpected`, and lets libmicrohttpd go on; false where that has passed.
    private func change(to phase: Phase, where isExpected: (Phase) -> Bool) -> Bool {
        state.withLock { state in
            guard isExpected(state.phase) else { return false }
            state.phase = phase
            resume(&state)
            return true
        }
    }

    /// The upload's queue has room again.
    private func wake() { state.withLock { resume(&$0) } }

    private func resume(_ state: inout sending State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        connection.resume()
    }
}
