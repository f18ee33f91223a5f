import Control
import ControlServer
import FoundationEssentials
import PhotoModel
import Platform
import Synchronization
import TestSupport

/// A server on a socket of its own that answers as a test wants, and remembers what it was asked.
final class FakeDaemon: Sendable {
    struct Asked: Sendable {
        let operation: Operation
        let id: String?
        let request: Request
    }

    private final class Memory: Sendable {
        let asked = Mutex<[Asked]>([])
    }

    typealias Answer = @Sendable (Asked) async -> Response

    let socketPath: String
    private let server: ControlServer
    private let memory = Memory()

    /// What was asked so far; uploads are not in it.
    var asked: [Asked] { memory.asked.withLock { $0 } }

    private init(
        _ socketPath: String, uploaded: @escaping @Sendable () -> Void, answer: @escaping Answer
    ) throws {
        self.socketPath = socketPath
        let memory = memory
        server = try ControlServer(
            listening: try ControlSocket.make(at: socketPath), uptime: Machine.bootTime, log: .silent,
            respond: { request in
                guard case .operation(let operation, let id) = Router.match(request.method, request.path) else {
                    return Problem.badRequest("no such route: \(request.path)").response
                }
                // As the real one refuses it.
                do throws(Problem) { try operation.check(query: request.query) } catch { return error.response }
                let asked = Asked(operation: operation, id: id, request: request)
                memory.asked.withLock { $0.append(asked) }
                return await answer(asked)
            },
            upload: { _ in .accept(HashingSink(uploaded)) })
    }

    /// Runs `body` against a fake; uploads are hashed, and `uploaded` is called after the last byte of each.
    static func with(
        in folder: ScratchFolder, uploaded: @escaping @Sendable () -> Void = {}, answer: @escaping Answer,
        _ body: (FakeDaemon) async throws -> Void
    ) async throws {
        let daemon = try FakeDaemon(folder.path("s"), uploaded: uploaded, answer: answer)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(daemon)) } catch { outcome = .failure(error) }
        await daemon.server.stop(within: .seconds(10))
        try outcome.get()
    }
}

/// Answers an upload with the hash of what came.
private final class HashingSink: UploadSink {
    private let hasher = Mutex((ContentHasher(), Int64(0)))
    private let uploaded: @Sendable () -> Void

    init(_ uploaded: @escaping @Sendable () -> Void) { self.uploaded = uploaded }

    func write(_ bytes: [UInt8]) -> Bool {
        hasher.withLock { state in
            bytes.withUnsafeBytes { state.0.update($0) }
            state.1 += Int64(bytes.count)
        }
        return true
    }

    func finish() async -> Response {
        let (digest, count) = hasher.withLock { ($0.0.finish(), $0.1) }
        uploaded()
        guard let hash = ContentHash(bytes: digest) else { return Problem.internalError("no digest").response }
        return .json(UploadReceipt(upload: machine.makeUUID(), sha256: hash, byteCount: count), status: 201)
    }

    func abort() {}
}

extension Response {
    static func json(_ value: some Encodable, status: Int = 200) -> Response {
        Response(status: status, contentType: "application/json", body: .bytes(JSON.encode(value)))
    }

    /// A stream of lines that ends, or is cut off, after the last of them.
    static func lines(_ lines: [[UInt8]]) -> Response {
        let stream = AsyncStream<[UInt8]> { continuation in
            for line in lines { continuation.yield(line) }
            continuation.finish()
        }
        return Response(status: 200, contentType: "application/x-ndjson", body: .stream(stream))
    }
}
