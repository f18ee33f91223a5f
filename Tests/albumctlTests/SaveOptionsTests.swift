import Control
import FoundationEssentials
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct SaveOptionsTests {
    @Test(arguments: [
        ["a", "b", "--filename", "x"], ["a", "b", "--external", "x"], ["-", "--source", "delete"],
        ["a", "--source", "delete", "--no-wait"], ["a", "--source", "burn"], ["a", "--creation-date", "yesterday"],
    ])
    func whatContradictsItselfIsAUsageError(arguments: [String]) async throws {
        let ran = try await albumctl((["save"] + arguments).map { Array($0.utf8) })
        #expect(ran.code == 2)
    }

    @Test(arguments: ["x/y.jpg", "/", "", ".", "..", String(repeating: "x", count: 256)])
    func aNameThatNoFileCanHaveIsRefused(name: String) async throws {
        let ran = try await albumctl("save", "a.jpg", "--filename", name)
        #expect(ran.code == 2)
        #expect(ran.error.contains("choose a plain name"), "\(ran.error)")
    }

    @Test func aDuplicateIsSaidToKeepItsName() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("a.jpg"), "x")
            let hash = try #require(ContentHash(bytes: [UInt8](repeating: 1, count: 32)))
            let answer: FakeDaemon.Answer = { _ in
                .json(Sample.saved(hash, outcome: .duplicate, name: PathBytes("first.jpg")))
            }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let arguments = ["save", folder.path("a.jpg"), "--filename"].map { Array($0.utf8) }
                func ran(_ more: String...) async throws -> Ran {
                    try await albumctl(
                        arguments + more.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:],
                        isTerminal: false)
                }
                #expect(try await ran("b.jpg").out.contains("the asset keeps its name 'first.jpg'"))
                #expect(try await !ran("first.jpg").out.contains("keeps its name"))
                let json = try await ran("b.jpg", "--json").out
                #expect(json.contains("\"originalFilename\":\"first.jpg\"") && json.contains("\"note\":"))
            }
        }
    }

    private func takingUpload() throws -> FakeDaemon.Answer {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 1, count: 32)))
        return { _ in .json(UploadReceipt(upload: machine.makeUUID(), sha256: hash, byteCount: 1), status: 202) }
    }

    /// What the bytes say is not given: facts decide later.
    @Test func theCaptureDateIsNoDateThatIsGiven() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("a.jpg"), "x")
            try await FakeDaemon.with(in: folder, answer: try takingUpload()) { daemon in
                let ran = try await albumctl(
                    "save", folder.path("a.jpg"), "--no-wait", "--creation-date", "capture", socket: daemon.socketPath)
                #expect(ran.code == 0)
                let asked = try #require(daemon.asked.first)
                #expect(try JSON.decode(SaveRequest.self, from: asked.request.body).creationDate == nil)
            }
        }
    }

    @Test func everythingThatIsSaidReachesTheDaemon() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("a.jpg"), "x")
            try await FakeDaemon.with(in: folder, answer: try takingUpload()) { daemon in
                let ran = try await albumctl(
                    "save", folder.path("a.jpg"), "--album", "A", "--external", "e", "--context", "c", "--no-wait",
                    "--creation-date", "2026-11-30T03:01:09+01:00", "--json", socket: daemon.socketPath)
                #expect(ran.code == 0)
                let asked = try #require(daemon.asked.first)
                let request = try JSON.decode(SaveRequest.self, from: asked.request.body)
                #expect(asked.request.query == ["wait": "false"])
                #expect((request.album, request.externalIdentifier, request.context) == ("A", "e", "c"))
                #expect(request.filename == "a.jpg")
                #expect(request.creationDate == Date(rfc3339: "2026-11-30T02:01:09Z"))
                #expect(ran.out.contains("\"upload\":\"\(request.upload)\""))
            }
        }
    }
}
