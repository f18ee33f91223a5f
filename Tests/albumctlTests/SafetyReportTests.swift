import Control
import FoundationEssentials
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct SafetyReportTests {
    private static func row(_ asked: SafetyQuestion) -> SafetyRow {
        var row = SafetyRow(path: nil)
        (row.path, row.pathBase64) = (asked.path, asked.pathBase64)
        (row.isSafe, row.sha256, row.localIdentifier) = (true, asked.sha256, Sample.identifier)
        (row.original, row.albums) = ("originals/ab/x.jpg", ["=A,\"b\""])
        row.creationDate = Sample.date
        return row
    }

    private static let answer: FakeDaemon.Answer = { asked in
        guard asked.operation != .status else { return .json(Sample.status()) }
        guard let request = try? JSON.decode(SafetyRequest.self, from: asked.request.body) else {
            return Problem.badRequest("?").response
        }
        return .json(PageOf(rows: request.files.map(row), next: nil))
    }

    private func withCard(_ body: (ScratchFolder, FakeDaemon, PosixProgram) async throws -> Void) async throws {
        try await withScratchFolder { folder in
            let program = PosixProgram()
            try program.makeDirectory(folder.path("card"))
            try program.write(folder.path("card/a.jpg"), "a")
            try await FakeDaemon.with(in: folder, answer: Self.answer) { try await body(folder, $0, program) }
        }
    }

    @Test func aTableHasARowForEachFileAndRunsNoFormula() async throws {
        try await withCard { folder, daemon, program in
            try program.write(Array(folder.path("card/").utf8) + Array("e\u{1B}]0;t\n,\"".utf8) + [0xFF], [1])
            let report = folder.path("r.csv")
            let ran = try await albumctl(
                "safe", folder.path("card"), "--report", report, socket: daemon.socketPath)
            #expect(ran.code == 0)
            let text = String(decoding: try program.read(report), as: UTF8.self)
            let lines = text.split(separator: "\r\n").map(String.init)
            #expect(lines.count == 3)
            #expect(lines[1].hasPrefix("\(folder.path("card"))/a.jpg,safe,,ca978112ca1bbdcafac2"))
            #expect(lines[1].contains(",/library/originals/ab/x.jpg,\(Sample.date.rfc3339),\"'=A,\"\"b\"\"\","))
            #expect(lines[2].contains(#"e\x1b]0;t\x0a,""\xff""#))
            #expect(text.replacing("\r\n", with: "").utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        }
    }

    @Test func aDocumentSaysWhatAndWhen() async throws {
        struct Document: Decodable {
            let isSafe: Bool
            let files: Int
            let rows: [SafetyRow]
            let date: Date
            let library: String
        }
        try await withCard { folder, daemon, program in
            let report = folder.path("card/r.json")
            let ran = try await albumctl(
                "safe", folder.path("card"), "--report", report, socket: daemon.socketPath)
            // The report itself is none of the files.
            #expect(ran.code == 0 && ran.out.contains("1 of 1 file is safe"))
            let document = try JSON.decode(Document.self, from: try program.read(report))
            #expect(document.isSafe && document.files == 1 && document.library == "/library")
            #expect(document.rows.first?.localIdentifier == Sample.identifier)
        }
    }

    @Test func aNameThatIsTakenOrSaysNoFormIsRefusedBeforeAnythingIsRead() async throws {
        try await withCard { folder, daemon, program in
            try program.write(folder.path("r.csv"), "mine")
            for (name, code) in [("r.csv", 1), ("r.txt", 2), ("none/r.csv", 1)] {
                let ran = try await albumctl(
                    "safe", folder.path("card"), "--report", folder.path(name), socket: daemon.socketPath)
                #expect(Int(ran.code) == code, "\(ran.error)")
                #expect(daemon.asked.allSatisfy { $0.operation == .status })
            }
            #expect(try program.read(folder.path("r.csv")) == Array("mine".utf8))
            let forced = try await albumctl(
                "safe", folder.path("card"), "--report", folder.path("r.csv"), "--force", socket: daemon.socketPath)
            #expect(forced.code == 0)
        }
    }
}
