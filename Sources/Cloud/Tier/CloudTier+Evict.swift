package import PhotoModel
package import PhotoStore
import Platform

/// Off the disk: with a proof, and by no other way (RULES R41).
extension CloudTier {
    /// What stands against it before anything is uploaded; nil where nothing does.
    package func refusalToEvict(_ content: Content) throws -> EvictionRefusal? {
        try library.onThread { try $0.refusalToEvict(content, look: nil, isProofOwed: true) }
    }

    /// With the original's move to itself.
    func evictAlone(_ proof: VerifiedCloudCopy, requestedBy: TransferReason) throws {
        let content = proof.content
        if let refusal = try library.onThread({ try $0.refusalToEvict(content, look: nil) }) {
            throw TierError.refused(refusal)
        }
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
