package import FoundationEssentials
package import PhotoModel
package import PhotoStore
import Platform

/// Which album a source goes into.
package enum AlbumTarget: Equatable, Sendable {
    case album(LocalIdentifier)
    /// No album has the title: make one and bind it.
    case create
    /// Exactly one has it: bind it.
    case bind(LocalIdentifier)
    /// A person must say what to do; nothing is imported meanwhile (A42, A55).
    case hold(Reason, detail: String)
}

/// A folder's rule for albums: the title for a source, and the binding that remembers the album (A36-A42, C35).
package struct AlbumRule: Sendable {
    package var folder: UUID
    package var rule: FolderRule

    package init(folder: UUID, rule: FolderRule) {
        self.folder = folder
        self.rule = rule
    }

    /// The directory that the binding is kept for: the whole folder, or the source's own.
    package func directory(of path: PathBytes) -> PathBytes {
        rule.albums == .tree ? path.directory : PathBytes([])
    }

    /// The rule's title; in a tree a sub-directory's album is called by its path.
    package func title(for directory: PathBytes) -> PathBytes {
        directory.bytes.isEmpty ? PathBytes(rule.album) : directory
    }

    /// What the album is called now: the bound one by the title that a person may have given it since.
    package func currentTitle(for directory: PathBytes, in catalogue: Catalogue) throws -> PathBytes {
        guard case .album(let bound) = try target(for: directory, in: catalogue) else { return title(for: directory) }
        return try catalogue.albumTitle(bound) ?? title(for: directory)
    }

    /// Where a source goes now.
    ///
    /// Reads only.
    package func target(for directory: PathBytes, in catalogue: Catalogue) throws -> AlbumTarget {
        let title = title(for: directory)
        if let bound = try catalogue.albumBinding(folder: folder, directory: directory), bound.title == title {
            if try catalogue.hasAlbum(bound.album) { return .album(bound.album) }
            // Another that a person made since under this title is the one that is meant.
            guard rule.onAlbumMissing == .recreate else {
                return .hold(
                    .albumMissing,
                    detail:
                        "its album is gone and on_album_missing is \"hold\": set it to \"recreate\", or name another album"
                )
            }
        }
        let titled = try catalogue.identifiersOfAlbums(titled: title)
        guard titled.count < 2 else {
            return .hold(
                .ambiguousTitle,
                detail:
                    "\(counted(titled.count, "album", one: "has", many: "have")) this title: rename all but one with albumctl album rename"
            )
        }
        return titled.first.map { .bind($0) } ?? .create
    }

    /// The album for a source, made and bound where needed; nil where it is on hold.
    package func ensureAlbum(
        for directory: PathBytes, in change: inout Change, makeIdentifier: () -> LocalIdentifier
    ) throws -> LocalIdentifier? {
        let album: LocalIdentifier
        switch try target(for: directory, in: change.catalogue) {
        case .album(let bound): return bound
        case .hold: return nil
        case .bind(let titled): album = titled
        case .create:
            album = makeIdentifier()
            try change.perform(.createAlbum(AlbumCreation(localIdentifier: album, title: title(for: directory))))
        }
        let binding = FolderAlbumBinding(
            folder: folder, directory: directory, title: title(for: directory), album: album)
        try change.perform(.bindFolderAlbum(binding))
        return album
    }
}
