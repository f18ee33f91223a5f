import PhotoModel
import PhotoStore
import Platform

/// The copy itself: one pass, hashed on the way.
extension Stager {
    enum Copied {
        case success(StagedFile, ContentHash)
        case abandoned(Staging)

        var answer: Staging {
            switch self {
            case .success: .later(.changedWhileCopied, detail: nil, pause: .settle)
            case .abandoned(let answer): answer
            }
        }
    }

    /// Copies and hashes; gives up as soon as a writer wants the file, or the file turns out to have changed.
    func copy(_ source: OpenFile, _ before: FileStatus, lease: Lease) throws -> Copied {
        let staged = try inLibrary { () throws(FileError) in try originals.stage() }
        do {
            let isCloned = try machine.files.clone(source, to: staged.file)
            let passed = try pass(source, to: isCloned ? nil : staged.file, lease: lease)
            guard case .hashed(let hash, let byteCount) = passed else {
                staged.discard()
                return .abandoned(passed.answer)
            }
            guard try isUnchanged(source, before, lease: lease), byteCount == before.byteCount else {
                staged.discard()
                return .abandoned(.later(.changedWhileCopied, detail: "it changed while being copied", pause: .settle))
            }
            try machine.reach(.staged)
            return .success(staged, hash)
        } catch {
            staged.discard()
            throw error
        }
    }

    /// Reads without copying; nil where the bytes are not those that the source is known for.
    func compare(
        _ source: OpenFile, _ before: FileStatus, _ evidence: SourceEvidence, with known: SourceEvidence, lease: Lease
    ) throws -> Staging? {
        let passed = try pass(source, to: nil, lease: lease)
        guard case .hashed(let hash, _) = passed else { return passed.answer }
        guard hash == known.hash else { return nil }
        guard try isUnchanged(source, before, lease: lease) else {
            return .later(.changedWhileCopied, detail: "it changed while being read", pause: .settle)
        }
        var evidence = evidence
        evidence.hash = hash
        return .unchanged(evidence, lease)
    }

    private enum Pass {
        case hashed(ContentHash, byteCount: Int64)
        case leaseBroken
        case stopped

        var answer: Staging {
            switch self {
            case .stopped: .later(.stopping, detail: nil, pause: .settle)
            default: .later(.changedWhileCopied, detail: "a program opened it for writing meanwhile", pause: .settle)
            }
        }
    }

    private func pass(_ source: OpenFile, to target: OpenFile?, lease: Lease) throws -> Pass {
        let files = machine.files
        // What is only read stays in a core's own cache; what is written is written in large pieces.
        let pieceByteCount = target == nil ? 1 << 18 : 1 << 20
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceByteCount, alignment: 4096)
        defer { buffer.deallocate() }
        var hasher = ContentHasher()
        var offset: Int64 = 0
        while true {
            machine.giveWay()
            if isStopping() { return .stopped }
            if lease == .granted, !files.holdsLease(source) { return .leaseBroken }
            let count = try files.read(source, into: buffer, at: offset)
            if count == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes, betweenPieces: machine.giveWay)
            if let target { try inLibrary { () throws(FileError) in try files.write(target, bytes, at: offset) } }
            if offset == 0 { try machine.reach(.stagedHalf) }
            offset += Int64(count)
        }
        if let target { files.startWriteBack(target, from: 0, count: offset) }
        guard let hash = ContentHash(bytes: hasher.finish()) else { preconditionFailure("SHA-256 has 32 bytes") }
        return .hashed(hash, byteCount: offset)
    }

    private func isUnchanged(_ source: OpenFile, _ before: FileStatus, lease: Lease) throws -> Bool {
        if lease == .granted, !machine.files.holdsLease(source) { return false }
        return try machine.files.status(of: source).hasSameContentEvidence(as: before)
    }
}
