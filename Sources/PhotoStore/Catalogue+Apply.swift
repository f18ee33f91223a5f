import FoundationEssentials
import PhotoModel
import SQLite

/// Applying one request of a change. Each says whether it changed anything: what did not is not in the history.
extension Catalogue {
    func apply(_ request: ChangeRequest, at date: Date) throws -> Bool {
        switch request {
        case .createAsset(let creation): try create(creation, at: date)
        case .addVersion(let addition): try add(addition, at: date)
        case .addResource(let addition): try add(addition, at: date)
        case .arrangeResources(let arrangement): try arrange(arrangement)
        case .createAlbum(let creation): try create(creation, at: date)
        case .renameAlbum(let renaming): try rename(renaming)
        case .addAssets(let addition): try add(addition, at: date)
        case .removeAssets(let removal): try remove(removal, at: date)
        case .registerFolder(let registration): try register(registration)
        case .bindFolderAlbum(let binding): try bind(binding)
        case .recordSource(let source): try record(source, at: date)
        case .forgetSource(let key): try forget(key)
        case .bindExternal(let binding): try bind(binding, at: date)
        case .setCondition(let change): try set(change)
        case .trashAssets(let trashing): try trash(trashing, at: date)
        case .restoreAssets(let restoring): try restore(restoring)
        case .purgeAsset(let purge): try apply(purge, at: date)
        case .deleteAlbum(let deletion): try delete(deletion)
        case .setMembership(let membership): try set(membership, at: date)
        case .releaseFolderAlbum(let release): try self.release(release)
        case .releaseExternal(let release): try self.release(release)
        case .setResidency(let change): try set(change)
        case .setTransfer(let change): try set(change)
        case .setPin(let change): try set(change)
        case .setAlbumTier(let change): try set(change)
        case .setFacts(let change): try set(change)
        }
    }

    private func create(_ creation: AssetCreation, at date: Date) throws -> Bool {
        guard try assetRow(creation.localIdentifier) == nil else {
            throw LibraryError.assetExists(creation.localIdentifier)
        }
        try connection.run(
            """
            INSERT INTO asset (uuid, mediaType, creationDate, creationDateSource, addedDate, modificationDate, state)
            VALUES (?, ?, ?, ?, ?, ?, 'live')
            """, .uuid(creation.localIdentifier.uuid), .text(creation.mediaType.rawValue),
            .date(creation.creationDate), .text(creation.creationDateSource.rawValue), .date(date), .date(date))
        let asset = connection.lastInsertRowID
        try connection.run(
            "INSERT INTO resource (asset, type, number, originalFilename) VALUES (?, ?, 0, ?)", .integer(asset),
            .integer(Int64(creation.resourceType.rawValue)), .blob(creation.originalFilename.bytes))
        try addVersion(creation.content, to: connection.lastInsertRowID, ordinal: 0, at: date)
        try wantFacts(of: asset)
        return true
    }

    /// Bytes that are the current ones already are no edit.
    ///
    /// An asset of bytes that nothing knew, as a file made in advance is, becomes what the first known ones are.
    private func add(_ addition: VersionAddition, at date: Date) throws -> Bool {
        let asset = try rowID(asset: addition.localIdentifier)
        let resource = try connection.first(
            """
            SELECT resource.id, ordinal, hash FROM resource JOIN version ON version.resource = resource.id
            WHERE asset = ?1
                AND (type = ?2 OR type <= 2 AND (SELECT mediaType FROM asset WHERE id = ?1) = 'unknown')
                AND (?3 IS NULL OR resource.id IN (SELECT resource FROM version WHERE hash = ?3))
            ORDER BY type = ?2 DESC, ordinal DESC LIMIT 1
            """, .integer(asset), .integer(Int64(addition.resourceType.rawValue)),
            .blob(addition.replacing?.bytes)
        ) { (id: $0.integer(0), newest: $0.integer(1), hash: try $0.hash(2)) }
        guard let resource else { throw LibraryError.noSuchResource(addition.localIdentifier) }
        guard resource.hash != addition.content.hash else { return false }
        try addVersion(addition.content, to: resource.id, ordinal: resource.newest + 1, at: date)
        try wantFacts(of: asset)
        try connection.run(
            "UPDATE resource SET type = ? WHERE id = ?", .integer(Int64(addition.resourceType.rawValue)),
            .integer(resource.id))
        try connection.run(
            """
            UPDATE asset SET modificationDate = ?, mediaType = CASE mediaType WHEN 'unknown' THEN ? ELSE mediaType END
            WHERE id = ?
            """, .date(date), .text(MediaType(contentType: addition.content.contentType).rawValue), .integer(asset))
        return true
    }

    /// The bytes were published before this, or are where they were: so the content is sound, and local if it is new.
    func addVersion(_ content: Content, to resource: Int64, ordinal: Int64, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO content (hash, byteCount, contentType, fileExtension, residency, condition)
            VALUES (?, ?, ?, ?, 'local', 'sound') ON CONFLICT (hash) DO UPDATE SET condition = 'sound'
            """, .blob(content.hash.bytes), .integer(content.byteCount), .text(content.contentType),
            .text(content.fileExtension))
        try connection.run("DELETE FROM unlinkWork WHERE hash = ?", .blob(content.hash.bytes))
        try connection.run(
            "INSERT INTO version (resource, ordinal, hash, addedDate) VALUES (?, ?, ?, ?)", .integer(resource),
            .integer(ordinal), .blob(content.hash.bytes), .date(date))
    }

    private func register(_ folder: FolderRegistration) throws -> Bool {
        guard try self.folder(folder.folder) != folder else { return false }
        try connection.run(
            """
            INSERT INTO folder (uuid, path, fileSystem, rootInode, isMarked) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (uuid) DO UPDATE SET path = excluded.path, fileSystem = excluded.fileSystem,
                rootInode = excluded.rootInode, isMarked = excluded.isMarked
            """, .uuid(folder.folder), .blob(folder.path.bytes), .blob(folder.fileSystem), .bits(folder.rootInode),
            .flag(folder.isMarked))
        return true
    }

    private func bind(_ binding: FolderAlbumBinding) throws -> Bool {
        guard try albumBinding(folder: binding.folder, directory: binding.directory) != binding else { return false }
        try connection.run(
            """
            INSERT INTO folderAlbum (folder, directory, title, albumUUID) VALUES (?, ?, ?, ?)
            ON CONFLICT (folder, directory) DO UPDATE SET title = excluded.title, albumUUID = excluded.albumUUID
            """, .integer(try rowID(folder: binding.folder)), .blob(binding.directory.bytes),
            .blob(binding.title.bytes), .uuid(binding.album.uuid))
        return true
    }

    private func bind(_ binding: ExternalBinding, at date: Date) throws -> Bool {
        guard try externalMapping(binding.externalIdentifier) != binding.localIdentifier else { return false }
        try connection.run(
            """
            INSERT INTO externalMapping (externalIdentifier, asset, boundDate) VALUES (?, ?, ?)
            ON CONFLICT (externalIdentifier) DO UPDATE SET asset = excluded.asset, boundDate = excluded.boundDate
            """, .text(binding.externalIdentifier), .integer(try rowID(asset: binding.localIdentifier)), .date(date))
        return true
    }

    private func set(_ change: ConditionChange) throws -> Bool {
        try connection.run(
            "UPDATE content SET condition = ?1 WHERE hash = ?2 AND condition <> ?1", .text(change.condition.rawValue),
            .blob(change.hash.bytes))
        return connection.changes > 0
    }

    func rowID(asset: LocalIdentifier) throws -> Int64 {
        guard
            let id = try connection.first(
                "SELECT id FROM asset WHERE uuid = ?", .uuid(asset.uuid), row: { $0.integer(0) })
        else { throw LibraryError.noSuchAsset(asset) }
        return id
    }

    func rowID(folder: UUID) throws -> Int64 {
        guard
            let id = try connection.first(
                "SELECT id FROM folder WHERE uuid = ?", .uuid(folder), row: { $0.integer(0) })
        else { throw LibraryError.noSuchFolder(folder) }
        return id
    }
}
