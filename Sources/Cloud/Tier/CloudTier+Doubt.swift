import FoundationEssentials
package import PhotoModel
import PhotoStore
import Platform

/// What asking the store for a copy came to.
package enum CopyFinding: String, Sendable, CaseIterable {
    case proven
    /// The store says that it has it not; to be asked once more, ten minutes later (RULES R42).
    case absent
    /// The store has other bytes.
    case different
    /// It was said twice, and the original here is uploaded again.
    case uploadedAgain
    /// It was said twice, and it is not here either.
    case lost
}

/// "Cannot reach" never means "gone": only what the library's own store denies twice, ten minutes apart, while a control
/// object is there, is taken for gone (RULES R42).
extension CloudTier {
    /// Asks for the copy of one original, and acts on what is certain.
    package func check(_ content: Content) throws -> CopyFinding {
        try moves.alone(content.hash) {
            let version = try version(of: content)
            guard version.residency != .local else { throw TierError.unknown }
            switch try ask(content) {
            case .proven(let proof):
                suspicions.clear(content.hash)
                try keepAsItIs(proof)
                return .proven
            // It is known already, and nothing new to be in doubt of.
            case .absent where version.isLost, .different where version.isLost: return .lost
            case .absent: return try doubt(version, .absent)
            case .different: return try doubt(version, .different)
            }
        }
    }

    /// Those that were denied ten minutes ago or longer are asked for again; one that fails stops no other.
    func settleDoubts(_ failed: (ContentHash, TierError) throws -> Void) throws -> [ContentHash] {
        var lost: [ContentHash] = []
        for hash in suspicions.ripe(at: machine.uptime()) {
            guard let version = try library.onThread({ try $0.version(of: hash) }), version.residency != .local else {
                suspicions.clear(hash)
                continue
            }
            do {
                if try check(version.content) == .lost { lost.append(hash) }
            } catch let error as TierError {
                try failed(hash, error)
            }
        }
        return lost
    }

    private func keepAsItIs(_ proof: VerifiedCloudCopy) throws {
        let hash = proof.content.hash
        try library.onThread { library in
            guard let version = try library.version(of: hash), version.residency != .local else { return }
            var requests: [ChangeRequest] = [
                .setResidency(ResidencyChange(hash: hash, residency: version.residency, copy: proof.copy))
            ]
            // What was taken for lost is there.
            if version.isLost { requests.append(.setCondition(ConditionChange(hash: hash, condition: .sound))) }
            try library.perform(requests, origin: "cloud")
        }
    }

    /// The second time counts only where it says the same as the first.
    private func doubt(_ version: Version, _ finding: Suspicions.Finding) throws -> CopyFinding {
        let hash = version.content.hash
        let isRipe = suspicions.isRipe(hash, finding, at: machine.uptime())
        suspicions.note(hash, finding, at: machine.uptime())
        guard isRipe, try isAnsweringForControl() else { return finding == .absent ? .absent : .different }
        return version.residency == .both ? try bringAgain(version.content) : try giveUp(version.content)
    }

    /// It is here alone, and on its way again: one commit, so that a crash does not leave it here alone.
    private func bringAgain(_ content: Content) throws -> CopyFinding {
        let hash = content.hash
        try library.onThread {
            try $0.perform(
                [
                    .setResidency(ResidencyChange(hash: hash, residency: .local, copy: nil)),
                    .setTransfer(TransferChange(hash: hash, transfer: .uploading, requestedBy: .policy)),
                ], origin: "cloud")
        }
        suspicions.clear(hash)
        _ = try uploadAlone(content, requestedBy: .policy)
        return .uploadedAgain
    }

    private func giveUp(_ content: Content) throws -> CopyFinding {
        let hash = content.hash
        machine.log(
            .error, "an original is lost: neither the disk nor the cloud has it", ["sha256": hash.hexadecimal])
        try library.onThread {
            try $0.perform([.setCondition(ConditionChange(hash: hash, condition: .missing))], origin: "cloud")
        }
        suspicions.clear(hash)
        return .lost
    }

    /// Whether the store, which is this library's, finds what was just put: one that denies everything proves nothing.
    private func isAnsweringForControl() throws -> Bool {
        guard let key = ObjectKey("library/control") else { return false }
        let body = ObjectBody(Array(machine.makeUUID().uuidString.utf8))
        return try asking { () throws(ObjectStoreError) in
            _ = try store.put(key, body)
            if try store.head(key).sha256 == body.sha256 { return true }
            return try readBack(key, in: store) == body.sha256
        }
    }
}
