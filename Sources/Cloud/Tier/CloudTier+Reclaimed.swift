import PhotoModel
import PhotoStore
import Platform

/// Objects that a purge had left to be deleted, and that were deleted, or are a photo's again.
///
/// The history says so, too; but a history that was restored may lack its end, and would have an object deleted that a
/// photo has got since. So the store itself is told which purge does not count any more, before a copy does, or after
/// the deletion: under `library/reclaimed/<sha256>` stands when that purge was.
extension CloudTier {
    private static let prefix = "library/reclaimed/"

    private func key(_ hash: ContentHash) -> ObjectKey? { ObjectKey(Self.prefix + hash.hexadecimal) }

    /// Before a copy of this original counts, and once its object is deleted: the purge is done with.
    func reclaim(_ hash: ContentHash) throws {
        guard let purge = try library.onThread({ try $0.purge(ofObject: hash) }), let key = key(hash) else { return }
        try putProven(key, ObjectBody(Array(purge.utf8)), in: store)
    }

    /// Whether the purge that left this object, or a later one, is done with: then it is nobody's, and is not deleted.
    func isReclaimed(_ hash: ContentHash) throws -> Bool {
        guard let purge = try library.onThread({ try $0.purge(ofObject: hash) }), let key = key(hash),
            let text = try asking({ () throws(ObjectStoreError) in try textIfPresent(key, in: store) }),
            let last = Int64(text), let known = Int64(purge)
        else { return false }
        return last >= known
    }

    /// Takes back every purge that does not count, as far as this library knows of it; its object is nobody's then.
    package func settleReclaimed() throws {
        var last: ObjectKey?
        while true {
            let page = try asking { [last] () throws(ObjectStoreError) in
                try store.list(Self.prefix, after: last, limit: 1000)
            }
            guard let end = page.last else { return }
            last = end.key
            for facts in page {
                let digits = facts.key.text.dropFirst(Self.prefix.count)
                guard let hash = ContentHash(hexadecimal: digits) else { continue }
                try settle(hash)
            }
        }
    }

    /// Whether its purge was taken back.
    @discardableResult
    func settle(_ hash: ContentHash) throws -> Bool {
        guard try isReclaimed(hash) else { return false }
        try library.onThread { try $0.finishObject(hash) }
        machine.log(
            .notice, "a purge is done with, which the history does not say: what has the object's name now is kept",
            ["sha256": hash.hexadecimal])
        return true
    }
}
