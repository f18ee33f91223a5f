package import FoundationEssentials
package import PhotoModel
import Platform

/// What the library refuses or cannot do.
///
/// Each case says what to do now.
package enum LibraryError: Error, Equatable {
    /// Another daemon holds the library; the text is what it wrote of itself.
    case inUse(path: String, holder: String)
    case newerFormat(found: Int, supported: Int)
    case notALibrary(path: String)
    /// The originals are there, the catalogue is not.
    case catalogueMissing(path: String)
    case catalogueDamaged(path: String, findings: [String])
    case remoteFileSystem(path: String, kind: String)
    case unsafeOwnership(path: String, why: String)
    case corruptRow(String)
    case noSuchAsset(LocalIdentifier)
    case noSuchAlbum(LocalIdentifier)
    case noSuchFolder(UUID)
    case noSuchResource(LocalIdentifier)
    case albumExists(LocalIdentifier)
    case assetExists(LocalIdentifier)
    /// Stored bytes do not have their hash.
    case torn(ContentHash)
    /// The disk failed twice: imports have stopped (RULES R10).
    case readOnly(why: String)
    /// A change within a change (A54).
    case nestedChange
}

extension LibraryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let path, let holder):
            "another albumd has the library '\(printable(path))' open (\(printable(holder))); stop it, or give this one another library"
        case .newerFormat(let found, let supported):
            "the library has format \(found), this albumd knows up to \(supported); install the newer albumd again, or put back the catalogue backup of before the upgrade from snapshots/"
        case .notALibrary(let path):
            "'\(printable(path))' is not empty and holds no library.json; name an empty directory, or the library itself"
        case .catalogueMissing(let path):
            "'\(printable(path))' holds originals but no catalogue.sqlite; put the newest file of snapshots/ back under that name (nothing was changed)"
        case .catalogueDamaged(let path, let findings):
            "the catalogue of '\(printable(path))' is damaged (\(printable(findings.first ?? ""))); put the newest file of snapshots/ back (nothing was changed)"
        case .remoteFileSystem(let path, let kind):
            "'\(printable(path))' is on \(kind), where locks and syncs cannot be relied on; keep the library on a local disk"
        case .unsafeOwnership(let path, let why):
            "'\(printable(path))' \(why); mend it with chown and chmod go-w"
        case .corruptRow(let what): "the catalogue has a row that breaks its format (\(printable(what)))"
        case .noSuchAsset(let identifier): "no asset \(identifier)"
        case .noSuchAlbum(let identifier): "no album \(identifier)"
        case .noSuchFolder(let folder): "no folder \(folder)"
        case .noSuchResource(let identifier): "asset \(identifier) has no such resource"
        case .albumExists(let identifier): "album \(identifier) exists already"
        case .assetExists(let identifier): "asset \(identifier) exists already"
        case .torn(let hash): "the stored original \(hash.hexadecimal) does not have its hash"
        case .readOnly(let why): "the library takes no imports until albumd is started again: \(printable(why))"
        case .nestedChange: "a change was begun within a change"
        }
    }
}
