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
/// The row knows the very file before that has its name: after a crash it is passed over like any that was put back,
/// and what is left over under its first name goes with the next scan.
extension ImportEngine {
    /// Each keeps two descriptors meanwhile.
    private static let putBackCount = 64

    func putBack(_ sources: [Source]) throws -> [PutBack] {
        var roots = RootsOfStep(self)
        var outcomes: [PutBack] = []
        for start in stride(from: 0, to: sources.count, by: ImportEngine.putBackCount) {
            let some = sources[start..<min(start + ImportEngine.putBackCount, sources.count)]
            outcomes += try putBack(some, &roots)
        }
        return outcomes
    }

    private func putBack(_ sources: ArraySlice<Source>, _ roots: inout RootsOfStep) throws -> [PutBack] {
        var failures: [SourceKey: String] = [:]
        var copies: [PutBackFile] = []
        for source in sources {
            do throws(PutBackFile.Refusal) {
                copies.append(try copy(source, &roots))
            } catch {
                failures[source.key] = error.why
            }
        }
        if let why = try record(copies.map { $0.row(isRemoved: true) }) {
            for copy in copies {
                copy.discard()
                failures[copy.source.key] = "\(why)"
            }
            copies = []
        }
        if !copies.isEmpty { try machine.reach(.putBackCopied) }
        var rows: [Source] = []
        for copy in copies {
            do throws(PutBackFile.Refusal) {
                rows.append(try copy.appear())
            } catch {
                failures[copy.source.key] = error.why
                // As it was before: nothing of it is there.
                rows.append(copy.source)
            }
        }
        if !copies.isEmpty { try machine.reach(.sourcePutBack) }
        // What a full disk does not take is told by the next scan.
        _ = try record(rows)
        return sources.map { PutBack(key: $0.key, failure: failures[$0.key]) }
    }

    private func copy(_ source: Source, _ roots: inout RootsOfStep) throws(PutBackFile.Refusal) -> PutBackFile {
        do {
            guard let root = try roots.root(of: source.key.folder) else {
                throw PutBackFile.Refusal(why: "its folder is not online")
            }
            guard let hash = source.evidence?.hash, let stored = try reader.version(of: hash),
                try library.directory.originals.isSound(stored.content)
            else { throw PutBackFile.Refusal(why: "its bytes are not in the library any more") }
            // A crash may have left one.
            PutBackFile.discardLeftover(of: source, beneath: root, files: machine.files)
            return try PutBackFile.copy(
                library.directory.originals.open(stored.content), of: source, beneath: root, files: machine.files)
        } catch {
            throw PutBackFile.Refusal(error)
        }
    }

    /// What a crash left of files that were to be put back.
    func discardLeftovers(of sources: [Source]) throws {
        var roots = RootsOfStep(self)
        for source in sources where source.isRemoved && source.reason == .putBack {
            guard let root = try roots.root(of: source.key.folder) else { continue }
            PutBackFile.discardLeftover(of: source, beneath: root, files: machine.files)
        }
    }
}
