import Cloud
import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// `safe`: may these files be erased? Yes only where the stored original was read again now, and hashes right, or where
/// the cloud, which has it alone, was asked for its hash now; and where the erasing would not delete the photo.
extension LibraryService {
    func safety(_ request: SafetyRequest) async throws -> PageOf<SafetyRow> {
        try await answer(SafetyInquiry(request), releasingFor: nil)
    }

    /// The same, after the sources asked about were marked: their disappearance deletes nothing any more.
    func release(_ request: SafetyRequest, by peer: Peer) async throws -> PageOf<SafetyRow> {
        try await answer(SafetyInquiry(request), releasingFor: peer)
    }

    private func answer(_ inquiry: SafetyInquiry, releasingFor peer: Peer?) async throws -> PageOf<SafetyRow> {
        let bytes = try await findBytes(of: inquiry.hashes)
        let folders = await mirroredFolders()
        if let peer { try await release(inquiry, bytes, folders, by: peer) }
        let standing = try await pool.run { try self.standing(of: inquiry, in: folders) }
        let leaving = try await leavingPhotos(having: inquiry.hashes, folders)
        let rows = try await read { catalogue in
            let judge = SafetyJudge(
                catalogue: catalogue, bytes: bytes, folders: folders, standing: standing, leaving: leaving,
                rebuilding: rebuilding)
            return try inquiry.files.map { try doubted(judge.row(of: $0)) }
        }
        return PageOf(rows: rows, next: nil)
    }

    /// Of each where it is; what moves between the disk and the cloud meanwhile is looked for once more.
    private func findBytes(of hashes: [ContentHash]) async throws -> SafetyBytes {
        var bytes = SafetyBytes(stored: [:], copies: [:], hasCloud: cloud != nil)
        var asked: Set<ContentHash> = []
        for _ in 0..<3 {
            let versions = try await read { catalogue in try hashes.compactMap { try catalogue.version(of: $0) } }
            let away = versions.filter { $0.residency == .inCloud && !asked.contains($0.content.hash) }.map(\.content)
            let here = versions.filter { $0.residency != .inCloud && bytes.stored[$0.content.hash] == nil }
            guard !away.isEmpty || !here.isEmpty else { break }
            asked.formUnion(away.map(\.hash))
            bytes.copies.merge(try await askCloud(for: away)) { $1 }
            bytes.stored.merge(try await readOriginals(here)) { $1 }
        }
        bytes.unanswered = asked.subtracting(bytes.copies.keys)
        let waits = bytes.copies.keys.compactMap { hash in cloud?.tier.doubtWait(of: hash).map { (hash, $0) } }
        bytes.waits = Dictionary(waits, uniquingKeysWith: { first, _ in first })
        return bytes
    }

    /// Reads what is stored, and writes down where that is not as it should be.
    func readOriginals(_ versions: [Version]) async throws -> [ContentHash: StoredBytes] {
        let contents = versions.map { AuditedContent(version: $0, isRead: true) }
        let looks = try await look(at: contents, on: pool, pace: verification.unpaced)
        let doubtful = zip(contents, looks).filter { $0.1.finding != .sound || $0.0.version.condition != .sound }
        if !doubtful.isEmpty {
            try await record(doubtful.map { ($0.0.version.content, $0.1) }).forEach(knownFaults.note)
        }
        return Dictionary(zip(contents.map(\.version.content.hash), looks), uniquingKeysWith: { first, _ in first })
    }

    /// What the cloud says now of each; nothing of those that it was not asked for, since it did not answer.
    private func askCloud(for contents: [Content]) async throws -> [ContentHash: CopyFinding] {
        guard let cloud, !contents.isEmpty else { return [:] }
        return try await cloud.pool.run {
            let tier = cloud.impatient
            // What is another's, or has a later history, proves nothing.
            guard (try? cloud.requireBelief(in: tier.store)) != nil else { return [:] }
            var copies: [ContentHash: CopyFinding] = [:]
            for content in contents {
                do { copies[content.hash] = try tier.check(content) } catch let error as TierError {
                    cloud.note(error)
                    // The next question would wait as long.
                    if case .store = error { break }
                }
            }
            return copies
        }
    }

    /// Folders whose rule deletes the photo with the file, by path as it is written and as it is.
    private func mirroredFolders() async -> [MirroredFolder] {
        let folders = importing.status.folders.filter { $0.rule.onSourceDeleted == .trash }
        guard !folders.isEmpty else { return [] }
        let resolved = try? await pool.run { folders.map { resolvedPath($0.rule.path) } }
        return zip(folders, resolved ?? folders.map(\.rule.path)).map { folder, real in
            MirroredFolder(
                folder: folder.folder, paths: Set([folder.rule.path, real]).map { PathBytes($0) },
                ignore: IgnoreRules(folder.rule.ignore))
        }
    }

    /// Looks at the files in mirroring folders that albumd may be passing over.
    ///
    /// Blocks.
    private func standing(of inquiry: SafetyInquiry, in folders: [MirroredFolder]) throws -> [PathBytes: FileStatus] {
        var found: [PathBytes: FileStatus] = [:]
        for folder in folders {
            guard let uuid = folder.folder, let path = folder.paths.first, var look = ExactLook(path, machine.files)
            else { continue }
            for file in inquiry.files.compactMap(\.path) {
                guard let rest = folder.rest(of: file) else { continue }
                let key = SourceKey(folder: uuid, path: rest)
                // What it is about to look at may become a photo yet.
                guard importing.board[key] == nil, try isPassedOver(key, by: folder) else { continue }
                found[file] = look.status(at: rest)
            }
        }
        return found
    }

    private func isPassedOver(_ key: SourceKey, by folder: MirroredFolder) throws -> Bool {
        let row = try readers.readNow { try $0.source(key) }
        guard let row else { return folder.ignore.ignores(path: key.path) }
        return row.localIdentifier == nil && row.outcome == .skipped
    }

    private func release(
        _ inquiry: SafetyInquiry, _ bytes: SafetyBytes, _ folders: [MirroredFolder], by peer: Peer
    ) async throws {
        let sound = inquiry.files.filter { bytes.areSound($0.hash) }
        guard !sound.isEmpty, !folders.isEmpty else { return }
        _ = try await library.performChanges(origin: origin(peer)) { change in
            let judge = SafetyJudge(catalogue: change.catalogue, bytes: bytes, folders: folders)
            for file in sound { try change.release(judge.mirroredSources(of: file).sources) }
        }
    }
}

extension Change {
    /// Marks sources of live photos as released: that they disappear deletes nothing any more (RULES R35).
    mutating func release(_ sources: [Source]) throws {
        for var source in sources where !source.isReleased {
            guard let asset = source.localIdentifier, try catalogue.asset(asset)?.state == .live else { continue }
            source.isReleased = true
            try perform(.recordSource(source))
            tell("released for erasing: its disappearance deletes nothing", of: source.key)
        }
    }
}
