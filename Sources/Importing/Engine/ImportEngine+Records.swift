import PhotoModel
import PhotoStore
import Platform

/// Small changes of the importer's own, that need no bytes.
extension ImportEngine {
    /// Writes outcomes; says why where the disk has no room for them.
    func record(_ sources: [Source]) throws -> String? {
        guard !sources.isEmpty else { return nil }
        return try change { change in
            for source in sources {
                try change.record(source)
            }
        }
    }

    func register(_ folder: FolderRegistration) throws -> String? {
        try change { try $0.perform(.registerFolder(folder)) }
    }

    /// Notes that nothing is at these paths; what cannot be written now is met again by the next scan.
    func noteGone(_ keys: [SourceKey]) throws {
        let waiting = try keys.filter { try reader.source($0)?.waits ?? false }
        guard !waiting.isEmpty else { return }
        _ = try change { change in
            for key in waiting {
                try change.noteGone(key)
            }
        }
    }

    func setCondition(of hash: ContentHash, _ condition: Condition) throws {
        _ = try change { try $0.perform(.setCondition(ConditionChange(hash: hash, condition: condition))) }
    }

    /// A full disk is an answer; whatever else the catalogue throws is the end (RULES R10).
    private func change(_ body: @Sendable (inout Change) throws -> Void) throws -> String? {
        do {
            try library.onThread { library in
                _ = try library.performChanges(origin: "import", body)
            }
            return nil
        } catch  where PhotoLibrary.isFull(error) {
            return "the library's disk is full: \(error)"
        }
    }
}
