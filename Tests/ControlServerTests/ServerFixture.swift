import Control
import ControlServer
import Glibc
import HTTPClient
import Platform
import Synchronization
import Testing

/// A real server on a socket in a scratch folder, gone with the test.
struct ServerFixture {
    let socketPath: String
    let server: ControlServer
    let client: HTTPClient

    /// Runs `body` against a server that answers by `respond`, then stops it and removes the folder.
    static func with(
        limits: Limits = Limits(),
        respond: @escaping @Sendable (Request) async -> Response = { .text($0.path) },
        upload: @escaping @Sendable (Request) async -> UploadDecision = { _ in .refuse(.text("no", status: 403)) },
        courtesy: Courtesy = Courtesy(), _ body: (ServerFixture) async throws -> Void
    ) async throws {
        try await withScratchFolder { folder in
            let path = folder + "/control.sock"
            let server = try ControlServer(
                listening: try ControlSocket.make(at: path), limits: limits, uptime: Machine.bootTime, log: .silent,
                respond: respond, upload: upload, courtesy: courtesy)
            let outcome: Result<Void, any Error>
            do {
                try await body(
                    ServerFixture(socketPath: path, server: server, client: HTTPClient(socketPath: path)))
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            await server.stop(within: .seconds(1))
            try outcome.get()
        }
    }

    /// Calls that block, on a thread of their own.
    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable (HTTPClient) throws -> Value
    ) async throws -> Value {
        let client = client
        return try await onThread { try body(client) }
    }

    func get(_ path: String, query: [String: String] = [:]) async throws -> HTTPReply {
        try await blocking { try $0.send(.get, path, query: query) }
    }
}

extension Response {
    static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/plain", body: .bytes(Array(text.utf8)))
    }
}

extension HTTPReply {
    var text: String { String(decoding: body, as: UTF8.self) }
}

private let threads = BlockingPool(name: "test-blocking", threadCount: 48)

/// Runs what blocks away from the cooperative pool.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await threads.run(body)
}

private let folderNumber = Atomic(0)

/// A folder of the test's own, removed afterwards.
///
/// Short: a socket's path has at most 107 bytes.
func withScratchFolder(_ body: (String) async throws -> Void) async throws {
    let number = folderNumber.add(1, ordering: .relaxed).newValue
    let folder = "/tmp/albumd-http-\(getpid())-\(number)"
    try #require(mkdir(folder, 0o700) == 0)
    defer { removeTree(folder) }
    try await body(folder)
}

private func removeTree(_ folder: String) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        let path = folder + "/" + name
        if unlink(path) != 0 { removeTree(path) }
    }
    rmdir(folder)
}
