import PhotoModel
import PhotoStore
import Platform

/// Small changes of the importer's own, that need no bytes.
extension ImportEngine {
    /// Writes outcomes, and tells those that are news; says why where the disk does not take them now.
    func record(_ sources: [Source]) throws -> FileError? {
        guard !sources.isEmpty else { return nil }
        return try change { change in
            for source in sources {
                let before = try change.catalogue.source(source.key)
                let count = change.requests.count
                try change.record(source)
                if change.requests.count > count { change.tell(source.finding(after: before), of: source.key) }
            }
        }
    }

    func register(_ folder: FolderRegistration) throws -> String? {
        try change { try $0.perform(.registerFolder(folder)) }.map(\.description)
    }

    /// Notes that nothing is at these paths; what cannot be written now is met again by the next scan.
    func noteGone(_ keys: [SourceKey]) throws {
        let waiting = try keys.compactMap { try reader.source($0) }.filter(\.waits)
        guard !waiting.isEmpty else { return }
        try discardLeftovers(of: waiting)
        _ = try change { change in
            for source in waiting {
                try change.noteGone(source.key)
            }
        }
    }

    func setCondition(of hash: ContentHash, _ condition: Condition) throws {
        _ = try change { try $0.perform(.setCondition(ConditionChange(hash: hash, condition: condition))) }
    }

    func change(_ body: @Sendable (inout Change) throws -> Void) throws -> FileError? {
        unwritten = try unlessRefused {
            try library.onThread { library in
                _ = try library.performChanges(origin: "import", body)
            }
        }
        return unwritten
    }

    /// A disk that is full, or takes no writes now, is an answer; whatever else the catalogue throws is the end
    /// (RULES R10, R11, R12).
    func unlessRefused(_ body: () throws -> Void) throws -> FileError? {
        do {
            try body()
            return nil
        } catch {
            guard let refusal = PhotoLibrary.refusal(error) else { throw error }
            return refusal
        }
    }
}

extension Source {
    /// What `why` tells of an outcome that no byte was read for.
    fileprivate func finding(after before: Source?) -> String {
        if isRemoved, before?.isRemoved != true { return "its original was proven, and albumd removed the file" }
        let why = (detail ?? reason.explanation).map { ": \($0)" } ?? ""
        let other = before?.localIdentifier.flatMap { $0 == localIdentifier ? nil : $0 }
        let kept = other.map { "; what was here before stays in the library as \($0)" } ?? ""
        return "\(outcome.rawValue) (\(reason.rawValue))\(why)\(kept)"
    }
}
