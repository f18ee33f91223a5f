import Cloud
import PhotoModel
import PhotoStore
import Platform

/// Copies that a store which is behind should have: it may be an older copy of itself, or have been emptied.
extension CloudService {
    /// Of a store whose history ends with `token`: what came to it after that may not be there, and is asked for soon.
    ///
    /// After a crash the history is seconds behind, and little is asked for.
    func noteCopies(after token: Int64) throws {
        let copies = try token == 0 ? allCopies() : copies(after: token)
        guard !copies.isEmpty else { return }
        state.update { $0.unasked.formUnion(copies) }
        machine.log(
            .notice, "the store is behind the library: what came to it since is asked for",
            ["after": String(token), "originals": String(copies.count)])
    }

    private func allCopies() throws -> Set<ContentHash> {
        try readers.readNow { Set(try $0.copiedContents()) }
    }

    private func copies(after token: Int64) throws -> Set<ContentHash> {
        var (copies, last): (Set<ContentHash>, Int64) = ([], token)
        while goesOn() {
            let lines = try history(last, 256)
            guard let end = lines.last?.token else { break }
            for line in lines where line.changes.contains("setResidency") {
                for case .setResidency(let change) in try changeRequests(fromHistory: line.changes) {
                    copies.insert(change.hash)
                }
            }
            last = end
        }
        return copies
    }

    /// Asks for them; what the store denies is in doubt from then on, and what keeps it from answering ends it for now.
    func askForCopies() {
        for hash in state.update({ $0.unasked.sorted() }) where goesOn() {
            do {
                let version = try readers.readNow { try $0.version(of: hash) }
                if let version, version.residency != .local { _ = try tier.check(version.content) }
            } catch TierError.unknown {
                // Purged, or here alone, since then.
            } catch {
                return machine.log(.notice, "a copy cannot be asked for yet: \(error)", ["sha256": hash.hexadecimal])
            }
            state.update { _ = $0.unasked.remove(hash) }
        }
    }
}
