import Control
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct OriginalTests {
    private static let bytes = Array("the bytes of a photo".utf8)

    private static func answer(_ sent: [UInt8] = bytes) -> FakeDaemon.Answer {
        { asked in
            guard asked.operation == .getOriginal else {
                var hasher = ContentHasher()
                bytes.withUnsafeBytes { hasher.update($0) }
                let hash = ContentHash(bytes: hasher.finish())
                return .json(Sample.asset(hash: hash, byteCount: Int64(bytes.count)))
            }
            return Response(status: 200, contentType: "image/jpeg", body: .bytes(sent))
        }
    }

    private func get(
        _ arguments: String..., answer: @escaping FakeDaemon.Answer = answer(), in folder: ScratchFolder
    ) async throws -> Ran { try await get(arguments, answer: answer, in: folder) }

    private func get(
        _ arguments: [String], answer: @escaping FakeDaemon.Answer, in folder: ScratchFolder
    ) async throws -> Ran {
        var ran: Ran?
        try await FakeDaemon.with(in: folder, answer: answer) { daemon in
            let all = ["original", "\(Sample.identifier)"] + arguments
            ran = try await albumctl(
                all.map { Array($0.utf8) }, socket: daemon.socketPath, variables: ["TMPDIR": folder.path],
                isTerminal: false)
        }
        return try #require(ran)
    }

    private func names(in folder: ScratchFolder) throws -> [String] {
        let directory = try machine.files.openDirectory(folder.bytes)
        return try machine.files.list(directory).map { String(decoding: $0.name, as: UTF8.self) }
            .filter { !$0.hasPrefix("s") }.sorted()
    }

    @Test func theBytesGetTheirNameWhenTheyAreWhole() async throws {
        try await withScratchFolder { folder in
            let ran = try await get("-o", folder.path("out.jpg"), in: folder)
            #expect(ran.code == 0, "\(ran.error)")
            #expect(try PosixProgram().read(folder.path("out.jpg")) == Self.bytes)
            #expect(try names(in: folder) == ["out.jpg"])
        }
    }

    @Test func aFileThatIsThereIsNotOverwritten() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("out.jpg"), "precious")
            let ran = try await get("-o", folder.path("out.jpg"), in: folder)
            #expect(ran.code == 1)
            #expect(ran.error.contains("is there already"))
            #expect(try PosixProgram().read(folder.path("out.jpg")) == Array("precious".utf8))
            #expect(try await get("-o", folder.path("out.jpg"), "--force", in: folder).code == 0)
            #expect(try PosixProgram().read(folder.path("out.jpg")) == Self.bytes)
            #expect(try names(in: folder) == ["out.jpg"])
        }
    }

    @Test func aDeviceIsWrittenTo() async throws {
        try await withScratchFolder { folder in
            let ran = try await get("-o", "/dev/null", in: folder)
            #expect(ran.code == 0 && ran.out == "20 bytes to /dev/null\n", "\(ran.error)")
            try PosixProgram().makeSymlink(folder.path("link"), to: "/dev/null")
            #expect(try await get("-o", folder.path("link"), in: folder).code == 0)
        }
    }

    /// A device of the test's own, for the system's would be lost where this fails.
    @Test(.enabled(if: geteuid() == 0, "needs root")) func aDeviceIsNeverReplaced() async throws {
        try await withScratchFolder { folder in
            let null = folder.path("null")
            try #require(mknod(null, S_IFCHR | 0o666, dev_t(1 << 8 | 3)) == 0)
            #expect(try await get("-o", null, "--force", in: folder).code == 0)
            var status = stat()
            let isThere = stat(null, &status) == 0
            #expect(isThere && status.st_mode & S_IFMT == S_IFCHR)
        }
    }

    @Test func aPipeGetsTheBytesWhenTheyAreProven() async throws {
        try await withScratchFolder { folder in
            let pipe = folder.path("pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            // Both ends, so that no open waits.
            let reader = open(pipe, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            defer { close(reader) }
            let bad = try await get("-o", pipe, answer: Self.answer([1, 2]), in: folder)
            let good = try await get("-o", pipe, in: folder)
            #expect(bad.code == 1 && good.code == 0, "\(good.error)")
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = read(reader, &buffer, 100)
            #expect(Array(buffer.prefix(max(0, count))) == Self.bytes)
        }
    }

    @Test func whatIsNoFileIsNotReplaced() async throws {
        try await withScratchFolder { folder in
            // The daemon's own socket.
            let ran = try await get("-o", folder.path("s"), "--force", in: folder)
            #expect(ran.code == 1 && ran.error.contains("is no file, and is not replaced"), "\(ran.error)")
        }
    }

    @Test func aFileThatAppearsMeanwhileIsNotOverwritten() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { asked in
                if asked.operation == .getOriginal { try? PosixProgram().write(folder.path("out.jpg"), "precious") }
                return await Self.answer()(asked)
            }
            let ran = try await get("-o", folder.path("out.jpg"), answer: answer, in: folder)
            #expect(ran.code == 1)
            #expect(try PosixProgram().read(folder.path("out.jpg")) == Array("precious".utf8))
            #expect(try names(in: folder) == ["out.jpg"])
        }
    }

    /// What stands in for a rename that never replaces, where a file system has none.
    @Test func aLinkDoesNotReplaceEither() throws {
        try withScratchFolder { folder in
            let directory = try machine.files.openDirectory(folder.bytes)
            let (old, new) = (Array("old".utf8), Array("new".utf8))
            try PosixProgram().write(folder.path("old"), "whole")
            try linkAndRemove(old, new, in: directory, files: machine.files)
            #expect(try names(in: folder) == ["new"])
            try PosixProgram().write(folder.path("old"), "other")
            let error = #expect(throws: FileError.self) {
                try linkAndRemove(old, new, in: directory, files: machine.files)
            }
            #expect(error?.code == EEXIST)
            #expect(try PosixProgram().read(folder.path("new")) == Array("whole".utf8))
        }
    }

    @Test(arguments: [Array("the bytes of a phot!".utf8), Array("short".utf8), []])
    func wrongBytesLeaveNoFile(sent: [UInt8]) async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("out.jpg"), "precious")
            let ran = try await get("-o", folder.path("out.jpg"), "--force", answer: Self.answer(sent), in: folder)
            #expect(ran.code == 1)
            #expect(ran.error.contains("hash differs"))
            #expect(try PosixProgram().read(folder.path("out.jpg")) == Array("precious".utf8))
            #expect(try names(in: folder) == ["out.jpg"])
        }
    }

    @Test func wrongBytesDoNotReachStandardOutput() async throws {
        try await withScratchFolder { folder in
            let ran = try await get("-o", "-", answer: Self.answer([1, 2]), in: folder)
            #expect(ran.code == 1)
            #expect(ran.out.isEmpty)
            #expect(try await get("-o", "-", in: folder).out == String(decoding: Self.bytes, as: UTF8.self))
            #expect(try names(in: folder) == [])
        }
    }

    @Test func aRefusalLeavesNoFile() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { asked in
                asked.operation == .getOriginal
                    ? Problem.notFound("gone", fix: "f").response : await Self.answer()(asked)
            }
            let ran = try await get("-o", folder.path("out.jpg"), answer: answer, in: folder)
            #expect(ran.code == 4)
            #expect(try names(in: folder) == [])
        }
    }

    /// Answers of a daemon whose original is in the cloud: `fetch` is what `POST /v1/cloud/fetch` gives.
    private static func inCloud(_ fetch: Response) -> FakeDaemon.Answer {
        { asked in
            if asked.operation == .fetchAssets { return fetch }
            if asked.operation == .getOriginal, asked.request.query["allowNetwork"] != "true" {
                return Problem(
                    "networkAccessRequired", title: "", status: 409, detail: "in the cloud", code: 3164,
                    fix: "--allow-network", exitCode: 5
                ).response
            }
            guard asked.operation == .getAsset else { return await answer()(asked) }
            return .json(Sample.asset(hash: Self.hash, byteCount: Int64(bytes.count), residency: .inCloud))
        }
    }

    private static var hash: ContentHash? {
        var hasher = ContentHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return ContentHash(bytes: hasher.finish())
    }

    private static func fetched(_ outcome: CloudRow.Outcome, detail: String? = nil) throws -> Response {
        var row = CloudRow(sha256: hash, byteCount: Int64(bytes.count))
        row.receivedByteCount = 7
        let moving = row
        (row.outcome, row.detail, row.fix) = (outcome, detail, detail.map { _ in "albumctl cloud status" })
        return .lines([JSON.line(moving), JSON.line(row), JSON.line(CloudLine.end([outcome.rawValue: 1]))])
    }

    @Test func withoutLeaveNothingIsFetched() async throws {
        try await withScratchFolder { folder in
            let ran = try await get(
                "-o", folder.path("out.jpg"), answer: Self.inCloud(.json([""])), in: folder)
            #expect(ran.code == 5)
            #expect(ran.error.contains("in the cloud\n    albumctl original "))
            #expect(try names(in: folder) == [])
        }
    }

    /// What is pasted asks for the same bytes, and puts them in the same place.
    @Test(arguments: [[], ["--json"]]) func theAdviceKeepsWhatWasAskedFor(json: [String]) async throws {
        try await withScratchFolder { folder in
            let options = ["--version", "original", "--force", "-o", folder.path("my photo.jpg")] + json
            let ran = try await get(options, answer: Self.inCloud(.json([""])), in: folder)
            let advice = "-o '\(folder.path("my photo.jpg"))' --version original --force --allow-network"
            #expect(ran.code == 5 && ran.error.contains(advice), "\(ran.error)")
            #expect(ran.error.contains("--json") == !json.isEmpty)
            #expect(json.isEmpty || ran.out.contains("--version original --force --allow-network"), "\(ran.out)")
        }
    }

    @Test func withLeaveItIsFetchedFirst() async throws {
        try await withScratchFolder { folder in
            for outcome in [CloudRow.Outcome.fetched, .unchanged] {
                let ran = try await get(
                    "--allow-network", "--force", "-o", folder.path("out.jpg"),
                    answer: Self.inCloud(try Self.fetched(outcome)), in: folder)
                #expect(ran.code == 0, "\(ran.error)")
                #expect(try PosixProgram().read(folder.path("out.jpg")) == Self.bytes)
            }
        }
    }

    @Test func aFetchThatFailedLeavesNoFile() async throws {
        try await withScratchFolder { folder in
            let ran = try await get(
                "--allow-network", "-o", folder.path("out.jpg"),
                answer: Self.inCloud(try Self.fetched(.failed, detail: "the store is offline")), in: folder)
            #expect(ran.code == 1)
            #expect(ran.error.contains("could not be fetched: the store is offline\n    albumctl cloud status"))
            #expect(try names(in: folder) == [])
        }
    }

    @Test func oneWhoMayOnlyReadGetsItUntold() async throws {
        try await withScratchFolder { folder in
            let refusal = Problem.refused("uid 1 may not change this library", fix: "sudo")
            let ran = try await get(
                "--allow-network", "-o", "-", answer: Self.inCloud(refusal.response), in: folder)
            #expect(ran.code == 0, "\(ran.error)")
            #expect(ran.out == String(decoding: Self.bytes, as: UTF8.self))
        }
    }

    @Test func aDirectoryIsNoFile() async throws {
        try await withScratchFolder { folder in
            let ran = try await get("-o", folder.path, "--force", in: folder)
            #expect(ran.error.contains("is a directory"))
            #expect(try await get(in: folder).code == 2)
            #expect(try await get("-o", "-", "--json", in: folder).code == 2)
        }
    }
}
