/// The tables that facts came with.
extension Catalogue {
    /// A CHECK cannot be altered: the table is made anew, as https://sqlite.org/lang_altertable.html#otheralter has it.
    ///
    /// The sequence of row numbers goes on, since no row of an asset is ever removed.
    static let captureDates = """
        -- An asset is one photo or video. Rows stay after a purge, so that no identifier is given out twice.
        CREATE TABLE newAsset (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid BLOB NOT NULL UNIQUE CHECK (length(uuid) = 16),
            mediaType TEXT NOT NULL CHECK (mediaType IN ('unknown', 'image', 'video', 'audio')),
            creationDate INTEGER NOT NULL,
            creationDateSource TEXT NOT NULL CHECK (creationDateSource IN ('given', 'captured', 'modified', 'added')),
            addedDate INTEGER NOT NULL,
            modificationDate INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('live', 'trashed', 'purged')),
            trashedDate INTEGER,
            trashReason TEXT CHECK (trashReason IN ('person', 'sourceDeleted', 'sourceDeletionConfirmed', 'undone')),
            trashFolder BLOB CHECK (length(trashFolder) = 16),
            trashRunningSeconds INTEGER,
            CHECK ((state = 'trashed') = (trashedDate IS NOT NULL))
        ) STRICT;
        INSERT INTO newAsset SELECT id, uuid, mediaType, creationDate, creationDateSource, addedDate, modificationDate,
            state, trashedDate, trashReason, trashFolder, trashRunningSeconds FROM asset;
        DROP TABLE asset;
        ALTER TABLE newAsset RENAME TO asset;
        CREATE INDEX assetByTrashedDate ON asset (trashedDate) WHERE state = 'trashed';

        """

    static let facts = """
        -- What the reader of media read of a content, as JSON; or why it could not, and how often. Not journaled.
        CREATE TABLE reading (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            reader INTEGER NOT NULL,
            facts TEXT,
            unreadable TEXT,
            tries INTEGER NOT NULL,
            CHECK ((facts IS NULL) <> (unreadable IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX readingFailed ON reading (tries) WHERE unreadable IS NOT NULL;

        -- What is concluded of an asset, as JSON, and of which content.
        CREATE TABLE assetFacts (
            asset INTEGER NOT NULL PRIMARY KEY REFERENCES asset,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            facts TEXT NOT NULL
        ) STRICT;
        CREATE INDEX assetFactsByHash ON assetFacts (hash);

        -- Which smart albums an asset is in, by its facts.
        CREATE TABLE smartMember (
            asset INTEGER NOT NULL REFERENCES asset,
            album TEXT NOT NULL,
            PRIMARY KEY (asset, album)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX smartMemberByAlbum ON smartMember (album, asset);

        -- Assets whose current content is still to be read.
        CREATE TABLE factsWork (
            asset INTEGER NOT NULL PRIMARY KEY REFERENCES asset
        ) STRICT;
        INSERT INTO factsWork SELECT id FROM asset WHERE state <> 'purged';

        """
}
