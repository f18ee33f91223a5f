/// What the daemon does with the files of one watched folder: a `[[folder]]` of the configuration.
///
/// The initial values below are the defaults, and stand nowhere else. In its Codable form a path is an array of
/// bytes, a duration is what `Duration` makes of itself, and each choice is the word of the configuration file.
package struct FolderRule: Hashable, Sendable, Codable {
    /// What to do when the album that was bound once is no longer there.
    package enum MissingAlbum: String, CaseIterable, Sendable, Codable {
        case recreate
        case hold
    }

    /// One album for all, or one for each sub-directory.
    package enum Albums: String, CaseIterable, Sendable, Codable {
        case single
        case tree
    }

    /// Whether the source stays where it is.
    package enum Mode: String, CaseIterable, Sendable, Codable {
        case copy
        case move
    }

    /// How changes are noticed; `auto` polls on NFS, SMB, 9p and FUSE.
    package enum Watch: String, CaseIterable, Sendable, Codable {
        case auto
        case inotify
        case poll
    }

    package enum OnSourceDeleted: String, CaseIterable, Sendable, Codable {
        case keep
        case trash
    }

    package enum OnAssetDeleted: String, CaseIterable, Sendable, Codable {
        case keep
        case remove
    }

    /// Which date a photo has in the library, from when it is imported on.
    package enum CreationDate: String, CaseIterable, Sendable, Codable {
        /// When it was taken, as far as anything says; until that is read, and else, the file's modification time.
        case capture
        case mtime
        /// When it was imported.
        case now
    }

    /// Absolute, as it is written: symlinks are not resolved, doubled and final slashes are gone.
    package var path: [UInt8]
    /// The title of the album, ensured once and then bound by its identifier.
    package var album: String
    package var onAlbumMissing = MissingAlbum.recreate
    package var albums = Albums.single
    package var mode = Mode.copy
    /// How long a file must be at rest before it is taken.
    package var settle = Duration.seconds(2)
    /// How long a file that belongs to another one is told to await it; a sidecar is passed over then.
    package var awaited = Duration.seconds(300)
    package var watch = Watch.auto
    /// Time from one scan to the next where the folder is polled.
    package var poll = Duration.seconds(60)
    /// Patterns of names to pass over (fnmatch(3)), added to the built-in names of partial files.
    package var ignore = ["*.part", ".*"]
    package var onSourceDeleted = OnSourceDeleted.keep
    package var onAssetDeleted = OnAssetDeleted.keep
    package var creationDate = CreationDate.capture

    /// A rule with the defaults; change what differs.
    package init(path: [UInt8], album: String) {
        self.path = path
        self.album = album
    }
}
