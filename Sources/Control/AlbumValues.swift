package import FoundationEssentials
package import PhotoModel

/// An album in JSON.
package struct AlbumRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier
    package var title: String
    package var titleBase64: String?
    package var createdDate: Date
    /// Live assets in it.
    package var count: Int
    /// Where it wants its originals; absent without a rule.
    package var tier: AlbumTier?
    /// Only in the answer of `ensure`: whether it was made now.
    package var isNew: Bool?

    package init(_ album: Album, isNew: Bool? = nil) {
        localIdentifier = album.localIdentifier
        let name = Name(album.title)
        title = name.text
        titleBase64 = name.base64
        createdDate = album.createdDate
        count = album.count
        tier = album.tier
        self.isNew = isNew
    }
}

/// The body of requests about a title: ensure, titled, rename.
package struct TitleRequest: Codable, Sendable, Equatable {
    package var title: String

    package init(title: String) { self.title = title }
}

/// Value requests of a person about albums, as `POST /v1/changes` takes them: all of them, or none.
package struct ChangesRequest: Codable, Sendable, Equatable {
    package var changes: [ClientChange]

    package init(changes: [ClientChange]) { self.changes = changes }
}

/// One request of a client.
///
/// Which fields it needs follows from `change`.
package struct ClientChange: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// `title`; the identifier comes back.
        case createAlbum
        /// `album`, `title`.
        case renameAlbum
        /// `album`, `assets`.
        case addAssets
        /// `album`, `assets`. They stay out: a folder does not put them back.
        case removeAssets
    }

    package var change: Kind
    package var album: LocalIdentifier?
    package var title: String?
    package var assets: [LocalIdentifier]?

    package init(change: Kind, album: LocalIdentifier? = nil, title: String? = nil, assets: [LocalIdentifier]? = nil) {
        self.change = change
        self.album = album
        self.title = title
        self.assets = assets
    }
}

/// What a change came to.
package struct ChangesResult: Codable, Sendable, Equatable {
    /// Absent where nothing had to be changed.
    package var token: Int64?
    /// Identifiers of albums that were created, in the order of their requests.
    package var created: [LocalIdentifier]

    package init(token: Int64?, created: [LocalIdentifier]) {
        self.token = token
        self.created = created
    }
}
