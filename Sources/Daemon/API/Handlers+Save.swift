import Control
import FoundationEssentials
import Media
import PhotoModel
import PhotoStore
import Platform

/// Saving uploaded bytes: the same publish and the same one change as an import.
extension LibraryService {
    func save(_ request: SaveRequest, wait: Bool, by peer: Peer) async throws -> Response {
        let filename = try Name.bytes(request.filename, request.filenameBase64)
        if let filename, let fault = fault(ofFilename: filename) {
            throw Problem.badFilename(printable(filename.bytes), fault)
        }
        try request.checkAlbum()
        guard let upload = uploads.take(request.upload) else {
            throw Problem.notFound("no upload \(request.upload) waits", fix: "upload the file again")
        }
        if wait {
            defer { upload.staged.discard() }
            return json(try await save(upload, request, by: peer))
        }
        let origin = origin(peer)
        pool.add {
            defer { upload.staged.discard() }
            do {
                _ = try saveNow(upload, request, origin: origin)
            } catch {
                machine.log(.error, "a save that nobody waits for failed: \(problem(error).detail)")
            }
        }
        return json(
            UploadReceipt(upload: request.upload, sha256: upload.hash, byteCount: upload.byteCount), status: 202)
    }

    private func save(_ upload: Uploads.Upload, _ request: SaveRequest, by peer: Peer) async throws -> SaveResult {
        let origin = origin(peer)
        return try await pool.run { try saveNow(upload, request, origin: origin) }
    }

    /// What is neither a photo nor a video is refused, or with `takesAnything` of an unknown media type.
    ///
    /// Blocks: on a thread of the pool.
    func saveNow(
        _ upload: Uploads.Upload, _ request: SaveRequest, origin: String, takesAnything: Bool = false
    ) throws -> SaveResult {
        let (kind, content) = try describe(upload, name: request.filename ?? "", takesAnything)
        let plan = SavePlan(
            request: request, content: content, kind: kind,
            filename: try Name.bytes(request.filename, request.filenameBase64),
            fresh: LocalIdentifier(machine.makeUUID()), freshAlbum: LocalIdentifier(machine.makeUUID()))
        // What would be refused is refused before anything is stored (A42).
        if let answer = try readers.readNow({ try plan.answerWithoutStoring(in: $0) }),
            try library.directory.originals.isSound(content)
        {
            return answer
        }
        try machine.reach(.uploadStaged)
        let staged = StagedContent(content: content, staged: upload.staged)
        let committed = try library.onThread { library in
            try library.publish([staged], origin: origin) { try plan.perform(in: &$0) }
        }
        guard try library.directory.originals.isSound(content) else { throw LibraryError.torn(content.hash) }
        var result = committed.value
        result.token = committed.token
        return result
    }

    /// Bytes that a photo has, or had, are what they were taken for: a sidecar's, too, come back so.
    private func describe(
        _ upload: Uploads.Upload, name: String, _ takesAnything: Bool
    ) throws -> (MediaKind, Content) {
        let known = try readers.readNow { catalogue in
            try catalogue.assetHaving(upload.hash).flatMap { _ in try catalogue.version(of: upload.hash)?.content }
        }
        if let known { return (MediaKind(of: known) ?? .unknown, known) }
        let kind = try recognise(upload, name: name, takesAnything)
        return (
            kind,
            Content(
                hash: upload.hash, byteCount: upload.byteCount, contentType: kind.mimeType,
                fileExtension: kind.preferredExtension)
        )
    }

    private func recognise(_ upload: Uploads.Upload, name: String, _ takesAnything: Bool) throws -> MediaKind {
        let ends = try FileEnds(byteCount: upload.byteCount) { offset, count throws(FileError) in
            try readBytes(upload.staged.file, files: machine.files, at: offset, count: count)
        }
        switch recogniser.recognise(ends, name: PathBytes(name).name.bytes) {
        case .media(let kind), .unknownMedia(let kind): return kind
        case .notMedia where takesAnything: return .unknown
        case .notMedia(let finding):
            throw Problem(
                "notMedia", title: "It is neither a photo nor a video", status: 415, detail: "the bytes are \(finding)",
                code: 3302, fix: "save photos and videos only", exitCode: 5)
        }
    }
}

/// What a save comes to, decided from the catalogue.
struct SavePlan: Sendable {
    let request: SaveRequest
    let content: Content
    let kind: MediaKind
    let filename: PathBytes?
    let fresh: LocalIdentifier
    let freshAlbum: LocalIdentifier

    /// A live external identifier stores nothing: the same bytes are a duplicate, others an error (A57-A61).
    func answerWithoutStoring(in catalogue: Catalogue) throws -> SaveResult? {
        if let album = request.album { _ = try resolve(album, in: catalogue) }
        guard let external = request.externalIdentifier else { return nil }
        guard !external.isEmpty, external.utf8.count <= 1024 else {
            throw Problem.badRequest("externalIdentifier has 1 to 1,024 bytes")
        }
        guard let bound = try catalogue.externalMapping(external), let asset = try catalogue.asset(bound),
            asset.state == .live
        else { return nil }
        guard asset.resources.contains(where: { $0.versions.contains { $0.content.hash == content.hash } }) else {
            throw Problem.conflict(
                "externalIdentifierInUse", "'\(external)' is bound to \(bound), which has other bytes",
                fix: "choose another external identifier, or see albumctl asset get \(bound.uuid)")
        }
        return try result(bound, .duplicate, .sameContent, album: nil, in: catalogue)
    }

    func perform(in change: inout Change) throws -> SaveResult {
        if let answer = try answerWithoutStoring(in: change.catalogue) { return answer }
        let owner = try change.catalogue.assetHaving(content.hash).flatMap { try change.catalogue.asset($0) }
        let identifier = owner?.localIdentifier ?? fresh
        let (outcome, reason) = try take(owner, in: &change)
        let album = try request.album.map { try albumForAsset($0, in: &change) }
        if let album {
            try change.perform(.addAssets(AlbumAddition(album: album, assets: [identifier], addedBy: .person)))
        }
        if let external = request.externalIdentifier {
            let binding = ExternalBinding(externalIdentifier: external, localIdentifier: identifier)
            try change.perform(.bindExternal(binding))
        }
        return try result(identifier, outcome, reason, album: album, in: change.catalogue)
    }

    /// Makes the asset, or takes it back out of Recently Deleted: whoever saves its bytes anew wants it (RULES R36).
    private func take(_ owner: Asset?, in change: inout Change) throws -> (Outcome, Reason) {
        guard let owner else {
            try change.perform(.createAsset(creation(at: change.date)))
            return (.imported, .newContent)
        }
        guard owner.state == .trashed else { return (.duplicate, .sameContent) }
        try change.restore([owner.localIdentifier])
        return (.restored, .returned)
    }

    private func creation(at date: Date) -> AssetCreation {
        AssetCreation(
            localIdentifier: fresh, mediaType: kind.mediaType, creationDate: request.creationDate ?? date,
            creationDateSource: request.creationDate == nil ? .added : .given,
            resourceType: kind.mediaType == .video ? .video : .photo,
            originalFilename: filename ?? PathBytes("\(content.hash.hexadecimal).\(content.fileExtension)"),
            content: content)
    }

    /// The album that is named; nil where it has yet to be made.
    private func resolve(_ album: String, in catalogue: Catalogue) throws -> LocalIdentifier? {
        if let identifier = LocalIdentifier(album) {
            guard try catalogue.hasAlbum(identifier) else { throw LibraryError.noSuchAlbum(identifier) }
            return identifier
        }
        let titled = try catalogue.identifiersOfAlbums(titled: PathBytes(album))
        guard titled.count < 2 else { throw LibraryService.ambiguous(titled.count) }
        return titled.first
    }

    private func albumForAsset(_ album: String, in change: inout Change) throws -> LocalIdentifier {
        if let known = try resolve(album, in: change.catalogue) { return known }
        return try LibraryService.album(titled: PathBytes(album), fresh: freshAlbum, in: &change)
    }

    private func result(
        _ identifier: LocalIdentifier, _ outcome: Outcome, _ reason: Reason, album: LocalIdentifier?,
        in catalogue: Catalogue
    ) throws -> SaveResult {
        let name = try catalogue.asset(identifier)?.resources.first?.originalFilename ?? PathBytes([])
        return SaveResult(
            localIdentifier: identifier, outcome: outcome, reason: reason, sha256: content.hash,
            originalFilename: name, album: album,
            externalIdentifier: request.externalIdentifier, token: nil, context: request.context)
    }
}
