import PhotoModel
import PhotoStore
import Platform

/// Objects that a purge had left to be deleted, and that are a photo's again.
///
/// The history says so, too; but a history that was restored may lack its end, and would have the object deleted as the
/// purged one's. So the store itself is told which purge does not count any more, before the copy does: under
/// `library/reclaimed/<sha256>` stands when that purge was.
extension CloudTier {
    private static let prefix = "library/reclaimed/"

    private func key(_ hash: ContentHash) -> ObjectKey? { ObjectKey(Self.prefix + hash.hexadecimal) }

    /// Before a copy of this original counts.
    func reclaim(_ hash: ContentHash) throws {
        guard let purge = try library.onThread({ try $0.purge(ofObject: hash) }), let key = key(hash) else { return }
        try putProven(key, ObjectBody(Array(purge.utf8)), in: store)
    }

    /// Whether the purge that left this object does not count: then it is nobody's, and is not deleted.
    func isReclaimed(_ hash: ContentHash) throws -> Bool {
        guard let purge = try library.onThread({ try $0.purge(ofObject: hash) }), let key = key(hash) else {
            return false
        }
        return try asking { () throws(ObjectStoreError) in try textIfPresent(key, in: store) } == purge
    }

    /// After the object itself.
    func forgetReclaimed(_ hash: ContentHash) throws {
        guard let key = key(hash) else { return }
        try asking { () throws(ObjectStoreError) in try store.delete(key) }
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
            .warning, "the history lacks how a photo got bytes again that were purged: their object is kept",
            ["sha256": hash.hexadecimal])
        return true
    }
}
