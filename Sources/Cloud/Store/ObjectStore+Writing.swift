/// From a store to where writing can fail.
extension ObjectStore {
    /// Hands the bytes from `offset` on to `write`, in order.
    ///
    /// What `write` throws ends it, and is thrown as it is: a full disk is never the store's failure. What the store
    /// throws is an `ObjectStoreError`.
    func write(_ key: ObjectKey, from offset: Int64, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        var failure: (any Error)?
        do throws(ObjectStoreError) {
            try get(key, from: offset) { (bytes) throws(ObjectStoreError) in
                do {
                    try write(bytes)
                } catch {
                    failure = error
                    throw ObjectStoreError(.cancelled, "\(error)")
                }
            }
        } catch {
            throw failure ?? error
        }
    }
}
