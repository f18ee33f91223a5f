import Cloud
import Control
import EngineSupport
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport

@testable import Daemon

/// `safe --release`: what was answered yes is erased, and its photo must stay.
extension World {
    func erase(_ path: PathBytes) throws {
        guard !isDown, unmounted.isEmpty, writers[path] == nil, let bytes = bench.tree.bytes(at: path),
            let hash = SampleMedia.hash(bytes), let key = try bench.key(path)
        else { return }
        let directory = try bench.machine.files.openDirectory(path.directory.bytes)
        let status = try bench.machine.files.status(at: path.name.bytes, in: directory)
        let question = SafetyQuestion(
            sha256: hash, byteCount: Int64(bytes.count), path: path, device: status.device, inode: status.inode)
        var row: SafetyRow?
        let isDone = try engineRuns {
            try asked { row = try release(SafetyInquiry(SafetyRequest(files: [question]))) }
        }
        if let row { trace.note("  \(row.isSafe ? "safe" : "not safe: \(row.detail ?? "")")") }
        guard isDone, let row, row.isSafe else { return }
        let asset = try checkSafe(row, hash)
        otherNamesChange(of: path)
        try bench.remove(path)
        // Elsewhere nothing was released, for there no deletion is followed.
        if try rule(of: key)?.onSourceDeleted == .trash { acknowledged.erased[key] = asset }
    }

    /// As the daemon does it, for one file.
    private func release(_ inquiry: SafetyInquiry) throws -> SafetyRow? {
        // Before it has looked at its folders the daemon says no.
        guard Set(bench.engine?.status.folders.map(\.rule) ?? []) == Set(bench.rules) else { return nil }
        let folders = mirroredFolders()
        let bytes = try readOriginals(inquiry.hashes)
        let sound = inquiry.files.filter { bytes.areSound($0.hash) }
        if !sound.isEmpty, !folders.isEmpty {
            try library().onThread { library in
                _ = try library.performChanges(origin: "person") { change in
                    let judge = SafetyJudge(catalogue: change.catalogue, bytes: bytes, folders: folders)
                    for file in sound { try change.release(judge.mirroredSources(of: file).sources) }
                }
            }
        }
        let judge = SafetyJudge(
            catalogue: try bench.catalogue(), bytes: bytes, folders: folders,
            leaving: try leavingPhotos(having: inquiry.hashes))
        return try inquiry.files.first.map(judge.row)
    }

    private func readOriginals(_ hashes: [ContentHash]) throws -> SafetyBytes {
        var bytes = SafetyBytes(stored: [:], copies: [:])
        for version in try hashes.compactMap({ try bench.catalogue().version(of: $0) }) {
            guard version.residency != .inCloud else {
                bytes.copies[version.content.hash] = try? cloud?.tier.check(version.content)
                continue
            }
            let look = try library().directory.originals.look(at: version.content, reading: true)
            bytes.stored[version.content.hash] = look
            if look.finding != .sound || version.condition != .sound {
                _ = try library().onThread { try $0.record([(version.content, look)]) }
            }
        }
        return bytes
    }

    private func mirroredFolders() -> [MirroredFolder] {
        (bench.engine?.status.folders ?? []).filter { $0.rule.onSourceDeleted == .trash }.map {
            MirroredFolder(folder: $0.folder, paths: [PathBytes($0.rule.path)])
        }
    }

    /// Photos whose files are gone, whether the engine has seen that or not.
    private func leavingPhotos(having hashes: [ContentHash]) throws -> Set<LocalIdentifier> {
        let catalogue = try bench.catalogue()
        let sources = try hashes.compactMap { try catalogue.assetHaving($0) }.flatMap { try catalogue.sources(of: $0) }
        let absent = try sources.filter { source in
            guard source.isMappedAndPresent, let rule = try rule(of: source.key), rule.onSourceDeleted == .trash else {
                return false
            }
            return !isThere(PathBytes(rule.path).appending(source.key.path.bytes))
        }
        return Set(try catalogue.assetsAbandoned(by: Set(absent.map(\.key))).map(\.asset))
    }

    /// A yes is one: a live photo has the very bytes, and they are there.
    private func checkSafe(_ row: SafetyRow, _ hash: ContentHash) throws -> LocalIdentifier {
        let catalogue = try bench.catalogue()
        guard let identifier = row.localIdentifier, let asset = try catalogue.asset(identifier), asset.state == .live,
            let version = try catalogue.version(of: hash),
            try catalogue.assetHaving(hash) == identifier
        else { throw Violation(rule: "N1", "\(hash.hexadecimal) is safe to erase, and no live photo has it") }
        let isThere = try version.residency == .inCloud ? isInStore(version.content) : stored(version.content) == .sound
        guard isThere else {
            throw Violation(rule: "N1", "\(hash.hexadecimal) is safe to erase, and its bytes are not there")
        }
        return identifier
    }

    /// Where another file stands now, the one that was erased is forgotten, and its release with it.
    func forgetErasures() {
        acknowledged.erased = acknowledged.erased.filter { key, _ in
            guard let rule = try? rule(of: key) else { return true }
            return !bench.tree.exists(PathBytes(rule.path).appending(key.path.bytes))
        }
    }
}
