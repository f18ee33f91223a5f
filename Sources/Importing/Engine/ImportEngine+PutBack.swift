import FoundationEssentials
package import PhotoModel
import PhotoStore
import Platform

/// What became of putting one source back.
package struct PutBack: Sendable, Equatable {
    package var key: SourceKey
    /// Why it is not there, in a sentence; nil where it is.
    package var failure: String?

    package init(key: SourceKey, failure: String? = nil) {
        self.key = key
        self.failure = failure
    }
}

/// An undo puts files back that albumd had removed (RULES I4): under the checks of their removal, and never over
/// anything that stands there.
///
/// The row says so before anything of the file is there, and knows the very file before that has its name: after a crash
/// it is passed over like any that was put back, and what is left over under its first name goes with the next scan.
extension ImportEngine {
    /// Each keeps two descriptors meanwhile.
    private static let putBackCount = 64

    func putBack(_ sources: [Source], isDryRun: Bool) throws -> [PutBack] {
        var roots = RootsOfStep(self)
        var failures: [SourceKey: String] = [:]
        for start in stride(from: 0, to: sources.count, by: ImportEngine.putBackCount) {
            let some = sources[start..<min(start + ImportEngine.putBackCount, sources.count)]
            let free = try refusing(some, &failures) { source in
                try requireWay(for: source, &roots)
                return source
            }
            if !isDryRun { try putBack(free, &roots, &failures) }
        }
        return sources.map { PutBack(key: $0.key, failure: failures[$0.key]) }
    }

    private func putBack(_ sources: [Source], _ roots: inout RootsOfStep, _ failures: inout [SourceKey: String]) throws
    {
        if let why = try record(sources.map(PutBackFile.noted)) {
            for source in sources { failures[source.key] = "\(why)" }
            return
        }
        if !sources.isEmpty { try machine.reach(.putBackNoted) }
        var copies = try refusing(sources[...], &failures) { source in
            try copy(source, &roots)
        }
        if let why = try record(copies.map { $0.row(isRemoved: true) }) {
            for copy in copies {
                copy.discard()
                failures[copy.source.key] = "\(why)"
            }
            copies = []
        }
        if !copies.isEmpty { try machine.reach(.putBackCopied) }
        let rows = try refusing(copies[...], of: \.source.key, &failures) { copy in
            try copy.appear()
        }
        if !copies.isEmpty { try machine.reach(.sourcePutBack) }
        // Of the others nothing is there, as before. What a full disk does not take is told by the next scan.
        _ = try record(rows + sources.filter { failures[$0.key] != nil })
    }

    private func refusing<Result>(
        _ sources: ArraySlice<Source>, _ failures: inout [SourceKey: String],
        _ body: (Source) throws -> Result
    ) throws -> [Result] {
        try refusing(sources, of: \.key, &failures, body)
    }

    /// What came of those that were not refused; why the others were.
    private func refusing<Item, Result>(
        _ items: ArraySlice<Item>, of key: (Item) -> SourceKey, _ failures: inout [SourceKey: String],
        _ body: (Item) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        for item in items {
            do {
                results.append(try body(item))
            } catch let refusal as PutBackFile.Refusal {
                failures[key(item)] = refusal.why
            } catch let error as FileError {
                failures[key(item)] = PutBackFile.Refusal(error).why
            }
        }
        return results
    }

    /// Its folder is there, and its path free.
    private func requireWay(for source: Source, _ roots: inout RootsOfStep) throws {
        let root = try root(of: source, &roots)
        try PutBackFile.requireFree(source.key.path, beneath: root, files: machine.files)
    }

    private func copy(_ source: Source, _ roots: inout RootsOfStep) throws -> PutBackFile {
        let root = try root(of: source, &roots)
        return try PutBackFile.copy(try original(of: source), of: source, beneath: root, machine: machine)
    }

    private func root(of source: Source, _ roots: inout RootsOfStep) throws -> OpenFile {
        guard let root = try roots.root(of: source.key.folder) else {
            throw PutBackFile.Refusal(why: "its folder is not online")
        }
        return root
    }

    private func original(of source: Source) throws -> OpenFile {
        guard let hash = source.evidence?.hash, let stored = try reader.version(of: hash),
            try library.directory.originals.isSound(stored.content)
        else { throw PutBackFile.Refusal(why: "its bytes are not in the library any more") }
        return try library.directory.originals.open(stored.content)
    }

    /// What a crash left of files that were to be put back.
    func discardLeftovers(of sources: [Source]) throws {
        var roots = RootsOfStep(self)
        for source in sources where source.isRemoved && source.reason == .putBack {
            guard let root = try roots.root(of: source.key.folder) else { continue }
            PutBackFile.discardLeftover(of: source, beneath: root, try? original(of: source), files: machine.files)
        }
    }
}
