package import Media
package import PhotoModel

/// A file that is imported, and what is still to come beside it.
package struct AwaitedFile: Sendable, Equatable {
    package var key: SourceKey
    package var companion: AwaitedCompanion
    /// Uptime until which that is told.
    package var until = Duration.zero

    package init(key: SourceKey, companion: AwaitedCompanion) {
        self.key = key
        self.companion = companion
    }
}

/// Which assets have only a part of their files yet, for as long as that is told.
///
/// Nothing waits for it: it is in memory alone.
struct AwaitedFiles {
    private var files: [LocalIdentifier: AwaitedFile] = [:]

    mutating func take(_ batch: ImportedBatch, now: Duration, _ time: (SourceKey) -> Duration) {
        for (source, former) in batch.outcomes {
            // Renamed, it is named as it is now.
            guard let asset = source.localIdentifier, let key = files[asset]?.key, former.contains(key) else {
                continue
            }
            files[asset]?.key = source.key
        }
        for asset in batch.touched { files[asset] = nil }
        for (asset, file) in batch.awaited {
            var file = file
            file.until = now + time(file.key)
            files[asset] = file
        }
    }

    var assets: [LocalIdentifier] { Array(files.keys) }

    mutating func forget(_ asset: LocalIdentifier) { files[asset] = nil }

    /// Those that are still told of.
    mutating func current(now: Duration) -> [AwaitedFile] {
        if files.values.contains(where: { $0.until <= now }) { files = files.filter { $0.value.until > now } }
        return files.values.sorted { $0.key < $1.key }
    }

    /// Whether a movie waits for its picture in a directory.
    func hasMovie(in directory: SourceKey) -> Bool {
        files.values.contains { file in
            guard case .picture = file.companion else { return false }
            return SourceKey(folder: file.key.folder, path: file.key.path.directory) == directory
        }
    }
}
