package import PhotoModel
package import PhotoStore
import Platform

/// From the store to the disk.
extension CloudTier {
    /// Brings an original back to the disk, and returns when it is there, proven; one that is there is there, unless it
    /// is damaged here.
    ///
    /// `progress` is told of the bytes so far, and says whether to go on: those of another fetch of the same original,
    /// where there is one under way, which is waited for. Nothing is published under the original's name before its hash
    /// is right (RULES R44); what was broken off goes on where it ended.
    package func fetch(
        _ content: Content, requestedBy: TransferReason, progress: (Int64) -> Bool = { _ in true }
    ) throws {
        wishes.begin(content.hash)
        defer { wishes.end(content.hash) }
        let done: Void? = try moves.alone(content.hash, progress: progress) {
            let version = try version(of: content)
            guard version.residency == .inCloud || version.isMendedByFetch else {
                // An import of the same bytes, or a recovery, brought it back: what was begun has ended.
                if version.transfer == .downloading { try note(nil, of: content, requestedBy: requestedBy) }
                return
            }
            guard !version.isLost else { throw TierError.lost }
            try bring(content, requestedBy: requestedBy, progress)
        }
        guard done != nil else { throw TierError.cancelled }
        if requestedBy == .person { wishes.noteBrought(content.hash, at: machine.uptime()) }
    }

    /// Makes good what the library lacks of an original from its copy in the store; false where that has none now.
    ///
    /// One that is damaged or missing here comes back to the disk; one that was taken for lost is in the cloud again.
    package func mend(_ content: Content, progress: (Int64) -> Bool = { _ in true }) throws -> Bool {
        if try version(of: content).residency == .inCloud { return try check(content) == .proven }
        return try moves.alone(content.hash) {
            guard try version(of: content).residency == .both, try hasCopy(of: content) else { return false }
            try bring(content, requestedBy: .person, progress)
            return true
        }
    }

    /// Whether the store, asked now, has the very bytes.
    package func hasCopy(of content: Content) throws -> Bool {
        guard try version(of: content).residency != .local else { return false }
        if case .proven = try ask(content) { return true }
        return false
    }

    private func bring(_ content: Content, requestedBy: TransferReason, _ progress: (Int64) -> Bool) throws {
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

    private func publish(_ content: Content, _ staged: StagedFile) throws {
        defer { staged.discard() }
        try machine.reach(.downloadStaged)
        try library.onThread { library in
            // Purged meanwhile: nobody would know the file.
            guard try library.version(of: content.hash) != nil else { throw TierError.unknown }
            _ = try library.publish([StagedContent(content: content, staged: staged)], origin: "cloud") { change in
                try change.perform(
                    .setTransfer(TransferChange(hash: content.hash, transfer: nil, requestedBy: .policy)))
            }
        }
        suspicions.clear(content.hash)
    }

    /// A staged file with the very bytes; whatever else came is thrown away, and asked for once more.
    private func download(_ content: Content, _ progress: (Int64) -> Bool) throws -> StagedFile {
        var whole = 0
        while whole < 2 {
            let attempt = try receive(content, progress)
            if let staged = attempt.staged { return staged }
            // What was there from before may be what was wrong.
            if !attempt.isResumed { whole += 1 }
        }
        try requireOurs()
        suspicions.note(content.hash, .different, at: machine.uptime())
        throw TierError.cloudBytes(why: "what comes has another hash")
    }

    /// Without a file where the bytes were others.
    private func receive(
        _ content: Content, _ progress: (Int64) -> Bool
    ) throws -> (staged: StagedFile?, isResumed: Bool) {
        var download = try Download(content, originals)
        do {
            try write(&download, content, progress)
            if download.isRight { return (download.staged, download.isResumed) }
            download.staged.discard()
            return (nil, download.isResumed)
        } catch {
            if isPassing(error) { download.staged.keep() } else { download.staged.discard() }
            if case TierError.store(let failure) = error, failure.kind == .notFound {
                try requireOurs()
                suspicions.note(content.hash, .absent, at: machine.uptime())
            }
            throw error
        }
    }

    /// Whether what came so far is as good as it was: the store, or the caller, only stopped.
    private func isPassing(_ error: any Error) -> Bool {
        switch error as? TierError {
        case .cancelled: true
        case .store(let error): error.isRetryable
        default: false
        }
    }

    private func write(_ download: inout Download, _ content: Content, _ progress: (Int64) -> Bool) throws {
        do {
            try store.write(.original(content.hash), from: download.end) { bytes in
                moves.received(download.end, of: content.hash)
                guard progress(download.end) else { throw TierError.cancelled }
                try download.append(bytes, files: machine.files)
            }
        } catch let error as ObjectStoreError {
            throw TierError(error)
        }
        _ = progress(download.end)
    }
}

extension CloudTier {
    /// Restores an original to a scratch file, compares the hash, and throws the file away: what a fetch would do, and
    /// nothing changes.
    package func drill(_ content: Content, progress: (Int64) -> Bool = { _ in true }) throws {
        try copy(of: content, progress: progress).discard()
    }

    /// The bytes as the store has them, proven, in a scratch file that is gone when it is let go; nothing changes.
    package func copy(of content: Content, progress: (Int64) -> Bool = { _ in true }) throws -> StagedFile {
        let staged = try moves.alone(content.hash, progress: progress) {
            guard try originals.hasRoom(for: content.byteCount) else {
                throw TierError.noRoom(byteCount: content.byteCount)
            }
            try requireOurs()
            return try download(content, progress)
        }
        guard let staged else { throw TierError.cancelled }
        return staged
    }
}

extension Version {
    /// Whether the cloud has what the disk should have and has not any more.
    package var isMendedByFetch: Bool { residency == .both && condition != .sound }
}
