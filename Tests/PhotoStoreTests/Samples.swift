import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import Testing

/// Values that tests make, each made from a number or a name.
enum Sample {
    static func uuid(_ number: UInt8) -> UUID {
        UUID(uuid: (0xA5, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    static func identifier(_ number: UInt8) -> LocalIdentifier { LocalIdentifier(uuid(number)) }

    static let folder = uuid(0xF0)
    static let otherFolder = uuid(0xF1)

    static func registration(_ folder: UUID = folder, path: String = "/srv/inbox") -> ChangeRequest {
        .registerFolder(
            FolderRegistration(
                folder: folder, path: PathBytes(path), fileSystem: Array("uuid:1".utf8), rootInode: .max,
                isMarked: true))
    }

    static func album(_ number: UInt8, _ title: String = "Inbox") -> ChangeRequest {
        .createAlbum(AlbumCreation(localIdentifier: identifier(number), title: PathBytes(title)))
    }

    static func content(
        _ text: String, contentType: String = "image/jpeg", fileExtension: String = "jpg"
    ) throws -> Content {
        var hasher = ContentHasher()
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return Content(
            hash: try #require(ContentHash(bytes: hasher.finish())), byteCount: Int64(text.utf8.count),
            contentType: contentType, fileExtension: fileExtension)
    }

    static func asset(_ number: UInt8, _ content: Content, name: String = "IMG_0001.JPG") -> ChangeRequest {
        .createAsset(
            AssetCreation(
                localIdentifier: identifier(number), mediaType: .image,
                creationDate: Date(microseconds: 951_868_799_000_001), creationDateSource: .modified,
                resourceType: .photo, originalFilename: PathBytes(name), content: content))
    }

    /// A screenshot of the first of January 2019, without a zone.
    static func facts(of number: UInt8, _ text: String, width: Int = 2) throws -> ChangeRequest {
        var facts = AssetFacts(playbackStyle: .image)
        facts.pixelWidth = width
        facts.mediaSubtypes = .screenshot
        facts.location = Location(latitude: 48.8583736, longitude: 2.291901)
        facts.captureDate = CaptureDate(
            .local(CivilTime(microseconds: 1_546_300_800_000_000)), source: .dateTimeOriginal)
        return .setFacts(
            FactsChange(
                of: identifier(number), hash: try content(text).hash, facts: facts,
                creationDate: Date(microseconds: 951_868_799_000_001), creationDateSource: .modified))
    }

    static func key(_ path: String) -> SourceKey { SourceKey(folder: folder, path: PathBytes(path)) }

    static func source(_ path: String, _ asset: UInt8?, outcome: Outcome = .imported) -> ChangeRequest {
        let evidence = SourceEvidence(
            fileSystem: Array("uuid:1".utf8), inode: .max - 1, handle: [1, 2, 3], born: -5, modified: 1, changed: 2,
            byteCount: 3, hash: nil)
        return .recordSource(
            Source(
                key: key(path), localIdentifier: asset.map(identifier), outcome: outcome,
                reason: outcome == .imported ? .newContent : .sameContent, detail: "seen", evidence: evidence))
    }

    static func adding(_ assets: UInt8..., to album: UInt8, by: AddedBy) -> ChangeRequest {
        .addAssets(AlbumAddition(album: identifier(album), assets: assets.map(identifier), addedBy: by))
    }

    static func removing(_ assets: UInt8..., from album: UInt8, by: AddedBy) -> ChangeRequest {
        .removeAssets(AlbumRemoval(album: identifier(album), assets: assets.map(identifier), removedBy: by))
    }
}

extension PhotoLibrary {
    /// Runs steps of a test on the library's thread.
    nonisolated func inside(_ body: @Sendable (isolated PhotoLibrary) throws -> Void) throws {
        try onThread { try body($0) }
    }

    /// Bytes in staging, with their hash.
    func stage(_ text: String, fileExtension: String = "jpg") throws -> StagedContent {
        let staged = try directory.originals.stage()
        try writeBytes(staged.file, Array(text.utf8), files: machine.files, at: 0)
        return StagedContent(content: try Sample.content(text, fileExtension: fileExtension), staged: staged)
    }

    /// One asset for each text, numbered from `first`.
    @discardableResult
    func importAssets(_ texts: [String], first: UInt8 = 1) throws -> Committed<Void> {
        let batch = try texts.map { try stage($0) }
        return try publish(batch, origin: "import") { change in
            for (number, item) in zip(first..., batch) {
                try change.perform(Sample.asset(number, item.content))
            }
        }
    }

    /// Performs these requests as one change.
    @discardableResult
    func perform(_ requests: ChangeRequest...) throws -> Int64? {
        try performChanges(origin: "test") { change in
            for request in requests {
                try change.perform(request)
            }
        }.token
    }

    /// Reads what is committed.
    func read<Value: Sendable>(_ body: (Catalogue) throws -> Value) throws -> Value {
        var value: Value?
        _ = try performChanges(origin: "test") { value = try body($0.catalogue) }
        return try #require(value)
    }

    func condition(of text: String) throws -> Condition? {
        let hash = try Sample.content(text).hash
        return try read { try $0.version(of: hash)?.condition }
    }
}
