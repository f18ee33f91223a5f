import FoundationEssentials
import PhotoModel
import Testing

@Suite struct ChangeRequestTests {
    private static let asset = LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    private static let album = LocalIdentifier(UUID(uuid: (0xA, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    private static let folder = UUID(uuid: (0xF, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let bytes = PathBytes([0x4A, 0xF1, 0x2E])

    private static func content() throws -> Content {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 0xAB, count: 32)))
        return Content(hash: hash, byteCount: 5_000_000_000, contentType: "image/jpeg", fileExtension: "jpg")
    }

    /// One request of every kind, and those with everything that may be left out left out.
    private static func samples() throws -> [ChangeRequest] {
        let content = try content()
        let evidence = SourceEvidence(
            fileSystem: [0, 0xFF], inode: .max, handle: [7], born: -1, modified: .max, changed: .min, byteCount: 0,
            hash: content.hash)
        let bare = SourceEvidence(
            fileSystem: nil, inode: 0, handle: nil, born: nil, modified: 0, changed: 0, byteCount: 0, hash: nil)
        let key = SourceKey(folder: folder, path: bytes)
        return [
            .createAsset(
                AssetCreation(
                    localIdentifier: asset, mediaType: .image, creationDate: Date(microseconds: -1),
                    creationDateSource: .modified, resourceType: .photo, originalFilename: bytes, content: content)),
            .addVersion(VersionAddition(localIdentifier: asset, resourceType: .video, content: content)),
            .addVersion(
                VersionAddition(
                    localIdentifier: asset, resourceType: .xmpSidecar, content: content, replacing: content.hash)),
            .addResource(
                ResourceAddition(
                    localIdentifier: asset, resourceType: .pairedVideo, originalFilename: bytes, content: content)),
            .arrangeResources(
                ResourceArrangement(
                    localIdentifier: asset, mediaType: .image,
                    roles: [ResourceRole(hash: content.hash, type: .pairedVideo)])),
            .createAlbum(AlbumCreation(localIdentifier: album, title: PathBytes("Inbox"))),
            .renameAlbum(AlbumRenaming(localIdentifier: album, title: bytes)),
            .addAssets(AlbumAddition(album: album, assets: [asset], addedBy: .folder)),
            .removeAssets(AlbumRemoval(album: album, assets: [], removedBy: .person)),
            .registerFolder(
                FolderRegistration(folder: folder, path: bytes, fileSystem: [1, 2], rootInode: .max, isMarked: true)),
            .registerFolder(
                FolderRegistration(folder: folder, path: bytes, fileSystem: nil, rootInode: 2, isMarked: false)),
            .bindFolderAlbum(
                FolderAlbumBinding(folder: folder, directory: PathBytes(""), title: PathBytes("Inbox"), album: album)),
            .recordSource(
                Source(
                    key: key, localIdentifier: asset, outcome: .imported, reason: .newContent, detail: "x",
                    evidence: evidence, rulesVersion: 3, isRemoved: true)),
            .recordSource(Source(key: key, outcome: .pending, reason: .settling, evidence: bare)),
            .recordSource(Source(key: key, outcome: .skipped, reason: .symlink)),
            .recordSource(
                Source(
                    key: key, localIdentifier: asset, outcome: .imported, reason: .newContent,
                    departure: Departure(date: Date(microseconds: 5), evidence: .unlinkSeen), isReleased: true)),
            .forgetSource(key),
            .trashAssets(AssetTrashing(assets: [asset], reason: .sourceDeleted, folder: folder, runningSeconds: 7)),
            .restoreAssets(AssetRestoring(assets: [asset])),
            .purgeAsset(
                AssetPurge(
                    localIdentifier: asset, contents: [content.hash], originalFilenames: [PathBytes("a")],
                    reason: .expired)),
            .deleteAlbum(AlbumDeletion(localIdentifier: album)),
            .setMembership(
                AlbumMembership(album: album, asset: asset, position: 3, addedBy: .person, isTakenOut: false)),
            .setMembership(
                AlbumMembership(album: album, asset: asset, position: nil, addedBy: nil, isTakenOut: true)),
            .releaseFolderAlbum(FolderAlbumRelease(folder: folder, directory: bytes)),
            .releaseExternal(ExternalRelease(externalIdentifier: "a")),
            .bindExternal(ExternalBinding(externalIdentifier: "a/b \"c\"", localIdentifier: asset)),
            .setCondition(ConditionChange(hash: content.hash, condition: .corrupt)),
            .setResidency(
                ResidencyChange(
                    hash: content.hash, residency: .inCloud,
                    copy: CloudCopy(
                        key: "ab/c", versionID: "1", uploadedDate: Date(microseconds: 5),
                        verifiedDate: Date(microseconds: 6)))),
            .setResidency(ResidencyChange(hash: content.hash, residency: .local, copy: nil)),
            .setTransfer(TransferChange(hash: content.hash, transfer: .downloading, requestedBy: .person)),
            .setTransfer(TransferChange(hash: content.hash, transfer: nil, requestedBy: .policy)),
            .setPin(PinChange(localIdentifier: asset, isPinned: true, until: Date(microseconds: 7))),
            .setAlbumTier(AlbumTierChange(album: album, tier: .keepLocal)),
            .setFacts(
                FactsChange(
                    of: asset, hash: content.hash, facts: facts, creationDate: Date(microseconds: 8),
                    creationDateSource: .modified)),
        ]
    }

    private static var facts: AssetFacts {
        var facts = AssetFacts(playbackStyle: .image)
        facts.mediaSubtypes = [.live, .hdr]
        facts.location = Location(latitude: 48.1, longitude: -0.3)
        facts.captureDate = CaptureDate(
            .zoned(CivilTime(microseconds: 1_546_300_800_000_001), offset: -3600), source: .dateTimeOriginal)
        facts.filledBySidecar = [.title: .xmp]
        facts.zoneProof = ZoneProof(
            offset: -3600, kind: .neighbours, witnesses: [asset],
            localTime: CivilTime(microseconds: 1_546_300_800_000_001))
        return facts
    }

    @Test func everyRequestSurvivesJSON() throws {
        let samples = try ChangeRequestTests.samples()
        #expect(Set(samples.map(\.name)) == Set(ChangeRequest.Name.allCases))
        for request in samples {
            let data = try JSONEncoder().encode(request)
            #expect(try JSONDecoder().decode(ChangeRequest.self, from: data) == request)
        }
    }

    @Test func aRequestNamesItselfAtItsTop() throws {
        struct Top: Decodable { var change: String }
        for request in try ChangeRequestTests.samples() {
            let data = try JSONEncoder().encode(request)
            #expect(try JSONDecoder().decode(Top.self, from: data).change == request.name.rawValue)
        }
    }

    @Test func aRequestOfAnotherVersionIsRefused() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ChangeRequest.self, from: Data(#"{"change":"purgeEverything"}"#.utf8))
        }
    }

    @Test func evidenceKeepsOpaqueBytesAsBase64() throws {
        struct Evidence: Decodable {
            var fileSystem: String?
            var handle: String?
        }
        struct Record: Decodable { var evidence: Evidence }
        let request = try #require(try ChangeRequestTests.samples().first { $0.name == .recordSource })
        let evidence = try JSONDecoder().decode(Record.self, from: JSONEncoder().encode(request)).evidence
        #expect(evidence.fileSystem == "AP8=")
        #expect(evidence.handle == "Bw==")
    }
}
