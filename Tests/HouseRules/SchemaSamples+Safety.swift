import Control
import FoundationEssentials
import PhotoModel

/// The values of `safe`, `verify` and `repair`.
var safetySamples: [SchemaSample] {
    let identifier = LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    guard let digest = ContentHash(bytes: [UInt8](repeating: 7, count: 32)) else { return [] }
    let odd = PathBytes([0x2F, 0xFF])
    var question = SafetyQuestion(sha256: digest, byteCount: 1, path: odd, device: 1, inode: 1)
    question.path = "/a"
    var safety = SafetyRow(path: odd)
    safety.refuse(.trashed, "d", fix: "f")
    (safety.localIdentifier, safety.sha256, safety.byteCount) = (identifier, digest, 1)
    (safety.original, safety.creationDate) = ("o", Date(microseconds: 0))
    var verify = VerifyRequest()
    (verify.deep, verify.samplePercent, verify.bytesPerSecond, verify.resume) = (true, 1, 1, true)
    var found = VerifyRow(.missing, checked: 1, total: 1, byteCount: 1)
    (found.localIdentifier, found.path, found.sha256) = (identifier, "p", digest)
    (found.originalFilename, found.detail, found.fix) = ("n", "d", "f")
    (found.replayed, found.changes) = (1, 1)
    var repaired = RepairRow(.repaired, path: odd, sha256: digest)
    (repaired.localIdentifier, repaired.originalFilename, repaired.source) = (identifier, "n", "s")
    (repaired.sourceBase64, repaired.detail, repaired.fix) = ("L2E=", "d", "f")
    return [
        SchemaSample("SafetyRequest", full: SafetyRequest(files: [])),
        SchemaSample(
            "SafetyQuestion", full: question, bare: SafetyQuestion(sha256: digest, byteCount: 1, path: nil)),
        SchemaSample("SafetyRow", full: safety, bare: SafetyRow(path: nil)),
        SchemaSample(
            "SafetyPage", full: PageOf<SafetyRow>(rows: [], next: 1), bare: PageOf<SafetyRow>(rows: [], next: nil)),
        SchemaSample("VerifyRequest", full: verify, bare: VerifyRequest()),
        SchemaSample("VerifyRow", full: found, bare: VerifyRow(checked: 1, total: 1, byteCount: 1)),
        SchemaSample("VerifyEnd", full: VerifyEnd()),
        SchemaSample(
            "RepairRequest", full: RepairRequest(dryRun: true, discardOrphans: true, history: .journal),
            bare: RepairRequest()),
        SchemaSample("RepairRow", full: repaired, bare: RepairRow(.lost, path: odd, sha256: nil)),
    ]
}
