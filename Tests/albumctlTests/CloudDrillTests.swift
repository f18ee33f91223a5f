import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

/// `cloud drill --into`: a person gets the files, as often as wanted.
@Suite struct CloudDrillTests {
    private static let bytes = Array("the bytes of a photo".utf8)

    private static func hash() throws -> ContentHash {
        var hasher = ContentHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return try #require(ContentHash(bytes: hasher.finish()))
    }

    private func drill(into directory: String, in folder: ScratchFolder) async throws -> Ran {
        var row = try CloudRow(sha256: Self.hash(), byteCount: Int64(Self.bytes.count))
        (row.localIdentifier, row.originalFilename, row.outcome) = (Sample.identifier, "a.jpg", .wouldRestore)
        let lines = [JSON.line(CloudLine.row(row)), JSON.line(CloudLine.row(row)), JSON.line(CloudLine.end([:]))]
        var ran: Ran?
        try await FakeDaemon.with(
            in: folder,
            answer: { asked in
                asked.operation == .drillCloud
                    ? .lines(lines) : Response(status: 200, contentType: "image/jpeg", body: .bytes(Self.bytes))
            }
        ) { daemon in
            ran = try await albumctl(
                ["cloud", "drill", "--into", directory].map { Array($0.utf8) }, socket: daemon.socketPath,
                variables: [:], isTerminal: false)
        }
        return try #require(ran)
    }

    @Test func theDirectoryIsMadeAndASecondDrillIntoItIsNoFailure() async throws {
        try await withScratchFolder { folder in
            for _ in 1...2 {
                let ran = try await drill(into: folder.path("new"), in: folder)
                #expect(ran.code == 0, "\(ran.out)\(ran.error)")
                #expect(ran.lines.last?.hasPrefix("In all: restored 2") == true)
            }
            let file = try folder.path("new/\(Self.hash().hexadecimal).jpg")
            #expect(try PosixProgram().read(file) == Self.bytes)
            // What another file has under its name stays.
            try PosixProgram().write(file, "precious")
            let ran = try await drill(into: folder.path("new"), in: folder)
            #expect(ran.code == 1 && ran.out.contains("is there already, with other bytes"))
            #expect(try PosixProgram().read(file) == Array("precious".utf8))
        }
    }

    @Test func aDirectoryThatCannotBeMadeOrWrittenIsOneError() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("file"), "")
            for directory in ["absent/new", "file"] {
                let ran = try await drill(into: folder.path(directory), in: folder)
                #expect(ran.code == 1 && ran.lines.isEmpty, "\(ran.out)")
                #expect(ran.error.contains("name a directory"))
            }
        }
    }
}
