package import SQLite

/// The tables, version by version. A shipped migration is never edited: append one (docs/library-format.md).
extension Catalogue {
    /// `albd`, in the header of the file (sqlite.org/pragma.html#pragma_application_id).
    package static let applicationID: Int32 = 0x616C_6264

    package static let migrations: [Migration] = [
        Migration(version: 1, name: "the first format", sql: assets + albums + folders + history + deletion),
        Migration(version: 2, name: "the cloud", sql: cloud),
        Migration(version: 3, name: "the facts", sql: captureDates + facts),
        Migration(version: 4, name: "several files of one asset", sql: units),
    ]

    /// Whether there is no table yet: a file that was made just now, or that lost everything.
    func isEmpty() throws -> Bool {
        try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) == 0 } ?? true
    }

    /// Whether the header says that albumd made it.
    func isOurs() throws -> Bool {
        try connection.first("SELECT application_id FROM pragma_application_id") { row in
            row.integer(0) == Int64(Catalogue.applicationID)
        } ?? false
    }

    /// Whether its tables are those of this version.
    func isNewest() throws -> Bool {
        let version = try connection.first("SELECT user_version FROM pragma_user_version") { $0.int(0) }
        return version == Catalogue.migrations.last?.version
    }

    /// Whether a rebuild can begin with it: ours, not newer than we know, and sound.
    func isUsable() throws -> Bool {
        let version = try connection.first("SELECT user_version FROM pragma_user_version") { $0.int(0) } ?? 0
        guard try isOurs(), version <= Catalogue.migrations.last?.version ?? 0 else { return false }
        return try quickCheck().isEmpty && connection.danglingReferences().isEmpty
    }

    private static let assets = """
        -- An asset is one photo or video. Rows stay after a purge, so that no identifier is given out twice.
        CREATE TABLE asset (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid BLOB NOT NULL UNIQUE CHECK (length(uuid) = 16),
            mediaType TEXT NOT NULL CHECK (mediaType IN ('unknown', 'image', 'video', 'audio')),
            creationDate INTEGER NOT NULL,
            creationDateSource TEXT NOT NULL CHECK (creationDateSource IN ('given', 'modified', 'added')),
            addedDate INTEGER NOT NULL,
            modificationDate INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('live', 'trashed', 'purged')),
            trashedDate INTEGER,
            trashReason TEXT CHECK (trashReason IN ('person', 'sourceDeleted', 'sourceDeletionConfirmed', 'undone')),
            trashFolder BLOB CHECK (length(trashFolder) = 16),
            trashRunningSeconds INTEGER,
            CHECK ((state = 'trashed') = (trashedDate IS NOT NULL))
        ) STRICT;
        CREATE INDEX assetByTrashedDate ON asset (trashedDate) WHERE state = 'trashed';

        -- A content is one original: bytes that the library keeps under their hash, in originals/ab/<hash>.<ext>.
        CREATE TABLE content (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            byteCount INTEGER NOT NULL,
            contentType TEXT NOT NULL,
            fileExtension TEXT NOT NULL,
            residency TEXT NOT NULL CHECK (residency IN ('local', 'both', 'inCloud')),
            condition TEXT NOT NULL CHECK (condition IN ('sound', 'missing', 'corrupt'))
        ) STRICT, WITHOUT ROWID;

        -- A resource is one file of an asset; type is PHAssetResourceType's number.
        CREATE TABLE resource (
            id INTEGER PRIMARY KEY,
            asset INTEGER NOT NULL REFERENCES asset,
            type INTEGER NOT NULL,
            originalFilename BLOB NOT NULL,
            UNIQUE (asset, type)
        ) STRICT;

        -- A version is one content that a resource had: ordinal 0 is the original, the highest is the current one.
        CREATE TABLE version (
            resource INTEGER NOT NULL REFERENCES resource,
            ordinal INTEGER NOT NULL,
            hash BLOB NOT NULL REFERENCES content,
            addedDate INTEGER NOT NULL,
            PRIMARY KEY (resource, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX versionByHash ON version (hash);

        -- A caller's own identifier, bound to an asset. It stays when the asset is purged: it is dangling then.
        CREATE TABLE externalMapping (
            externalIdentifier TEXT NOT NULL PRIMARY KEY,
            asset INTEGER NOT NULL REFERENCES asset,
            boundDate INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX externalMappingByAsset ON externalMapping (asset);

        """

    private static let albums = """
        -- An album's identity is its identifier; titles are bytes and may be shared.
        CREATE TABLE album (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid BLOB NOT NULL UNIQUE CHECK (length(uuid) = 16),
            title BLOB NOT NULL,
            createdDate INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX albumByTitle ON album (title);

        -- Which assets an album has, in which order, and whether a folder's rule or a person put them there.
        CREATE TABLE albumMember (
            album INTEGER NOT NULL REFERENCES album,
            asset INTEGER NOT NULL REFERENCES asset,
            position INTEGER NOT NULL,
            addedBy TEXT NOT NULL CHECK (addedBy IN ('folder', 'person')),
            addedDate INTEGER NOT NULL,
            PRIMARY KEY (album, asset)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX albumMemberByAsset ON albumMember (asset);
        CREATE INDEX albumMemberByPosition ON albumMember (album, position);

        -- What a person took out of an album: a folder does not put it back.
        CREATE TABLE albumRemoval (
            album INTEGER NOT NULL REFERENCES album,
            asset INTEGER NOT NULL REFERENCES asset,
            removedDate INTEGER NOT NULL,
            PRIMARY KEY (album, asset)
        ) STRICT, WITHOUT ROWID;

        """

    private static let folders = """
        -- A folder that the library has taken on, with what is known of its file system and root (RULES R32).
        CREATE TABLE folder (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE CHECK (length(uuid) = 16),
            path BLOB NOT NULL UNIQUE,
            fileSystem BLOB,
            rootInode INTEGER NOT NULL,
            isMarked INTEGER NOT NULL CHECK (isMarked IN (0, 1))
        ) STRICT;

        -- The album of a folder, or of one of its directories: ensured once by title, then bound by identifier.
        CREATE TABLE folderAlbum (
            folder INTEGER NOT NULL REFERENCES folder,
            directory BLOB NOT NULL,
            title BLOB NOT NULL,
            albumUUID BLOB NOT NULL CHECK (length(albumUUID) = 16),
            PRIMARY KEY (folder, directory)
        ) STRICT, WITHOUT ROWID;

        -- A source is one file of a folder: its outcome, its mapping to an asset, and the evidence. Integers of the
        -- evidence are statx(2)'s, unsigned ones by their bit pattern, times in nanoseconds. A source whose newer bytes
        -- could not be taken may keep the mapping of its older ones.
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            folder INTEGER NOT NULL REFERENCES folder,
            path BLOB NOT NULL,
            asset INTEGER REFERENCES asset,
            outcome TEXT NOT NULL CHECK (outcome IN
                ('imported', 'duplicate', 'restored', 'updated', 'pending', 'skipped', 'blocked', 'failed')),
            reason TEXT NOT NULL,
            detail TEXT,
            fileSystem BLOB,
            inode INTEGER,
            handle BLOB,
            born INTEGER,
            modified INTEGER,
            changed INTEGER,
            byteCount INTEGER,
            hash BLOB,
            rulesVersion INTEGER,
            isRemoved INTEGER NOT NULL CHECK (isRemoved IN (0, 1)),
            departedDate INTEGER,
            departureEvidence TEXT CHECK (departureEvidence IN ('unlinkSeen', 'missingOnScan')),
            isReleased INTEGER NOT NULL CHECK (isReleased IN (0, 1)),
            decidedDate INTEGER NOT NULL,
            UNIQUE (folder, path),
            CHECK (asset IS NOT NULL OR outcome NOT IN ('imported', 'duplicate', 'restored', 'updated'))
        ) STRICT;
        CREATE INDEX sourceByAsset ON source (asset) WHERE asset IS NOT NULL;
        CREATE INDEX sourceByInode ON source (inode) WHERE asset IS NOT NULL;
        CREATE INDEX sourceWaiting ON source (outcome) WHERE outcome IN ('pending', 'blocked', 'failed');

        """

    private static let history = """
        -- Every committed change: its token only grows, and changes is the JSON that the journal repeats.
        CREATE TABLE history (
            token INTEGER PRIMARY KEY AUTOINCREMENT,
            date INTEGER NOT NULL,
            origin TEXT NOT NULL,
            changes TEXT NOT NULL
        ) STRICT;

        -- What was decided of one source, and what it waited for: the story that `why` tells. Not journaled.
        CREATE TABLE decision (
            id INTEGER PRIMARY KEY,
            folder INTEGER NOT NULL REFERENCES folder,
            path BLOB NOT NULL,
            date INTEGER NOT NULL,
            story TEXT NOT NULL
        ) STRICT;
        CREATE INDEX decisionByPath ON decision (folder, path);

        """

    private static let deletion = """
        -- Originals of purged assets that are still to be unlinked: a purge commits first and unlinks then (RULES R37).
        CREATE TABLE unlinkWork (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            fileExtension TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- One row: how long albumd has been running in all, the wall clock when that was written down, and until when,
        -- in seconds of running, nothing expires because the clock jumped (RULES R35). Not journaled.
        CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            runningSeconds INTEGER NOT NULL,
            wall INTEGER NOT NULL,
            frozenUntil INTEGER NOT NULL
        ) STRICT;

        """

    private static let cloud = """
        -- The proof that an object of the store has a content's bytes; there for residency both and inCloud.
        CREATE TABLE cloudCopy (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            key TEXT NOT NULL,
            versionID TEXT,
            uploadedDate INTEGER NOT NULL,
            verifiedDate INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contentElsewhere ON content (residency) WHERE residency <> 'local';
        -- With the date, so that a plan for a million originals reads the index alone.
        DROP INDEX versionByHash;
        CREATE INDEX versionByHash ON version (hash, addedDate);

        -- What is being done with an original between the disk and the cloud: work that a restart goes on with.
        CREATE TABLE transfer (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            transfer TEXT NOT NULL CHECK (transfer IN ('uploading', 'verifying', 'evicting', 'downloading')),
            requestedBy TEXT NOT NULL CHECK (requestedBy IN ('policy', 'person'))
        ) STRICT, WITHOUT ROWID;

        -- Assets whose originals a person wants on the disk, until a date or for ever.
        CREATE TABLE pin (
            asset INTEGER NOT NULL PRIMARY KEY REFERENCES asset,
            until INTEGER
        ) STRICT, WITHOUT ROWID;

        -- Where an album wants its originals.
        CREATE TABLE albumTier (
            album INTEGER NOT NULL PRIMARY KEY REFERENCES album,
            tier TEXT NOT NULL CHECK (tier IN ('keepLocal', 'inCloud'))
        ) STRICT, WITHOUT ROWID;

        -- Objects of purged contents: deleted from the store where the configuration allows it, and when it is time.
        CREATE TABLE objectWork (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            key TEXT NOT NULL,
            purgedDate INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- When an original was last asked for. Not journaled.
        CREATE TABLE lastUse (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            date INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        """
}
