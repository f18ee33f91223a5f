package import PhotoModel
package import PhotoStore
import Platform

/// Why an original could not be moved between the disk and the cloud; nothing is lost by any of these.
package enum TierError: Error, Sendable {
    /// The store failed, could not be reached, or will not.
    case store(ObjectStoreError)
    /// The store is not this library's: nothing that it has, or has not, means anything.
    case notOurs(MirrorError)
    /// It must not leave the disk now.
    case refused(EvictionRefusal)
    /// The bytes on the disk are not there, or not those of the catalogue.
    case localBytes(Condition)
    /// The store has other bytes, or none, under the key of this original.
    case cloudBytes(why: String)
    /// Neither the disk nor the cloud has it.
    case lost
    /// The disk has no room above its reserve.
    case noRoom(byteCount: Int64)
    /// The library knows no such original (any more).
    case unknown
    /// The caller wants it no longer.
    case cancelled

    init(_ error: ObjectStoreError) { self = error.kind == .cancelled ? .cancelled : .store(error) }
}

extension TierError {
    /// Whether the store is why, and not the original, the disk or a rule.
    var isOfStore: Bool {
        switch self {
        case .store, .notOurs, .cloudBytes: true
        default: false
        }
    }
}

extension TierError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .store(let error): "the store: \(error)"
        case .notOurs(let error): "the store is not believed: \(error)"
        case .refused(let refusal): "it stays on the disk: \(refusal.rawValue)"
        case .localBytes(let condition): "the original on the disk is \(condition.rawValue)"
        case .cloudBytes(let why): "the store does not have its bytes: \(why)"
        case .lost: "neither the disk nor the cloud has it"
        case .noRoom(let byteCount): "there is no room for \(counted(Int(byteCount), "byte"))"
        case .unknown: "there is no such original: its photo was deleted for good"
        case .cancelled: "it was cancelled"
        }
    }
}
