/// In JSON a request is its value's object with `change`, the name of the request, at its top.
extension ChangeRequest: Codable {
    private enum Key: String, CodingKey {
        case change
    }

    /// The names in JSON; docs/library-format.md lists them.
    package enum Name: String, Codable, CaseIterable, Sendable {
        case createAsset
        case addVersion
        case addResource
        case arrangeResources
        case createAlbum
        case renameAlbum
        case addAssets
        case removeAssets
        case registerFolder
        case bindFolderAlbum
        case recordSource
        case forgetSource
        case bindExternal
        case setCondition
        case trashAssets
        case restoreAssets
        case purgeAsset
        case deleteAlbum
        case setMembership
        case releaseFolderAlbum
        case releaseExternal
        case setResidency
        case setTransfer
        case setPin
        case setAlbumTier
        case setFacts
    }

    package var name: Name { parts.name }

    package init(from decoder: any Decoder) throws {
        let name = try decoder.container(keyedBy: Key.self).decode(Name.self, forKey: .change)
        switch name {
        case .createAsset: self = .createAsset(try AssetCreation(from: decoder))
        case .addVersion: self = .addVersion(try VersionAddition(from: decoder))
        case .addResource: self = .addResource(try ResourceAddition(from: decoder))
        case .arrangeResources: self = .arrangeResources(try ResourceArrangement(from: decoder))
        case .createAlbum: self = .createAlbum(try AlbumCreation(from: decoder))
        case .renameAlbum: self = .renameAlbum(try AlbumRenaming(from: decoder))
        case .addAssets: self = .addAssets(try AlbumAddition(from: decoder))
        case .removeAssets: self = .removeAssets(try AlbumRemoval(from: decoder))
        case .registerFolder: self = .registerFolder(try FolderRegistration(from: decoder))
        case .bindFolderAlbum: self = .bindFolderAlbum(try FolderAlbumBinding(from: decoder))
        case .recordSource: self = .recordSource(try Source(from: decoder))
        case .forgetSource: self = .forgetSource(try SourceKey(from: decoder))
        case .bindExternal: self = .bindExternal(try ExternalBinding(from: decoder))
        case .setCondition: self = .setCondition(try ConditionChange(from: decoder))
        case .trashAssets: self = .trashAssets(try AssetTrashing(from: decoder))
        case .restoreAssets: self = .restoreAssets(try AssetRestoring(from: decoder))
        case .purgeAsset: self = .purgeAsset(try AssetPurge(from: decoder))
        case .deleteAlbum: self = .deleteAlbum(try AlbumDeletion(from: decoder))
        case .setMembership: self = .setMembership(try AlbumMembership(from: decoder))
        case .releaseFolderAlbum: self = .releaseFolderAlbum(try FolderAlbumRelease(from: decoder))
        case .releaseExternal: self = .releaseExternal(try ExternalRelease(from: decoder))
        case .setResidency: self = .setResidency(try ResidencyChange(from: decoder))
        case .setTransfer: self = .setTransfer(try TransferChange(from: decoder))
        case .setPin: self = .setPin(try PinChange(from: decoder))
        case .setAlbumTier: self = .setAlbumTier(try AlbumTierChange(from: decoder))
        case .setFacts: self = .setFacts(try FactsChange(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(parts.name, forKey: .change)
        try parts.value.encode(to: encoder)
    }

    private var parts: (name: Name, value: any Encodable) {
        switch self {
        case .createAsset(let value): (.createAsset, value)
        case .addVersion(let value): (.addVersion, value)
        case .addResource(let value): (.addResource, value)
        case .arrangeResources(let value): (.arrangeResources, value)
        case .createAlbum(let value): (.createAlbum, value)
        case .renameAlbum(let value): (.renameAlbum, value)
        case .addAssets(let value): (.addAssets, value)
        case .removeAssets(let value): (.removeAssets, value)
        case .registerFolder(let value): (.registerFolder, value)
        case .bindFolderAlbum(let value): (.bindFolderAlbum, value)
        case .recordSource(let value): (.recordSource, value)
        case .forgetSource(let value): (.forgetSource, value)
        case .bindExternal(let value): (.bindExternal, value)
        case .setCondition(let value): (.setCondition, value)
        case .trashAssets(let value): (.trashAssets, value)
        case .restoreAssets(let value): (.restoreAssets, value)
        case .purgeAsset(let value): (.purgeAsset, value)
        case .deleteAlbum(let value): (.deleteAlbum, value)
        case .setMembership(let value): (.setMembership, value)
        case .releaseFolderAlbum(let value): (.releaseFolderAlbum, value)
        case .releaseExternal(let value): (.releaseExternal, value)
        case .setResidency(let value): (.setResidency, value)
        case .setTransfer(let value): (.setTransfer, value)
        case .setPin(let value): (.setPin, value)
        case .setAlbumTier(let value): (.setAlbumTier, value)
        case .setFacts(let value): (.setFacts, value)
        }
    }
}
