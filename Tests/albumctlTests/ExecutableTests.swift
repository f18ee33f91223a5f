import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

/// The program itself, as a shell would start it.
@Suite(.enabled(if: access(executable, X_OK) == 0, "albumctl stands beside the tests"))
struct ExecutableTests {
    private func run(_ arguments: [[UInt8]]) async throws -> (status: Int32, output: String) {
        try await onThread {
            let ended = try runProgram(Array(executable.utf8), arguments)
            return (ended.status, String(decoding: ended.output, as: UTF8.self))
        }
    }

    private func run(shell line: String) async throws -> (status: Int32, output: String) {
        try await onThread {
            let ended = try runProgram(Array("/bin/sh".utf8), [Array("-c".utf8), Array(line.utf8)])
            return (ended.status, String(decoding: ended.output, as: UTF8.self))
        }
    }

    @Test func anArgumentThatIsNotTextReachesTheDaemonAsItIs() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { _ in .json(WhyReport(summary: "well")) }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let path = [Array("--socket".utf8), Array(daemon.socketPath.utf8), Array("why".utf8)]
                let ran = try await run(path + [Array("/J".utf8) + [0xF1] + Array(".jpg".utf8)])
                #expect(ran.output == "well\n")
                let body = try #require(daemon.asked.first?.request.body)
                let request = try JSON.decode(SubjectRequest.self, from: body)
                #expect(
                    try Name.bytes(request.path, request.pathBase64)?.bytes == [
                        0x2F, 0x4A, 0xF1, 0x2E, 0x6A, 0x70, 0x67,
                    ])
            }
        }
    }

    @Test func aFullDiskIsAFailure() async throws {
        let ran = try await run(shell: "'\(executable)' completion bash > /dev/full")
        #expect(ran.status == 1)
        #expect(ran.output.contains("could not be written"))
    }

    @Test func anInterruptedDownloadLeavesNoFile() async throws {
        try await withScratchFolder { folder in
            let hash = ContentHash(bytes: [UInt8](repeating: 1, count: 32))
            let answer: FakeDaemon.Answer = { asked in
                guard asked.operation == .getOriginal else { return .json(Sample.asset(hash: hash)) }
                kill(asked.request.peer.pid, SIGINT)
                return Response(status: 200, contentType: "image/jpeg", body: .stream(AsyncStream { _ in }))
            }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let arguments = [
                    "--socket", daemon.socketPath, "original", "\(Sample.identifier)", "-o", folder.path("x"),
                ]
                let ran = try await run(arguments.map { Array($0.utf8) })
                #expect(ran.status == 1)
                let left = try machine.files.list(machine.files.openDirectory(folder.bytes)).map(\.name)
                #expect(left.allSatisfy { $0.first == UInt8(ascii: "s") })
            }
        }
    }

    @Test func theConfigurationIsCheckedByTheProgramBesideIt() async throws {
        try await withScratchFolder { folder in
            let copy = folder.path("albumctl")
            try PosixProgram().makeSymlink(folder.path("unused"), to: executable)
            try PosixProgram().write(copy, try PosixProgram().read(executable))
            try PosixProgram().write(folder.path("albumd"), "#!/bin/sh\necho \"$@\"\nexit 78\n")
            #expect(chmod(copy, 0o700) == 0 && chmod(folder.path("albumd"), 0o700) == 0)
            let ran = try await run(shell: "'\(copy)' config check --config 'a b'")
            #expect(ran.status == 78)
            #expect(ran.output == "--check-config --config a b\n")
            let json = try await run(shell: "'\(copy)' config check --json 2>/dev/null")
            #expect(json.status == 78)
            #expect(json.output.contains("--check-config"))
        }
    }
}

/// SwiftPM builds programs where it builds their tests.
private let executable: String = {
    let tests = Host.live().executable
    return String(decoding: tests.prefix(through: tests.lastIndex(of: UInt8(ascii: "/")) ?? 0), as: UTF8.self)
        + "albumctl"
}()
