import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

@Suite struct ListTests {
    /// A library of `count` assets whose cursor is the number of the last one given.
    private static func library(of count: Int64) -> FakeDaemon.Answer {
        { asked in
            let query = asked.request.query
            guard let limit = Int64(query["limit"] ?? ""), let after = Int64(query["after"] ?? "0"), limit <= 500 else {
                return Problem.badRequest("limit").response
            }
            let numbers = (after + 1)...max(after + 1, min(count, after + limit))
            let rows = after < count ? numbers.map { Sample.asset(PathBytes("\($0).jpg"), hash: nil) } : []
            return .json(PageOf(rows: rows, next: numbers.upperBound < count ? numbers.upperBound : nil))
        }
    }

    @Test(arguments: [
        (nil, 1203, ["500", "500", "500"]), (700, 700, ["500", "200"]), (0, 0, []),
        (5000, 1203, ["500", "500", "500"]),
    ])
    func aLimitIsATotalAndPagesAreFetchedAsNeeded(limit: Int?, count: Int, limits: [String]) async throws {
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: Self.library(of: 1203)) { daemon in
                let option = limit.map { ["--limit", "\($0)"] } ?? []
                let arguments = (["asset", "list", "--json"] + option).map { Array($0.utf8) }
                let ran = try await albumctl(arguments, socket: daemon.socketPath, variables: [:], isTerminal: false)
                let rows = try ran.json([AssetRow].self)
                #expect(rows.map(\.originalFilename) == (0..<count).map { "\($0 + 1).jpg" })
                #expect(daemon.asked.compactMap { $0.request.query["limit"] } == limits)
            }
        }
    }

    @Test func aPersonSeesOneHeading() async throws {
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: Self.library(of: 600)) { daemon in
                let ran = try await albumctl("asset", "list", socket: daemon.socketPath)
                #expect(ran.lines.count == 601)
                #expect(ran.lines.filter { $0.hasPrefix("IDENTIFIER") }.count == 1)
            }
        }
    }

    @Test func aCursorThatStandsStillIsAnEnd() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { _ in .json(PageOf(rows: [Sample.album()], next: 4)) }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let ran = try await albumctl("album", "list", "--json", socket: daemon.socketPath)
                #expect(try ran.json([AlbumRow].self).count == 2)
            }
        }
    }

    @Test func anEmptyPageIsNoEnd() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { asked in
                let isFirst = asked.request.query["after"] == nil
                return .json(PageOf(rows: isFirst ? [] : [Sample.album()], next: isFirst ? 4 : nil))
            }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let ran = try await albumctl("album", "list", "--json", socket: daemon.socketPath)
                #expect(try ran.json([AlbumRow].self).count == 1)
            }
        }
    }

    @Test func anAlbumMayBeNamedByItsTitle() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { asked in
                asked.operation == .albumsTitled
                    ? .json(PageOf(rows: [Sample.album("Sommer")], next: nil))
                    : .json(PageOf<AssetRow>(rows: [], next: nil))
            }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let ran = try await albumctl("asset", "list", "--album", "Sommer", "--json", socket: daemon.socketPath)
                #expect(ran.out == "[]\n")
                #expect(daemon.asked.last?.request.query["album"] == Sample.identifier.uuid.uuidString)
            }
        }
    }

    @Test func aTitleOfTwoAlbumsIsRefusedWithBoth() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { _ in .json(PageOf(rows: [Sample.album(), Sample.album()], next: nil)) }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let ran = try await albumctl("album", "get", "Inbox", socket: daemon.socketPath)
                #expect(ran.code == 5)
                #expect(ran.error.split(separator: "\n").count { $0.contains("\(Sample.identifier)") } == 2)
            }
        }
    }
}
