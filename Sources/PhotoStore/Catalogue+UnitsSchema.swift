/// The tables as they are since an asset can have several files.
extension Catalogue {
    /// A UNIQUE cannot be altered: the table is made anew, as https://sqlite.org/lang_altertable.html#otheralter has it.
    static let units = """
        -- A resource is one file of an asset; type is PHAssetResourceType's number. Of sidecars (7, 1001, 1002) there can
        -- be several: number counts them from 0.
        CREATE TABLE newResource (
            id INTEGER PRIMARY KEY,
            asset INTEGER NOT NULL REFERENCES asset,
            type INTEGER NOT NULL,
            number INTEGER NOT NULL,
            originalFilename BLOB NOT NULL,
            UNIQUE (asset, type, number),
            CHECK (number = 0 OR type IN (7, 1001, 1002))
        ) STRICT;
        INSERT INTO newResource SELECT id, asset, type, 0, originalFilename FROM resource;
        DROP TABLE resource;
        ALTER TABLE newResource RENAME TO resource;

        -- What joins the files of one asset, and the assets of one burst.
        ALTER TABLE assetFacts ADD COLUMN contentIdentifier TEXT;
        ALTER TABLE assetFacts ADD COLUMN burstIdentifier TEXT;
        UPDATE assetFacts SET contentIdentifier = json_extract(facts, '$.contentIdentifier'),
            burstIdentifier = json_extract(facts, '$.burstIdentifier');
        CREATE INDEX assetFactsByContentIdentifier ON assetFacts (contentIdentifier)
            WHERE contentIdentifier IS NOT NULL;
        CREATE INDEX assetFactsByBurstIdentifier ON assetFacts (burstIdentifier) WHERE burstIdentifier IS NOT NULL;

        """
}
