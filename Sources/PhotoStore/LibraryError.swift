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
    /// One was to be rebuilt, and none is there.
    case noLibrary(path: String)
    /// Nothing is there, and a folder is marked by a library: it is elsewhere, or its volume is not mounted.
    case libraryOfFolderAbsent(path: String, folder: PathBytes, library: UUID, isInCloud: Bool)
    /// It makes no sense, or is missing where everything else of a library is there.
    case formatUnreadable(path: String)
    /// SQLite takes a path as text.
    case pathNotText(path: String)
    /// Originals, staging and set-aside must be one file system: bytes are renamed between them (RULES R2).
    case severalFileSystems(path: String)
    /// It was begun from what the cloud kept, and not ended.
    case restoreUnfinished(path: String)
    /// It, or one of its directories, is not in its place any more; the name is empty for the library itself.
    case directoryRemoved(path: String, name: String)
    /// The catalogue or the journal is there, the directory of originals is not.
    case originalsGone(path: String)
    /// The directory of originals has none of those that are to be there.
    case originalsEmptied(path: String)
    /// What stands under the name of one of its directories is no plain directory of its own (RULES R2).
    case directoryUnusable(path: String, name: String, why: String)
    /// No catalogue can be made anew, or brought up to date, without these, which the journal has not whole.
    case changesLost(String, wasCloudAsked: Bool)
    /// The journal is ahead of the catalogue, and its changes up to this token cannot all be applied.
    case journalIncomplete(upTo: Int64)
    /// This change of the journal cannot be made after those before it.
    case journalUnfit(token: Int64, why: String)
    case journalConflict(JournalConflict)
    /// The catalogue's change with this token is not the journal's: one of them is another library's.
    case historiesDiffer(path: String, token: Int64, file: String)
    /// The originals are there, the catalogue is not.
    case catalogueMissing(path: String)
    case catalogueDamaged(path: String, findings: [String])
    /// Something stands in the catalogue's place that is none, and that nobody but a person may move.
    case catalogueForeign(path: String, why: String)
    case remoteFileSystem(path: String, kind: String)
    /// It takes no writes now; a start may succeed later (RULES R12).
    case fileSystemReadOnly(path: String)
    /// Its own user may not write in it.
    case notPermitted(path: String, why: String)
    case unsafeOwnership(path: String, why: String)
    case corruptRow(String)
    /// A change of the history is not one that albumd wrote.
    case historyDamaged
    case noSuchAsset(LocalIdentifier)
    case assetPurged(LocalIdentifier)
    case noSuchAlbum(LocalIdentifier)
    case noSuchFolder(UUID)
    case noSuchResource(LocalIdentifier)
    case noSuchContent(ContentHash)
    /// An original cannot go that way in one step, or the proof is missing (RULES R39).
    case illegalResidency(ContentHash, from: Residency, to: Residency)
    case albumExists(LocalIdentifier)
    case assetExists(LocalIdentifier)
    /// Stored bytes do not have their hash.
    case torn(ContentHash)
    /// The disk failed twice: imports have stopped (RULES R10).
    case readOnly(why: String)
    /// A change within a change (A54).
    case nestedChange
}

extension LibraryError {
    /// What became of the catalogue, where a rebuild is what helps (RULES R49).
    var lossOfCatalogue: String? {
        switch self {
        case .catalogueMissing: "gone"
        case .catalogueDamaged(_, let findings): "damaged (\(printable(findings.first ?? "")))"
        default: nil
        }
    }
}

extension LibraryError {
    /// Whether a rebuild with `--partial` would pass it over.
    var isOfUnfitHistory: Bool {
        switch self {
        case .changesLost, .journalIncomplete, .journalUnfit, .journalConflict, .catalogueMissing: true
        default: false
        }
    }

    /// Whether nothing is stored until a person has looked at the directory of originals.
    package var isOfEmptiedOriginals: Bool { if case .originalsEmptied = self { true } else { false } }
}

extension LibraryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let path, let holder):
            "another albumd has the library '\(printable(path))' open (\(printable(holder))); stop it, or give this one another library"
        case .newerFormat(let found, let supported):
            "the library has format \(found), this albumd knows up to \(supported); install the newer albumd again, or go back to the backup of before the upgrade in snapshots/ (docs/library-format.md, Versions)"
        case .notALibrary(let path):
            "'\(printable(path))' is not empty and holds no library.json; name an empty directory, or the library itself"
        case .libraryOfFolderAbsent(let path, let folder, let library, let isInCloud):
            "there is no library at '\(printable(path))', and the folder '\(printable(folder.bytes))' belongs to the library \(library): is the library's own volume mounted?\(isInCloud ? " If its disk is lost, the cloud below [cloud] has this library, and makes it anew here: albumd restore --from-cloud." : "") If a new library is really to begin here, remove .albumd-folder from its folders first (nothing was changed)"
        case .noLibrary(let path):
            "there is no library at '\(printable(path))'; name the configuration that says where it is: --config FILE"
        case .formatUnreadable(let path):
            "library.json of '\(printable(path))' is missing or cannot be read; put it back from a backup, or write it as docs/library-format.md says, with the library identifier that stands in a folder's .albumd-folder (nothing was changed)"
        case .pathNotText(let path):
            "the library's path '\(printable(path))' is not UTF-8; give the library another name"
        case .restoreUnfinished(let path):
            "the restore of '\(printable(path))' was not ended; end it: albumd restore --from-cloud (nothing was changed)"
        case .directoryRemoved(let path, let name):
            "'\(printable(path))\(name.isEmpty ? "" : "/" + name)' was removed, moved or mounted over while albumd ran; put it back where it was, and start albumd again, if systemd does not"
        case .originalsGone(let path):
            "'\(printable(path))/originals' is not there, and the library's catalogue is: the directory was moved or removed; put it back where it was, and start albumd again, if systemd does not: all is well then. If it is lost for ever, make an empty one (mkdir -m 700, by albumd's user): albumd then says of each photo that it is missing, and albumctl repair puts back what a source still has (nothing was changed)"
        case .originalsEmptied(let path):
            "'\(printable(path))/originals' has none of the library's originals: it was emptied, or is not the directory of before, and nothing is stored in it until that is clear"
        case .directoryUnusable(let path, let name, let why):
            "'\(printable(path))/\(name)' \(printable(why)), and files are renamed into it and out of it; make it a plain directory of the library: unmount or move what stands there. To have the photos on another disk, mount that on '\(printable(path))' (nothing was changed)"
        case .severalFileSystems(let path):
            "originals, staging and set-aside of '\(printable(path))' are not on one file system (or btrfs subvolume); make them plain directories of it"
        case .changesLost(let which, let wasCloudAsked):
            "the catalogue cannot be made without \(which)\(wasCloudAsked ? ", and neither a snapshot nor the cloud has it" : ""); \(wasCloudAsked ? "" : "take it from a snapshot or the cloud where these have it: albumctl library rebuild, or ")put the files of journal/ back that are missing or damaged, or give up what is lost: albumctl library rebuild --partial (nothing was changed)"
        case .journalIncomplete(let token):
            "the journal is ahead of the catalogue, and its changes up to \(token) cannot all be applied; put the files of journal/ back that are missing or damaged, or the albumd that wrote them, or give up what is lost: albumctl library rebuild --partial (nothing was changed)"
        case .journalUnfit(let token, let why):
            "change \(token) of the journal does not follow from those before it (\(printable(why))); put the right files of journal/ and snapshots/ back, or give up what does not fit: albumctl library rebuild --partial (nothing was changed)"
        case .journalConflict(let conflict):
            "change \(conflict.token) stands twice in the journal and not the same, in \(conflict.places); move the file away that is not this library's, or take one as it comes: albumctl library rebuild --partial (nothing was changed)"
        case .historiesDiffer(let path, let token, let file):
            "the catalogue of '\(printable(path))' and its journal are not of one library: change \(token) of \(printable(file)) is another than the journal's; move away whichever is not this library's: \(printable(file)), which albumd makes anew, or the file of journal/ (nothing was changed)"
        case .catalogueMissing(let path):
            "'\(printable(path))' holds originals but no catalogue.sqlite, and neither journal/ nor snapshots/ to rebuild it from; put one of the three back from a backup, or begin with the originals alone: albumctl library rebuild --partial (nothing was changed)"
        case .catalogueDamaged(let path, let findings):
            "the catalogue of '\(printable(path))' is damaged (\(printable(findings.first ?? ""))); rebuild it: albumctl library rebuild (nothing was changed)"
        case .catalogueForeign(let path, let why):
            "catalogue.sqlite of '\(printable(path))' is not albumd's (\(printable(why))); move it away: albumd rebuilds its own (nothing was changed)"
        case .remoteFileSystem(let path, let kind):
            "'\(printable(path))' is on \(kind), where locks and syncs cannot be relied on; keep the library on a local disk"
        case .fileSystemReadOnly(let path):
            "the file system of '\(printable(path))' is read-only now; dmesg says why: mend it, mount it read-write, and start albumd again, if systemd does not (nothing was changed)"
        case .notPermitted(let path, let why):
            "albumd may not write in the library '\(printable(path))' (\(printable(why))); give it back to the user that albumd runs as, with chown -R, let its owner write, with chmod u+rwx on it and on what it holds but originals' files, and see with lsattr that nothing in it is immutable (nothing was changed)"
        case .unsafeOwnership(let path, let why):
            "'\(printable(path))' \(why); mend it with chown and chmod go-w"
        case .corruptRow(let what): "the catalogue has a row that breaks its format (\(printable(what)))"
        case .historyDamaged: "a change of the catalogue's history is damaged, and is not understood"
        case .noSuchAsset(let identifier): "no asset \(identifier)"
        case .assetPurged(let identifier): "asset \(identifier) was deleted for good"
        case .noSuchAlbum(let identifier): "no album \(identifier)"
        case .noSuchFolder(let folder): "no folder \(folder)"
        case .noSuchResource(let identifier): "asset \(identifier) has no such resource"
        case .noSuchContent(let hash): "no original \(hash.hexadecimal)"
        case .illegalResidency(let hash, let before, let after):
            "original \(hash.hexadecimal) cannot become \(after.rawValue) from \(before.rawValue): the catalogue is not as its history made it; albumctl library rebuild makes it anew"
        case .albumExists(let identifier): "album \(identifier) exists already"
        case .assetExists(let identifier): "asset \(identifier) exists already"
        case .torn(let hash): "the stored original \(hash.hexadecimal) does not have its hash"
        case .readOnly(let why): "the library takes no imports until albumd is started again: \(printable(why))"
        case .nestedChange: "a change was begun within a change"
        }
    }
}
