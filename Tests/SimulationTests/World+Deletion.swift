import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import TestSupport

/// What a person deletes and takes back, and volumes that go and come.
extension World {
    func delete(_ path: PathBytes) throws {
        guard !isDown, let asset = try asset(of: path) else { return }
        try engineRuns {
            let rules = bench.rules.filter { $0.onAssetDeleted == .remove }
            let folders = try rules.compactMap { try bench.catalogue().folder(at: PathBytes($0.path))?.folder }
            try change { try $0.delete([asset], removingSourcesIn: Set(folders)) }
            bench.post(.assetsDeleted)
        }
    }

    func withTrashed(_ number: Int, _ body: @Sendable (inout Change, LocalIdentifier) throws -> Void) throws {
        guard !isDown, let asset = try trashed(number) else { return }
        try engineRuns { try change { try body(&$0, asset) } }
    }

    func purge(_ number: Int) throws {
        guard !isDown, let asset = try trashed(number) else { return }
        try engineRuns {
            _ = try library().onThread { try $0.purge([asset], origin: "person", reason: .person) }
        }
    }

    func confirm() throws {
        guard let token = bench.engine?.status.heldDeletions.first?.token else { return }
        try engineRuns {
            bench.post(.confirmDeletion(token: token) { _ in })
            try bench.run(for: .milliseconds(10))
        }
    }

    /// No event tells of a mount (RULES R32).
    func unmount(_ folder: PathBytes) throws {
        // One that was never online would be taken on as it is then: that is a person's mistake.
        guard unmounted.isEmpty, !isDown, !hasWriter(below: folder), try bench.catalogue().folder(at: folder) != nil
        else { return }
        try bench.program.rename(folder.bytes, to: away(folder).bytes)
        try bench.program.makeDirectory(folder.bytes)
        unmounted = [folder]
    }

    func mount() throws {
        for folder in unmounted {
            try bench.program.removeDirectory(folder.bytes)
            try bench.program.rename(away(folder).bytes, to: folder.bytes)
        }
        unmounted = []
    }

    private func away(_ folder: PathBytes) -> PathBytes { PathBytes(folder.bytes + Array(".unmounted".utf8)) }

    private func asset(of path: PathBytes) throws -> LocalIdentifier? {
        try bench.key(path).flatMap { try bench.catalogue().source($0)?.localIdentifier }
    }

    private func trashed(_ number: Int) throws -> LocalIdentifier? {
        let rows = try bench.catalogue().trashedAssets(after: 0, limit: 500).rows
        return rows.isEmpty ? nil : rows[number % rows.count].localIdentifier
    }

    private func change(_ body: @Sendable (inout Change) throws -> Void) throws {
        try library().onThread { library in _ = try library.performChanges(origin: "person", body) }
    }

    /// I14: what followed a deletion followed one that happened.
    ///
    /// While the engine ran nobody else acted: what is in the model now was there then.
    func checkDepartures(_ line: HistoryLine) throws {
        let requests = try changeRequests(fromHistory: line.changes)
        for case .recordSource(let source) in requests where source.departure?.date == line.date {
            guard let rule = try rule(of: source.key) else { continue }
            let path = PathBytes(rule.path).appending(source.key.path.bytes)
            guard !unmounted.contains(PathBytes(rule.path)), bench.tree.files[path] == nil else {
                throw Violation(rule: "I14", "\(path) is there, and was taken for gone")
            }
        }
        for case .purgeAsset(let purge) in requests where purge.reason == .expired {
            throw Violation(rule: "I16", "\(purge.localIdentifier) expired, and albumd has not run for a day")
        }
    }

    func rule(of key: SourceKey) throws -> FolderRule? {
        try bench.rules.first { try bench.catalogue().folder(at: PathBytes($0.path))?.folder == key.folder }
    }

    /// I25, the other way round: what is mapped as there is there, or somebody was asked.
    ///
    /// The disk is asked and not the model: a removal whose sync failed comes back with a power cut.
    func checkAbsences() throws {
        let held = Set((bench.engine?.status.heldDeletions ?? []).flatMap(\.evidence.keys))
        for rule in bench.rules {
            guard let folder = try bench.catalogue().folder(at: PathBytes(rule.path))?.folder else { continue }
            for source in try bench.catalogue().sources(in: folder, after: nil, limit: .max) {
                let path = PathBytes(rule.path).appending(source.key.path.bytes)
                guard source.localIdentifier != nil, source.isPresent, !isThere(path), !held.contains(source.key)
                else { continue }
                throw Violation(rule: "I25", "\(path) is gone, and is mapped as if it were there")
            }
        }
    }
}
