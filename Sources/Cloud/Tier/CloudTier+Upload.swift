import PhotoModel
import PhotoStore
import Platform

/// From the disk to the store.
extension CloudTier {
    /// With the original's move to itself: `both`, proven now.
    func uploadAlone(_ content: Content, requestedBy: TransferReason) throws -> VerifiedCloudCopy {
        let version = try version(of: content)
        guard version.residency != .inCloud else { throw TierError.unknown }
        guard version.condition == .sound else { throw TierError.localBytes(version.condition) }
        // What an interrupted upload has brought is not brought again.
        if version.residency == .both || version.transfer != nil, let proof = try prove(content) {
            return try keep(proof)
        }
        // A store that took it and does not have it gets it twice more.
        for _ in 0..<3 {
            try note(.uploading, of: content, requestedBy: requestedBy)
            try machine.reach(.uploadBegun)
            try send(content)
            try machine.reach(.objectStored)
            try note(.verifying, of: content, requestedBy: requestedBy)
            if let proof = try prove(content) { return try keep(proof) }
        }
        throw TierError.cloudBytes(why: "it took the upload three times, and does not have the bytes")
    }

    /// Nil where the store answers that it has not these bytes: then they are to be sent.
    private func prove(_ content: Content) throws -> VerifiedCloudCopy? {
        switch try ask(content) {
        case .proven(let proof): proof
        case .absent, .different: nil
        }
    }

    /// The store refuses other bytes than those of the hash: then the ones on the disk are looked at.
    private func send(_ content: Content) throws {
        let file = try openLocal(content)
        let byteCount = try machine.files.status(of: file).byteCount
        // As long as it is, where its hash is right.
        if byteCount != content.byteCount { _ = try soundLook(at: content) }
        let body = ObjectBody(file, files: machine.files, byteCount: byteCount, sha256: content.hash)
        do throws(ObjectStoreError) {
            _ = try store.put(.original(content.hash), body)
        } catch {
            if error.kind == .checksumMismatch || error.kind == .bodyUnreadable {
                _ = try soundLook(at: content)
            }
            throw TierError(error)
        }
    }

    private func openLocal(_ content: Content) throws -> OpenFile {
        do throws(FileError) {
            return try originals.open(content)
        } catch {
            _ = try soundLook(at: content)
            throw error
        }
    }

    /// Reads the original on the disk; one that is not sound is written down as such, and thrown.
    func soundLook(at content: Content) throws -> StoredBytes {
        let look = originals.look(at: content, reading: true)
        switch look.finding {
        case .sound, .misstated, .stopped: return look
        case .unreadable(let error): throw error
        case .missing, .corrupt:
            _ = try library.onThread { try $0.record([(content: content, look: look)]) }
            throw TierError.localBytes(look.finding == .missing ? .missing : .corrupt)
        }
    }

    private func keep(_ proof: VerifiedCloudCopy) throws -> VerifiedCloudCopy {
        let hash = proof.content.hash
        try reclaim(hash)
        try perform([
            .setResidency(ResidencyChange(hash: hash, residency: .both, copy: proof.copy)),
            .setTransfer(TransferChange(hash: hash, transfer: nil, requestedBy: .policy)),
        ])
        suspicions.clear(hash)
        return proof
    }
}
