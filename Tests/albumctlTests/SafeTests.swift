import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import Synchronization
import TestSupport
import Testing

@testable import albumctl

@Suite struct SafeTests {
    private static let program = PosixProgram()

    /// A daemon that says yes to everything, or what `change` makes of it.
    private static func answering(
        _ change: @escaping @Sendable (inout SafetyRow) -> Void = { _ in }
    ) -> FakeDaemon.Answer {
        { asked in
            guard asked.operation != .status else { return .json(Sample.status()) }
            guard let request = try? JSON.decode(SafetyRequest.self, from: asked.request.body) else {
                return Problem.badRequest("?").response
            }
            let rows = request.files.map { question in
                var row = SafetyRow(path: nil)
                (row.path, row.pathBase64) = (question.path, question.pathBase64)
                (row.isSafe, row.sha256, row.localIdentifier) = (true, question.sha256, Sample.identifier)
                (row.original, row.albums, row.creationDate) = ("originals/ab/x.jpg", ["=A,\"b\""], Sample.date)
                change(&row)
                return row
            }
            return .json(PageOf(rows: rows, next: nil))
        }
    }

    /// A card with two pictures, one of them in a directory.
    private func withCard(
        _ answer: @escaping FakeDaemon.Answer = answering(),
        _ body: (ScratchFolder, FakeDaemon, String) async throws -> Void
    ) async throws {
        try await withScratchFolder { folder in
            try Self.program.makeDirectory(folder.path("card"))
            try Self.program.makeDirectory(folder.path("card/DCIM"))
            try Self.program.write(folder.path("card/a.jpg"), "a")
            try Self.program.write(folder.path("card/DCIM/b.jpg"), "b")
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                try await body(folder, daemon, folder.path("card"))
            }
        }
    }

    private func questions(_ daemon: FakeDaemon) throws -> [SafetyQuestion] {
        try daemon.asked.filter { $0.operation != .status }.flatMap {
            try JSON.decode(SafetyRequest.self, from: $0.request.body).files
        }
    }

    /// A path of 4,096 bytes and more cannot be opened: the report says that, and not that something changed.
    @Test func whatLiesUnderAPathThatIsTooLongIsRefusedForThat() async throws {
        try await withCard { _, daemon, card in
            let name = String(repeating: "n", count: 250)
            var levels = [open(card, O_RDONLY | O_DIRECTORY)]
            for _ in 0..<17 {
                let parent = try #require(levels.last)
                try #require(mkdirat(parent, name, 0o700) == 0)
                levels.append(openat(parent, name, O_RDONLY | O_DIRECTORY))
            }
            defer {
                for parent in levels.dropLast().reversed() { unlinkat(parent, name, AT_REMOVEDIR) }
                for level in levels { close(level) }
            }
            let deepest = try #require(levels.last)
            close(openat(deepest, "c.jpg", O_WRONLY | O_CREAT, 0o600))
            defer { unlinkat(deepest, "c.jpg", 0) }
            let ran = try await albumctl("safe", card, socket: daemon.socketPath)
            #expect(ran.code == 1 && ran.lines.contains { $0.hasPrefix("tooDeep") && $0.contains("path is too long") })
            #expect(ran.out.contains("2 of 3 files are safe to erase; not: tooDeep 1."), "\(ran.out)")
        }
    }

    @Test func everyFileIsReadAndAskedForByItsHash() async throws {
        try await withCard { _, daemon, card in
            let ran = try await albumctl("safe", card, socket: daemon.socketPath)
            #expect(ran.code == 0)
            #expect(ran.out == "2 of 2 files are safe to erase.\n")
            let asked = try questions(daemon)
            #expect(asked.map(\.path) == [card + "/DCIM/b.jpg", card + "/a.jpg"])
            #expect(asked.map(\.byteCount) == [1, 1])
            #expect(asked.last?.sha256.hexadecimal.hasPrefix("ca978112ca1bbdcafac2") == true)
            #expect(asked.allSatisfy { $0.inode != nil && $0.device != nil })
            #expect(daemon.asked.allSatisfy { $0.operation != .releaseSources })
        }
    }

    @Test func oneNoIsANoForAll() async throws {
        let answer = Self.answering { row in
            if row.path?.hasSuffix("a.jpg") == true { row.refuse(.corrupt, "other bytes", fix: "albumctl repair") }
        }
        try await withCard(answer) { _, daemon, card in
            let ran = try await albumctl("safe", card, socket: daemon.socketPath)
            #expect(ran.code == 1)
            #expect(ran.lines.first == "corrupt          \(card)/a.jpg  (other bytes)")
            #expect(
                ran.lines.dropFirst() == ["1 of 2 files are safe to erase; not: corrupt 1.", "    albumctl repair"])
        }
    }

    @Test func nothingAtAllIsNotSafe() async throws {
        try await withCard { folder, daemon, _ in
            try Self.program.makeDirectory(folder.path("empty"))
            let ran = try await albumctl("safe", folder.path("empty"), socket: daemon.socketPath)
            #expect(ran.code == 1)
            #expect(ran.out.contains("no file"))
            let left = try await albumctl(
                "safe", folder.path("card"), "--ignore", "*.jpg", socket: daemon.socketPath)
            #expect(left.code == 1)
            #expect(left.out.contains("2 names were left out"))
        }
    }

    @Test(arguments: ["link.jpg", "fifo", "gone.jpg", "dangling", "linkdir"])
    func whatIsNoPlainFileIsANo(name: String) async throws {
        try await withCard { folder, daemon, card in
            try Self.program.makeSymlink(folder.path("card/DCIM/link.jpg"), to: folder.path("card/a.jpg"))
            try Self.program.makeSymlink(folder.path("card/DCIM/dangling"), to: folder.path("nowhere"))
            try Self.program.makeSymlink(folder.path("card/DCIM/linkdir"), to: card)
            try Self.program.makeFIFO(Array(folder.path("card/DCIM/fifo").utf8))
            let alone = try await albumctl("safe", card + "/DCIM/" + name, socket: daemon.socketPath)
            // A directory that is named through a symlink is walked: that is how cards are mounted.
            guard name != "linkdir" else { return #expect(alone.out.contains("2 of 6 files")) }
            #expect(alone.code == 1)
            #expect(alone.out.contains("0 of 1 file is safe to erase"))
            let all = try await albumctl("safe", card, socket: daemon.socketPath)
            #expect(all.code == 1)
            #expect(all.out.contains("2 of 6 files are safe to erase; not: symlink 3, notRegular 1."))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func whatCannotBeReadIsANo() async throws {
        try await withCard { folder, daemon, card in
            chmod(folder.path("card/a.jpg"), 0)
            chmod(folder.path("card/DCIM"), 0)
            defer { chmod(folder.path("card/DCIM"), 0o700) }
            let ran = try await albumctl("safe", card, socket: daemon.socketPath)
            #expect(ran.code == 1)
            #expect(ran.out.contains("0 of 2 files are safe to erase; not: unreadable 2."))
        }
    }

    @Test func withoutADaemonNothingIsReadAndNothingIsSafe() async throws {
        try await withCard { _, _, card in
            let ran = try await albumctl("safe", card)
            #expect(ran.code == 69)
            #expect(!ran.out.contains("safe"))
        }
    }

    @Test func aDaemonThatAnswersForOtherFilesIsNotBelieved() async throws {
        let wrong = ContentHash(bytes: [UInt8](repeating: 9, count: 32))
        for answer in [
            Self.answering { $0.sha256 = wrong }, Self.answering { $0.sha256 = nil },
            { asked in
                asked.operation == .status ? .json(Sample.status()) : .json(PageOf<SafetyRow>(rows: [], next: nil))
            },
        ] as [FakeDaemon.Answer] {
            try await withCard(answer) { _, daemon, card in
                let ran = try await albumctl("safe", card, socket: daemon.socketPath)
                #expect(ran.code == 1)
                #expect(!ran.out.contains("safe to erase"))
            }
        }
    }

    @Test func aFileThatChangesWhileTheDaemonThinksIsANo() async throws {
        let path = Mutex("")
        let answer: FakeDaemon.Answer = { asked in
            if asked.operation != .status { try? Self.program.append(path.withLock { $0 }, "!") }
            return await Self.answering()(asked)
        }
        try await withCard(answer) { folder, daemon, card in
            path.withLock { $0 = folder.path("card/a.jpg") }
            let ran = try await albumctl("safe", card, socket: daemon.socketPath)
            #expect(ran.code == 1)
            #expect(ran.out.contains("1 of 2 files are safe to erase; not: changed 1."))
        }
    }

    @Test func releaseIsAnotherQuestion() async throws {
        try await withCard { _, daemon, card in
            let ran = try await albumctl("safe", "--release", card, "--all", socket: daemon.socketPath)
            #expect(ran.code == 0)
            #expect(ran.lines.first?.hasPrefix("safe") == true)
            #expect(daemon.asked.map(\.operation) == [.status, .releaseSources])
        }
    }

    @Test func albumdsOwnMarkerIsNoFileOfTheCard() async throws {
        try await withCard { folder, daemon, card in
            try Self.program.write(folder.path("card/.albumd-folder"), "{}")
            let ran = try await albumctl("safe", card, socket: daemon.socketPath)
            #expect(ran.out == "2 of 2 files are safe to erase.\n")
        }
    }

    @Test func manyFilesAreAskedForInBatches() async throws {
        try await withCard { folder, daemon, card in
            for number in 0..<250 { try Self.program.write(folder.path("card/DCIM/\(number).jpg"), "\(number)") }
            let ran = try await albumctl("safe", card, "--json", socket: daemon.socketPath)
            #expect(ran.code == 0)
            #expect(ran.lines.count == 253)
            #expect(daemon.asked.count == 4)
        }
    }

    @Test func inJSONEveryFileIsARowAndTheEndSaysWhetherAllAreSafe() async throws {
        try await withCard(Self.answering { $0.refuse(.unknown, "no") }) { _, daemon, card in
            let ran = try await albumctl("safe", card, "--json", socket: daemon.socketPath)
            #expect(ran.code == 1)
            let row = try JSON.decode(SafetyRow.self, from: Array(ran.lines[0].utf8))
            #expect(row.reason == .unknown && row.path == card + "/DCIM/b.jpg")
            #expect(ran.lines.last?.contains(#""isSafe":false"#) == true)
        }
    }
}
