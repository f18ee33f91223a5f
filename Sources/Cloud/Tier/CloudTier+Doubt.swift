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

/// "Cannot reach" never means "gone": only what the store denies twice, ten minutes apart, while a control object is
/// there, is taken for gone (RULES R42).
extension CloudTier {
    /// Asks for the copy of one original, and acts on what is certain.
    package func check(_ content: Content) throws -> CopyFinding {
        try moves.alone(content.hash) {
            guard try version(of: content).residency != .local else { throw TierError.unknown }
            let isRipe = suspicions.ripe(at: machine.uptime()).contains(content.hash)
            switch try asking({ () throws(ObjectStoreError) in try verify(content, in: store, machine: machine) }) {
            case .proven(let proof):
                suspicions.clear(content.hash)
                try keepAsItIs(proof)
                return .proven
            case .absent: return try doubt(content, .absent, isRipe: isRipe)
            case .different: return try doubt(content, .different, isRipe: isRipe)
            }
        }
    }

    /// Those that were denied ten minutes ago or longer are asked for again.
    package func settleDoubts() throws -> [(hash: ContentHash, finding: CopyFinding)] {
        var settled: [(hash: ContentHash, finding: CopyFinding)] = []
        for hash in suspicions.ripe(at: machine.uptime()) {
            guard let version = try library.onThread({ try $0.version(of: hash) }), version.residency != .local else {
                suspicions.clear(hash)
                continue
            }
            settled.append((hash, try check(version.content)))
        }
        return settled
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

    private func doubt(_ content: Content, _ finding: Suspicions.Finding, isRipe: Bool) throws -> CopyFinding {
        suspicions.note(content.hash, finding, at: machine.uptime())
        let first: CopyFinding = finding == .absent ? .absent : .different
        guard isRipe, try isAnsweringForControl() else { return first }
        suspicions.clear(content.hash)
        let hash = content.hash
        if try version(of: content).residency == .both {
            try library.onThread {
                try $0.perform(
                    [.setResidency(ResidencyChange(hash: hash, residency: .local, copy: nil))], origin: "cloud")
            }
            _ = try uploadAlone(content, requestedBy: .policy)
            return .uploadedAgain
        }
        machine.log(
            .error, "an original is lost: neither the disk nor the cloud has it", ["sha256": hash.hexadecimal])
        try library.onThread {
            try $0.perform([.setCondition(ConditionChange(hash: hash, condition: .missing))], origin: "cloud")
        }
        return .lost
    }

    /// Whether the store, asked now, is this library's, and finds what was just put: one that denies everything proves
    /// nothing.
    private func isAnsweringForControl() throws -> Bool {
        guard let key = ObjectKey("library/control"), let identity = LibraryMirror.identity else { return false }
        let ours = ObjectBody(Array((library.directory.identifier.uuidString + "\n").utf8))
        let isOurs = try asking { () throws(ObjectStoreError) in try hasProven(identity, ours.sha256, in: store) }
        guard isOurs else { return false }
        let body = ObjectBody(Array(machine.makeUUID().uuidString.utf8))
        return try asking { () throws(ObjectStoreError) in
            _ = try store.put(key, body)
            if try store.head(key).sha256 == body.sha256 { return true }
            return try readBack(key, in: store) == body.sha256
        }
    }
}
