package import PhotoModel
package import PhotoStore
import Platform

/// Off the disk: with a proof, and by no other way (RULES R41).
extension CloudTier {
    /// What stands against it before anything is uploaded; nil where nothing does.
    package func refusalToEvict(_ content: Content) throws -> EvictionRefusal? {
        try library.onThread { try $0.refusalToEvict(content, look: nil, isProofOwed: true) }
    }

    /// Throws where it has to stay, whatever the store has; an eviction that a crash left begun has ended then.
    func requireMayLeave(_ content: Content, requestedBy: TransferReason) throws {
        guard let refusal = try wish(for: content, requestedBy: requestedBy) ?? refusalToEvict(content) else { return }
        if try version(of: content).transfer == .evicting { try note(nil, of: content, requestedBy: requestedBy) }
        throw TierError.refused(refusal)
    }

    /// A person may take away what was only brought a moment ago.
    private func wish(for content: Content, requestedBy: TransferReason) -> EvictionRefusal? {
        let isWanted =
            requestedBy == .person
            ? wishes.isWaitedFor(content.hash) : wishes.isWanted(content.hash, at: machine.uptime())
        return isWanted ? .inUse : nil
    }

    /// With the original's move to itself.
    func evictAlone(_ proof: VerifiedCloudCopy, requestedBy: TransferReason) throws {
        let content = proof.content
        let refusal =
            try wish(for: content, requestedBy: requestedBy)
            ?? library.onThread({ try $0.refusalToEvict(content, look: nil) })
        if let refusal { throw TierError.refused(refusal) }
        try note(.evicting, of: content, requestedBy: requestedBy)
        do {
            // The bytes here must still be the catalogue's: else those in the cloud may be all there is, or not.
            let look = try soundLook(at: content)
            guard proof.isFresh(at: machine.uptime()) else { throw TierError.refused(.staleProof) }
            try library.onThread { try $0.evict(content, copy: proof.copy, look: look) }
        } catch let refusal as EvictionRefusal {
            try note(nil, of: content, requestedBy: requestedBy)
            throw TierError.refused(refusal)
        } catch let error as TierError {
            try note(nil, of: content, requestedBy: requestedBy)
            throw error
        }
    }
}
