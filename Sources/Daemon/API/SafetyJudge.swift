import Cloud
import Control
import FoundationEssentials
import Importing
import Media
import PhotoModel
import PhotoStore
import Platform

/// What was found out now about the bytes that the library has.
struct SafetyBytes: Sendable {
    /// Of originals on the disk.
    var stored: [ContentHash: StoredBytes]
    /// Of those in the cloud alone.
    var copies: [ContentHash: CopyFinding]
    /// Those of which the cloud was asked in vain.
    var unanswered: Set<ContentHash> = []
    var hasCloud = true
    /// How long until those that the cloud denied are asked for again.
    var waits: [ContentHash: Duration] = [:]

    func areSound(_ hash: ContentHash) -> Bool { stored[hash]?.finding == .sound || copies[hash] == .proven }

    /// Whether they are there with their hash, whatever the catalogue says of their number.
    func areRight(_ hash: ContentHash) -> Bool { stored[hash]?.areRight == true || copies[hash] == .proven }
}

/// Decides about one file after the other, from the catalogue and from what was read.
struct SafetyJudge {
    let catalogue: Catalogue
    let bytes: SafetyBytes
    let folders: [MirroredFolder]
    /// What stands at paths in these folders that albumd is not about to deal with.
    var standing: [PathBytes: FileStatus] = [:]
    /// Photos that are about to go to Recently Deleted.
    var leaving: Set<LocalIdentifier> = []
    /// What makes the catalogue anew.
    var rebuilding = "albumctl library rebuild"

    func row(of file: SafetyInquiry.File) throws -> SafetyRow {
        var row = SafetyRow(path: file.path)
        (row.sha256, row.byteCount) = (file.hash, file.question.byteCount)
        guard let version = try catalogue.version(of: file.hash), isOfSize(file, version) else {
            row.refuse(.unknown, "the library has no such bytes" + (try story(of: file)), fix: fix(ofUnknown: file))
            return row
        }
        guard version.content.byteCount == row.byteCount else {
            row.refuse(
                .catalogueDiffers,
                "the library has these bytes, and its catalogue says that they are \(version.content.byteCount)",
                fix: "make the catalogue anew: \(rebuilding)")
            return row
        }
        if version.residency != .inCloud { row.original = Name(version.content.path).text }
        guard let asset = try catalogue.assetHaving(file.hash).flatMap({ try catalogue.asset($0) }) else {
            row.refuse(.notStored, "the library has the bytes, but no photo has them")
            return row
        }
        row.localIdentifier = asset.localIdentifier
        row.creationDate = asset.creationDate
        row.albums = try catalogue.albums(containing: asset.localIdentifier)
            .compactMap { try catalogue.albumTitle($0) }.map { Name($0).text }
        try judge(file, version, asset, &row)
        return row
    }

    /// A row that says another size of bytes that are right is wrong itself.
    private func isOfSize(_ file: SafetyInquiry.File, _ version: Version) -> Bool {
        let isMisstated = version.residency == .inCloud || bytes.stored[file.hash]?.finding != .sound
        return version.content.byteCount == file.question.byteCount || isMisstated && bytes.areRight(file.hash)
    }

    private func judge(
        _ file: SafetyInquiry.File, _ version: Version, _ asset: Asset, _ row: inout SafetyRow
    ) throws {
        guard asset.state == .live else {
            let fix = "albumctl trash restore \(asset.localIdentifier)"
            return row.refuse(.trashed, "its photo is in Recently Deleted, and would vanish with its time", fix: fix)
        }
        guard !leaving.contains(asset.localIdentifier) else {
            return row.refuse(
                .inTrashFolder,
                "its photo is about to go to Recently Deleted: its file is gone from a folder that deletes both",
                fix: "albumctl status")
        }
        guard version.residency != .inCloud else { return try judgeCopy(file, asset, &row) }
        let stored = bytes.stored[file.hash]
        switch stored?.finding {
        case .sound: break
        case .misstated(let byteCount):
            return row.refuse(
                .catalogueDiffers,
                "its original is right, with its \(counted(Int(byteCount), "byte")), and its row is not",
                fix: "make the catalogue anew: \(rebuilding)")
        case .missing: return row.refuse(.missing, "its original is not there", fix: "albumctl repair")
        case .corrupt: return row.refuse(.corrupt, "its original has other bytes", fix: "albumctl repair")
        case .unreadable(let error): return row.refuse(.ioError, error.description, fix: "albumctl repair")
        case .stopped, nil: return row.refuse(.changed, "the library changed meanwhile", fix: "ask again")
        }
        if let status = stored?.status, status.inode == file.question.inode,
            status.device == file.question.device
        {
            return row.refuse(.isOriginal, "it is the library's own original")
        }
        try judgeFolder(file, &row)
    }

    /// Of an original that is in the cloud alone: its copy there must have been proven now.
    private func judgeCopy(_ file: SafetyInquiry.File, _ asset: Asset, _ row: inout SafetyRow) throws {
        switch bytes.copies[file.hash] {
        case .proven: try judgeFolder(file, &row)
        case nil where !bytes.unanswered.contains(file.hash):
            row.refuse(.changed, "the library changed meanwhile", fix: "ask again")
        case nil:
            let why =
                bytes.hasCloud
                ? "which does not answer, or is not this library's" : "of which the configuration says nothing"
            row.refuse(
                .inCloud, "its original is in the cloud alone, \(why)", fix: "albumctl cloud status, then ask again")
        case let finding?:
            row.refuse(
                .inCloud, "its original is in the cloud alone, and its copy there is not proven: \(finding.rawValue)",
                fix: fixOfCopy(of: asset.localIdentifier, wait: bytes.waits[file.hash]))
        }
    }

    private func judgeFolder(_ file: SafetyInquiry.File, _ row: inout SafetyRow) throws {
        let (sources, isUnmapped) = try mirroredSources(of: file)
        guard !isUnmapped, sources.allSatisfy(\.isReleased) else {
            let name = file.path.map { shellWord(path: $0.bytes) } ?? "PATH"
            let release = "albumctl safe --release \(name)"
            return row.refuse(
                .inTrashFolder,
                isUnmapped
                    ? "its folder deletes photos with their files, and albumd has not dealt with this file yet"
                    : "its folder deletes photos with their files: its photo may go to Recently Deleted",
                fix: isUnmapped ? "albumctl flush, then \(release)" : release)
        }
        row.isSafe = true
    }

    /// The sources that the erasing of this file would take away in folders that mirror that; and whether it lies in
    /// such a folder without being one, as far as albumd has seen.
    ///
    /// A file is known by its path, and by its inode where another path leads into the folder.
    func mirroredSources(of file: SafetyInquiry.File) throws -> (sources: [Source], isUnmapped: Bool) {
        var (sources, isUnmapped): ([Source], Bool) = ([], false)
        for folder in folders {
            guard let rest = file.path.flatMap(folder.rest) else { continue }
            let key = folder.folder.map { SourceKey(folder: $0, path: rest) }
            if let source = try key.flatMap({ try catalogue.source($0) }), isSource(source, file) {
                sources.append(source)
            } else if try !isPassedOver(file, rest, in: folder) {
                isUnmapped = true
            }
        }
        guard let inode = file.question.inode else { return (sources, isUnmapped) }
        let mirrored = Set(folders.compactMap(\.folder))
        let others = try catalogue.mappedSources(inode: inode).filter { source in
            mirrored.contains(source.key.folder) && source.isPresent && isSource(source, file)
                && !sources.contains { $0.key == source.key }
        }
        return (sources + others, isUnmapped)
    }

    /// Whether albumd takes no notice of the file, so that it goes without a trace: its name is ignored and always was, or
    /// it was looked at, as it is now, and is no photo.
    ///
    /// Only where that very file stands under that very name: another name of it may lead to a photo.
    private func isPassedOver(_ file: SafetyInquiry.File, _ rest: PathBytes, in folder: MirroredFolder) throws -> Bool {
        guard let uuid = folder.folder, let status = file.path.flatMap({ standing[$0] }), status.kind == .regular,
            status.inode == file.question.inode, status.device == file.question.device
        else { return false }
        let row = try catalogue.source(SourceKey(folder: uuid, path: rest))
        guard let row else { return folder.ignore.ignores(path: rest) }
        guard row.localIdentifier == nil, row.outcome == .skipped, row.reason == .notMedia else { return false }
        return row.rulesVersion == MediaRecogniser.rulesVersion
            && row.evidence?.isUnchanged(from: SourceEvidence(status)) == true
    }

    private func isSource(_ source: Source, _ file: SafetyInquiry.File) -> Bool {
        source.localIdentifier != nil && source.evidence?.hash == file.hash
    }

    /// What brings a file in that `save` does not take.
    private func fix(ofUnknown file: SafetyInquiry.File) -> String? {
        guard let name = file.path?.name, SidecarKind(named: name.bytes) != nil else { return nil }
        let suffix = printable(Array(name.bytes.split(separator: UInt8(ascii: ".")).last ?? []))
        return "a sidecar comes in with its photo: put both into a watched folder; --ignore '*.\(suffix)' leaves it out"
    }

    /// What is known of a file whose bytes are not: its outcome, where it is a source.
    private func story(of file: SafetyInquiry.File) throws -> String {
        guard let path = file.path else { return "" }
        for folder in try catalogue.folders() where path.bytes.starts(with: folder.path.bytes + [UInt8(ascii: "/")]) {
            let rest = PathBytes(Array(path.bytes[(folder.path.bytes.count + 1)...]))
            guard let source = try catalogue.source(SourceKey(folder: folder.folder, path: rest)) else { continue }
            if let asset = source.localIdentifier, try catalogue.asset(asset)?.state == .purged {
                return SidecarKind(named: path.name.bytes) == nil
                    ? "; its photo was deleted for good, and only albumctl save FILE takes it in again"
                    : "; its photo was deleted for good, and it is taken in again with that"
            }
            guard !source.outcome.isMapped else { continue }
            let detail = source.detail.map { ": \($0)" } ?? ""
            return "; it is \(source.outcome.rawValue) (\(source.reason.rawValue))\(detail)"
        }
        return ""
    }
}
