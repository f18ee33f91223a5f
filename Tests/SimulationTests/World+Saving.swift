import Control
import EngineSupport
import Media
import PhotoModel
import PhotoStore
import Platform
import TestSupport

@testable import Daemon

/// Bytes that a person saves by command, under an identifier of their own.
extension World {
    /// As the daemon does it; the answer is held to what it says.
    func save(content number: Int, external: Int?) throws {
        guard !isDown else { return }
        let bytes = bytes(number)
        guard let hash = SampleMedia.hash(bytes) else { return }
        closed.insert(hash)
        let content = Content(
            hash: hash, byteCount: Int64(bytes.count), contentType: MediaKind.jpeg.mimeType,
            fileExtension: MediaKind.jpeg.preferredExtension)
        var request = SaveRequest(upload: bench.machine.makeUUID())
        request.externalIdentifier = external.map { "phone:\($0)" }
        var result: SaveResult?
        let isDone = try engineRuns { try asked { result = try save(bytes, content, request) } }
        guard isDone else { return }
        guard let result else { return try checkRefused(request, content) }
        try checkSaved(result, content, request)
    }

    private func save(_ bytes: [UInt8], _ content: Content, _ request: SaveRequest) throws -> SaveResult {
        let (library, machine) = (try library(), bench.machine)
        let plan = SavePlan(
            request: request, content: content, kind: .jpeg, filename: PathBytes("saved.jpg"),
            fresh: LocalIdentifier(machine.makeUUID()), freshAlbum: LocalIdentifier(machine.makeUUID()))
        let originals = library.directory.originals
        if let answer = try plan.answerWithoutStoring(in: bench.catalogue()), try originals.isSound(content) {
            return answer
        }
        let staged = try originals.stage()
        defer { staged.discard() }
        try writeBytes(staged.file, bytes, files: machine.files, at: 0)
        try machine.reach(.uploadStaged)
        let committed = try library.onThread { library in
            try library.publish([StagedContent(content: content, staged: staged)], origin: "person") {
                try plan.perform(in: &$0)
            }
        }
        guard try originals.isSound(content) else { throw LibraryError.torn(content.hash) }
        return committed.value
    }

    /// An answer says where the bytes are: there, sound, in a live asset, which the caller's own identifier names.
    private func checkSaved(_ result: SaveResult, _ content: Content, _ request: SaveRequest) throws {
        let asset = try bench.catalogue().asset(result.localIdentifier)
        guard asset?.state == .live, asset?.contents.contains(where: { $0.hash == content.hash }) == true,
            stored(content) == .sound
        else {
            throw Violation(rule: "I2", "\(content.hash.hexadecimal) is saved as \(result.localIdentifier), and is not")
        }
        guard let external = request.externalIdentifier else { return }
        guard try bench.catalogue().externalMapping(external) == result.localIdentifier else {
            throw Violation(rule: "I2", "'\(external)' was told to be \(result.localIdentifier), and is not")
        }
    }

    /// What is in the way of a save is that the identifier is another's; or the disk, and then the trace says so.
    private func checkRefused(_ request: SaveRequest, _ content: Content) throws {
        guard (refusal as? Problem)?.type == "albumd:externalIdentifierInUse" else { return }
        let bound = try request.externalIdentifier.flatMap { try bench.catalogue().externalMapping($0) }
        let asset = try bound.flatMap { try bench.catalogue().asset($0) }
        guard asset?.state == .live, asset?.contents.contains(where: { $0.hash == content.hash }) == false else {
            throw Violation(rule: "I2", "a save was refused for an identifier that is not another's")
        }
    }

    /// What a handler answers where it cannot: the daemon goes on.
    func asked(_ body: () throws -> Void) throws {
        refusal = nil
        do {
            try body()
        } catch let error where bench.crashes.happened == nil && isAnswered(error) {
            trace.note("  refused: \(error)")
            refusal = error
        }
    }

    private func isAnswered(_ error: any Error) -> Bool {
        error is Problem || error is FileError || error is LibraryError || PhotoLibrary.refusal(error) != nil
    }
}
