import Control
import FoundationEssentials
import PhotoStore
import Platform

/// The change feed as NDJSON: one object a line, ended by `{"end": …}` or `{"error": …}`.
extension LibraryService {
    /// Pulled by the client, so that one who stops reading costs nothing (RULES R48).
    ///
    /// A token that the library has not come to is refused: who follows from it would be told nothing, for long.
    func changes(_ paging: Paging, follow: Bool) async throws -> Response {
        let newest = try await read { try $0.lastToken() }
        guard paging.after <= newest else { throw Problem.unknownToken(paging.after, newest: newest) }
        let reader = ChangeReader(service: self, after: paging.after, follow: follow)
        let stream = AsyncStream<[UInt8]> { await reader.next() }
        return Response(status: 200, contentType: "application/x-ndjson", body: .stream(stream))
    }
}

extension Problem {
    fileprivate static func unknownToken(_ token: Int64, newest: Int64) -> Problem {
        .conflict(
            "unknownToken",
            "the newest change of the library is \(newest), and the token \(token) is newer: the library is not the one "
                + "it came from, or an older copy of it was put back",
            fix: "read everything anew, and follow from there: albumctl watch --after 0")
    }
}

/// One reader of the feed: a page of lines each time it is asked, the end once.
private actor ChangeReader {
    private let service: LibraryService
    private let follow: Bool
    private var token: Int64
    private var tokens: AsyncStream<Int64>.Iterator
    private var isAtEnd = false

    init(service: LibraryService, after token: Int64, follow: Bool) {
        self.service = service
        self.token = token
        self.follow = follow
        tokens = service.library.feed.tokens().makeAsyncIterator()
    }

    func next() async -> [UInt8]? {
        guard !isAtEnd else { return nil }
        do {
            while true {
                let after = token
                let lines = try await service.read { try $0.history(after: after, limit: 100) }
                if let last = lines.last {
                    token = last.token
                    return lines.flatMap { JSON.inert(Array($0.json.utf8)) + [UInt8(ascii: "\n")] }
                }
                guard follow, await waitForChange() else { return end() }
            }
        } catch {
            isAtEnd = true
            return JSON.line(["error": service.problem(error)])
        }
    }

    private func end() -> [UInt8] {
        isAtEnd = true
        return JSON.line(["end": ["token": token]])
    }

    /// False where the reader was cancelled.
    private func waitForChange() async -> Bool {
        while let newest = await nextToken() {
            if newest > token { return true }
        }
        return false
    }

    private func nextToken() async -> Int64? {
        var iterator = tokens
        defer { tokens = iterator }
        return await iterator.next(isolation: #isolation)
    }
}
