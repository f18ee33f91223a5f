import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// Photos that are about to go to Recently Deleted, because their files are gone from folders that mirror deletions.
///
/// Whether the engine has seen that, waits for a second look, or holds so many until a person confirms them, makes no
/// difference: the disk is asked.
extension LibraryService {
    /// Those among the photos that have these bytes.
    func leavingPhotos(having hashes: [ContentHash], _ folders: [MirroredFolder]) async throws -> Set<LocalIdentifier> {
        let roots = roots(of: folders)
        guard !roots.isEmpty else { return [] }
        let keys = try await read { catalogue in
            let assets = try hashes.compactMap { try catalogue.assetHaving($0) }
            let sources = try assets.flatMap { try catalogue.sources(of: $0) }
            return sources.filter { $0.isMappedAndPresent && roots[$0.key.folder] != nil }.map(\.key)
        }
        let absent = try await pool.run { [files = machine.files] in LeavingPhotos.absent(keys, roots, files) }
        guard !absent.isEmpty else { return [] }
        return try await read { Set(try $0.assetsAbandoned(by: absent).map(\.asset)) }
    }

    /// What is not online says nothing of its files.
    private func roots(of folders: [MirroredFolder]) -> [UUID: [UInt8]] {
        let online = importing.status.folders.filter { $0.standing == .online }
        let mirrored = Set(folders.compactMap(\.folder))
        let roots = online.compactMap { folder in folder.folder.map { ($0, folder.rule.path) } }
        return Dictionary(roots.filter { mirrored.contains($0.0) }, uniquingKeysWith: { first, _ in first })
    }
}

private enum LeavingPhotos {
    /// The sources that have no file.
    ///
    /// Blocks.
    static func absent(_ keys: [SourceKey], _ roots: [UUID: [UInt8]], _ files: any FileVerbs) -> Set<SourceKey> {
        var absent: Set<SourceKey> = []
        for (folder, keys) in Dictionary(grouping: keys, by: \.folder) {
            guard let path = roots[folder], let root = try? files.openDirectory(path) else { continue }
            absent.formUnion(keys.filter { isAbsent($0, beneath: root, files: files) })
        }
        return absent
    }
}
