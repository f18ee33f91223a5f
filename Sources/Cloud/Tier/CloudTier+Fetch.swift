package import PhotoModel
import PhotoStore
import Platform

/// From the store to the disk.
extension CloudTier {
    /// Brings an original back to the disk, and returns when it is there, proven; one that is there is there, unless it
    /// is damaged here.
    ///
    /// `progress` is told of the bytes so far, and says whether to go on. Nothing is published under the original's name
    /// before its hash is right (RULES R44).
    package func fetch(
        _ content: Content, requestedBy: TransferReason, progress: (Int64) -> Bool = { _ in true }
    ) throws {
        try moves.alone(content.hash) {
            let version = try version(of: content)
            guard version.residency == .inCloud || version.isMendedByFetch else {
                // An import of the same bytes, or a recovery, brought it back: what was begun has ended.
                if version.transfer == .downloading { try note(nil, of: content, requestedBy: requestedBy) }
                return
            }
            guard !version.isLost else { throw TierError.lost }
            guard try originals.hasRoom(for: content.byteCount) else {
                throw TierError.noRoom(byteCount: content.byteCount)
            }
            try note(.downloading, of: content, requestedBy: requestedBy)
            try machine.reach(.downloadBegun)
            do {
                try publish(content, try download(content, progress))
            } catch {
                try note(nil, of: content, requestedBy: requestedBy)
                throw error
            }
        }
    }

    private func publish(_ content: Content, _ staged: StagedFile) throws {
        defer { staged.discard() }
        try machine.reach(.downloadStaged)
        try library.onThread { library in
            _ = try library.publish([StagedContent(content: content, staged: staged)], origin: "cloud") { change in
                try change.perform(
                    .setTransfer(TransferChange(hash: content.hash, transfer: nil, requestedBy: .policy)))
            }
        }
        suspicions.clear(content.hash)
    }

    /// A staged file with the very bytes; whatever else came is thrown away, and asked for once more.
    private func download(_ content: Content, _ progress: (Int64) -> Bool) throws -> StagedFile {
        for _ in 0..<2 {
            if let staged = try receive(content, progress) { return staged }
        }
        suspicions.note(content.hash, .different, at: machine.uptime())
        throw TierError.cloudBytes(why: "what comes has another hash")
    }

    private func receive(_ content: Content, _ progress: (Int64) -> Bool) throws -> StagedFile? {
        let staged = try originals.stage()
        do {
            guard try write(content, to: staged, progress) == content.hash else {
                staged.discard()
                return nil
            }
            return staged
        } catch {
            staged.discard()
            if case TierError.store(let failure) = error, failure.kind == .notFound {
                suspicions.note(content.hash, .absent, at: machine.uptime())
            }
            throw error
        }
    }

    /// Nil where more bytes come than there are in it.
    private func write(_ content: Content, to staged: StagedFile, _ progress: (Int64) -> Bool) throws -> ContentHash? {
        var hasher = ContentHasher()
        var place: Int64 = 0
        var failure: FileError?
        do throws(TierError) {
            try asking { () throws(ObjectStoreError) in
                try store.get(.original(content.hash), from: 0) { (bytes) throws(ObjectStoreError) in
                    guard progress(place) else { throw ObjectStoreError(.cancelled, "") }
                    hasher.update(bytes)
                    do throws(FileError) {
                        try machine.files.write(staged.file, bytes, at: place)
                    } catch {
                        failure = error
                        throw ObjectStoreError(.cancelled, "\(error)")
                    }
                    place += Int64(bytes.count)
                }
            }
        } catch {
            throw failure ?? error as any Error
        }
        _ = progress(place)
        return place == content.byteCount ? ContentHash(bytes: hasher.finish()) : nil
    }
}

extension CloudTier {
    /// Restores an original to a scratch file, compares the hash, and throws the file away: what a fetch would do, and
    /// nothing changes.
    package func drill(_ content: Content, progress: (Int64) -> Bool = { _ in true }) throws {
        guard try originals.hasRoom(for: content.byteCount) else {
            throw TierError.noRoom(byteCount: content.byteCount)
        }
        try download(content, progress).discard()
    }
}

extension Version {
    /// Whether the cloud has what the disk should have and has not any more.
    package var isMendedByFetch: Bool { residency == .both && condition != .sound }
}
