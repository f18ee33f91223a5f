package import PhotoModel
package import Platform

/// An original that is not what the catalogue says, or was not.
package struct AuditFinding: Sendable, Equatable {
    package var version: Version
    package var finding: StoredBytes.Finding

    /// For the log.
    package var sentence: String {
        if case .misstated = finding {
            "the catalogue has another size of an original, whose bytes are right: albumctl verify --deep"
        } else {
            "an original is not sound: albumctl repair"
        }
    }
}

/// What an audit found is written down here, where nothing is published or unlinked meanwhile.
extension PhotoLibrary {
    /// Takes looks that were taken elsewhere, drops those that a publish or a purge has overtaken, and records the rest.
    ///
    /// Returns what is not sound, and what is sound again.
    package func record(_ looks: [(content: Content, look: StoredBytes)]) throws -> [AuditFinding] {
        let (findings, changes) = try judge(looks)
        guard !changes.isEmpty else { return findings }
        _ = try performChanges(origin: "verify") { change in
            for condition in changes { try change.perform(.setCondition(condition)) }
        }
        return findings
    }

    /// The same, and nothing is written down.
    package func findings(of looks: [(content: Content, look: StoredBytes)]) throws -> [AuditFinding] {
        try judge(looks).findings
    }

    private func judge(
        _ looks: [(content: Content, look: StoredBytes)]
    ) throws -> (findings: [AuditFinding], changes: [ConditionChange]) {
        var findings: [AuditFinding] = []
        var changes: [ConditionChange] = []
        for (content, look) in looks {
            guard let version = try catalogue.version(of: content.hash), version.residency != .inCloud,
                version.content == content
            else { continue }
            let look = judged(look, of: content)
            if let condition = look.condition, condition != version.condition {
                changes.append(ConditionChange(hash: content.hash, condition: condition))
            } else if look.finding == .sound || look.finding == .stopped {
                continue
            }
            findings.append(AuditFinding(version: version, finding: look.finding))
        }
        return (findings, changes)
    }

    private func judged(_ look: StoredBytes, of content: Content) -> StoredBytes {
        switch look.finding {
        case .stopped: return look
        case .sound, .misstated, .missing, .corrupt, .unreadable:
            let originals = directory.originals
            return originals.stillStands(look, of: content) ? look : originals.look(at: content, reading: true)
        }
    }

    /// Those of some stored files that no row names: on this thread none of them is being published.
    package func orphans(among candidates: [Orphan]) throws -> [Orphan] {
        guard !candidates.isEmpty else { return [] }
        let owed = Set(try catalogue.unlinkWork().map(\.hash))
        return try candidates.filter { try !owed.contains($0.hash) && !catalogue.names($0.name) }
    }

    /// Deletes an orphan: a person said so, and nothing else ever does (RULES R8).
    ///
    /// False where it is none any more, or where its bytes may mend an original.
    package func discard(_ orphan: Orphan) throws -> Bool {
        guard inspection.hasPassed else { return false }
        if let version = try catalogue.version(of: orphan.name.hash) {
            guard version.condition == .sound, StoredName(of: version.content) != orphan.name,
                directory.originals.look(at: version.content, reading: true).areRight
            else { return false }
        }
        try directory.originals.remove(orphan.name)
        machine.log(.notice, "an orphan was deleted by command", ["original": printable(orphan.path.bytes)])
        return true
    }
}

/// A stored file that no row names.
package struct Orphan: Sendable, Hashable {
    let name: StoredName

    package var hash: ContentHash { name.hash }

    /// Below the library.
    package var path: PathBytes {
        PathBytes(Array("originals/".utf8) + Originals.shard(of: hash) + [UInt8(ascii: "/")] + name.bytes)
    }
}

extension Originals {
    /// The directories that cannot be listed, below the library, and why.
    ///
    /// Blocks: every directory of originals is listed.
    package func unlisted() throws -> [(path: PathBytes, error: FileError)] {
        try listing().unlisted.map { (PathBytes("originals").appending($0), $1) }.sorted { $0.path < $1.path }
    }

    /// The stored files of which this catalogue has no row: orphans, and what is being published just now.
    ///
    /// Blocks: every directory of originals is listed. Of those that cannot be listed nothing is known.
    package func unnamed(in catalogue: Catalogue) throws -> [Orphan] {
        try listing().names.filter { try !catalogue.names($0) }.map { Orphan(name: $0) }.sorted { $0.path < $1.path }
    }
}

extension Catalogue {
    /// Whether a row has these bytes under this very name by now.
    package func names(_ orphan: Orphan) throws -> Bool { try names(orphan.name) }

    fileprivate func names(_ stored: StoredName) throws -> Bool {
        try version(of: stored.hash).map { StoredName(of: $0.content) == stored } ?? false
    }
}

extension Content {
    /// Where its original stands below the library.
    package var path: PathBytes { PathBytes(Array("originals/".utf8) + Originals.path(of: self)) }
}
