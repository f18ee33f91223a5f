import EngineSupport
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport

/// A person undoes changes.
extension World {
    /// The nth newest change is reversed, as the daemon does it: files whose photos go are put back before.
    func undo(_ number: Int, putsBack: Bool) throws {
        // What a damaged history says is no basis: `verify --deep` and `repair` come first.
        guard !isDown, !damage.isHistoryDamaged else { return }
        let token = try bench.catalogue().lastToken() - Int64(number)
        guard let basis = try basis(of: token) else { return }
        var outcomes: [PutBack] = []
        // Asked for now: a dead engine tells nothing.
        let roots = Dictionary(uniqueKeysWithValues: try bench.catalogue().folders().map { ($0.folder, $0.path) })
        var removed: [Source] = []
        try engineRuns {
            var files = FilesBack(isAsked: putsBack)
            let plan = try undo(basis, files, isDryRun: true).plan
            if putsBack { removed = plan.removedSources }
            let first = removed.filter(plan.trashes)
            outcomes = first.isEmpty ? [] : try bench.putBack(first)
            files.failed = Set(outcomes.filter { $0.failure != nil }.map(\.key))
            let undone = try undo(basis, files, isDryRun: false)
            let rest = putsBack ? undone.plan.removedSources.filter { !first.map(\.key).contains($0.key) } : []
            removed += rest
            if !rest.isEmpty { outcomes += try bench.putBack(rest) }
            noteUndone(undone.plan, token: token)
        }
        try noteFilesBack(removed, roots)
        for outcome in outcomes { trace.note("  \(outcome.key.path): \(outcome.failure ?? "is back")") }
    }

    private func basis(of token: Int64) throws -> UndoBasis? {
        guard token > 0, var basis = try bench.catalogue().undoBasis(token) else { return nil }
        for line in try bench.catalogue().history(after: 0, limit: .max) { try basis.take(line) }
        return basis
    }

    /// An undo leaves alone what it cannot reverse, and says so: it never fails as a whole.
    private func undo(_ basis: UndoBasis, _ files: FilesBack, isDryRun: Bool) throws -> PhotoLibrary.Undone {
        do {
            return try library().onThread { library in
                try library.undo(basis, files: files, origin: "person", isDryRun: isDryRun)
            }
        } catch let error as LibraryError {
            throw Violation(rule: "N4", "the undo of \(basis.token) fails: \(error)")
        }
    }

    /// A row that an undo forgot, or wrote as it was before, is met again by the next scan: no event tells of it.
    private func noteUndone(_ plan: UndoPlan, token: Int64) {
        for request in plan.requests {
            trace.note("  undone \(token): \(request)")
            let key: SourceKey? =
                switch request {
                case .forgetSource(let key): key
                case .recordSource(let source): source.key
                default: nil
                }
            if let path = key.flatMap({ path(of: $0) }) { unsignalled.insert(path) }
        }
        for remark in plan.remarks { trace.note("  \(remark)") }
    }

    private func path(of key: SourceKey) -> PathBytes? {
        (try? rule(of: key)).flatMap { $0 }.map { PathBytes($0.path).appending(key.path.bytes) }
    }

    /// The model learns of files and directories that are there again.
    private func noteFilesBack(_ sources: [Source], _ roots: [UUID: PathBytes]) throws {
        for source in sources {
            guard let root = roots[source.key.folder], !unmounted.contains(root) else { continue }
            var directory = root
            for name in source.key.path.directory.bytes.split(separator: UInt8(ascii: "/")) {
                directory = directory.appending(Array(name))
                if !bench.tree.exists(directory), isDirectoryThere(directory) { bench.noteDirectory(directory) }
            }
            let path = root.appending(source.key.path.bytes)
            guard !bench.tree.exists(path), let bytes = try? bench.program.read(path.bytes) else { continue }
            guard SampleMedia.hash(bytes) == source.evidence?.hash else {
                throw Violation(rule: "I4", "\(path) was put back with other bytes")
            }
            bench.notePutBack(of: path, bytes)
            noteClosed(path)
        }
    }

    private func isDirectoryThere(_ path: PathBytes) -> Bool {
        (try? bench.machine.files.openDirectory(path.bytes)) != nil
    }
}
