import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct SaveTests {
    private static let bytes = Array("a photo".utf8)

    /// A library at `library` that says it holds `hash`, after `saved` was called.
    private static func answer(
        _ hash: ContentHash?, library: String, saved: @escaping @Sendable () -> Void = {},
        judge: @escaping @Sendable (inout SafetyRow) -> Void
    ) -> FakeDaemon.Answer {
        { asked in
            switch asked.operation {
            case .saveAsset:
                saved()
                return hash.map { .json(Sample.saved($0)) } ?? Problem.notFound("album", fix: "f").response
            case .checkSafety: return safety(asked, judge)
            default: return .json(Sample.status(library: library))
            }
        }
    }

    private static func safety(_ asked: FakeDaemon.Asked, _ judge: (inout SafetyRow) -> Void) -> Response {
        guard let request = try? JSON.decode(SafetyRequest.self, from: asked.request.body) else {
            return Problem.badRequest("no safety request").response
        }
        let rows = request.files.map { question in
            var row = SafetyRow(path: question.path.map { PathBytes($0) })
            (row.sha256, row.byteCount, row.isSafe) = (question.sha256, question.byteCount, true)
            judge(&row)
            return row
        }
        return .json(PageOf(rows: rows, next: nil))
    }

    private static func hash(of bytes: [UInt8]) -> ContentHash? {
        var hasher = ContentHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return ContentHash(bytes: hasher.finish())
    }

    /// Saves a file of its own with `--source`, while `saved` happens before the answer; whether the file is left.
    private func save(
        _ wish: String, hash: ContentHash? = hash(of: bytes), uploaded: @escaping @Sendable (String) -> Void = { _ in },
        saved: @escaping @Sendable (String) -> Void = { _ in }, library: (ScratchFolder) throws -> Void = makeLibrary,
        judge: @escaping @Sendable (inout SafetyRow) -> Void = { _ in }
    ) async throws -> (ran: Ran, isLeft: Bool) {
        try await withScratchFolder { folder in
            let path = folder.path("a.jpg")
            try PosixProgram().write(path, Self.bytes)
            try library(folder)
            var result: (Ran, Bool)?
            let answer = Self.answer(hash, library: folder.path("library"), saved: { saved(path) }, judge: judge)
            try await FakeDaemon.with(in: folder, uploaded: { uploaded(path) }, answer: answer) { daemon in
                let ran = try await albumctl(
                    "save", path, "--source", wish, "--json", socket: daemon.socketPath,
                    variables: ["XDG_DATA_HOME": folder.path("data")])
                result = (ran, access(path, F_OK) == 0)
            }
            return try #require(result)
        }
    }

    private static func makeLibrary(_ folder: ScratchFolder) throws {
        for name in ["library", "library/originals", "library/originals/" + prefix] {
            try PosixProgram().makeDirectory(folder.path(name))
        }
    }

    private static var prefix: String { String(hash(of: bytes)?.hexadecimal.prefix(2) ?? "") }

    @Test(arguments: [("keep", true), ("delete", false), ("trash", false)])
    func aSafeFileGoesWhereItIsWanted(wish: String, stays: Bool) async throws {
        let (ran, isLeft) = try await save(wish)
        #expect(ran.code == 0, "\(ran.error)")
        #expect(isLeft == stays)
        let row = try #require(try ran.json([Row].self).first)
        #expect(row.localIdentifier == "\(Sample.identifier)")
        #expect(row.source == ["keep": "kept", "delete": "deleted", "trash": "trashed"][wish])
    }

    /// albumctl was killed when the file had its other name already.
    @Test(arguments: [("delete", false), ("trash", false)])
    func aFileThatACutOffRemovalLeftGoesByItsOwnName(wish: String, stays: Bool) async throws {
        let (ran, isLeft) = try await save(
            wish,
            library: { folder in
                try Self.makeLibrary(folder)
                try PosixProgram().rename(folder.path("a.jpg"), to: folder.path(".albumd-gone-a.jpg.part"))
            })
        #expect(ran.code == 0, "\(ran.error)")
        #expect(isLeft == stays)
    }

    @Test(arguments: ["delete", "trash"])
    func aFileThatChangedAfterItWasReadStays(wish: String) async throws {
        let (ran, isLeft) = try await save(wish, saved: { try? PosixProgram().append(Array($0.utf8), [1]) })
        #expect(ran.code == 1)
        #expect(isLeft)
        #expect(ran.error.contains("it is saved, but the file stays"))
        #expect(try ran.json([Row].self).first?.source == "kept")
        #expect(try ran.json([Row].self).first?.localIdentifier == "\(Sample.identifier)")
    }

    @Test func aFileThatWasReplacedStays() async throws {
        let (ran, isLeft) = try await save(
            "delete",
            saved: { path in
                try? PosixProgram().rename(path, to: path + ".old")
                try? PosixProgram().write(path, Self.bytes)
            })
        #expect(ran.code == 1)
        #expect(isLeft)
    }

    @Test func aFileThatSomebodyWritesToStays() async throws {
        let writer = SharedDescriptor()
        let (ran, isLeft) = try await save("delete", saved: { writer.open($0) })
        #expect(ran.error.contains("somebody is writing to it"))
        #expect(isLeft)
    }

    @Test func aFileWhoseBytesTheLibraryDoesNotSayItHasStays() async throws {
        let (ran, isLeft) = try await save("delete", hash: Self.hash(of: [1, 2, 3]))
        #expect(ran.code == 1)
        #expect(isLeft)
    }

    @Test(arguments: ["delete", "trash"])
    func aFileWhosePhotoIsNotSafeStays(wish: String) async throws {
        let (ran, isLeft) = try await save(wish, judge: { $0.refuse(.trashed, "its photo is in Recently Deleted") })
        #expect(ran.code == 1)
        #expect(isLeft)
        #expect(ran.error.contains("the file stays: its photo is in Recently Deleted"), "\(ran.error)")
        #expect(try ran.json([Row].self).first?.source == "kept")
    }

    @Test func anAnswerAboutOtherBytesLeavesTheFile() async throws {
        let (ran, isLeft) = try await save("delete", judge: { $0.sha256 = Self.hash(of: [1, 2, 3]) })
        #expect(ran.code == 1)
        #expect(isLeft)
    }

    @Test func theLibrarysOwnFileStays() async throws {
        let (ran, isLeft) = try await save(
            "delete",
            library: { folder in
                try Self.makeLibrary(folder)
                let name = Self.hash(of: Self.bytes).map { "\($0.hexadecimal).jpg" } ?? ""
                let original = folder.path("library/originals/\(Self.prefix)/\(name)")
                try PosixProgram().makeHardLink(original, of: folder.path("a.jpg"))
            })
        #expect(ran.error.contains("the library's own file"))
        #expect(isLeft)
    }

    @Test func withoutASightOfTheLibraryTheFileStays() async throws {
        let (ran, isLeft) = try await save("delete", library: { _ in })
        #expect(ran.code == 1)
        #expect(isLeft)
    }

    @Test func aRefusedSaveLeavesTheFile() async throws {
        let (ran, isLeft) = try await save("delete", hash: nil)
        #expect(ran.code == 4)
        #expect(isLeft)
    }

    @Test func aFileThatChangesWhileItIsReadIsNotSaved() async throws {
        let (ran, isLeft) = try await save("keep", uploaded: { try? PosixProgram().append(Array($0.utf8), [1]) })
        #expect(ran.code == 1)
        #expect(isLeft)
        #expect(ran.error.contains("changed while it was read"))
        #expect(try ran.json([Row].self).first?.localIdentifier == nil)
    }

    private struct Row: Decodable {
        var localIdentifier: String?
        var source: String?
    }
}

/// A writer that lives as long as the test.
private final class SharedDescriptor: Sendable {
    private let descriptors = Monitor<[Int32]>([])

    func open(_ path: String) {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        descriptors.update { $0.append(descriptor) }
    }

    deinit {
        for descriptor in descriptors.update({ $0 }) { close(descriptor) }
    }
}
