import Glibc
package import Media
package import PhotoModel
package import PhotoStore
package import Platform

/// What looking at one candidate came to.
package enum Staging: Sendable {
    /// Its bytes are in staging, hashed; the commit decides what they are.
    case staged(StagedSource)
    /// Its bytes were read, and are those that it is known for: only the evidence is new.
    case unchanged(SourceEvidence, Lease)
    /// By rule nothing is imported; remembered as the source's outcome.
    case decided(Source)
    /// Not now: look again after a pause, or when it is touched.
    case later(Reason, detail: String?, pause: Pause)
    /// It is not there any more.
    case gone

    package enum Pause: Sendable {
        /// A fresh settle window.
        case settle
        /// Growing with each attempt.
        case backOff
        /// The library's disk takes nothing now: every import waits.
        case disk
        /// Until the file has been the same for the long window (RULES R16d).
        case longWindow
    }
}

/// A source whose bytes are in staging: everything the commit has to know of it.
package struct StagedSource: Sendable {
    package var key: SourceKey
    package var evidence: SourceEvidence
    package var role: CandidateFile.Role
    package var staged: StagedContent
    package var lease: Lease
    /// Whether it is what Apple makes Live Photos of, so that its facts decide what it belongs to.
    package var isMadeForLivePhotos: Bool
}

extension StagedSource {
    /// Nil for a sidecar.
    package var kind: MediaKind? { role.kind }

    /// Nil for a photo and a video.
    package var sidecar: SidecarKind? {
        guard case .sidecar(let kind) = role else { return nil }
        return kind
    }

    /// Which resource of an asset these bytes are where nothing is beside them.
    package var resourceType: ResourceType {
        sidecar?.resourceType ?? (kind?.mediaType == .video ? .video : .photo)
    }
}

/// Opens one settled candidate, judges it, and copies it into staging while hashing it, in one pass (RULES R2, R3, R18, S2).
package struct Stager: Sendable {
    package static let byteLimit: Int64 = 64 << 30

    let machine: Machine
    let originals: Originals
    let recogniser: MediaRecogniser
    /// Ends copies when the daemon stops: staging is disposable (RULES R51).
    let isStopping: @Sendable () -> Bool

    package init(
        machine: Machine, originals: Originals, recogniser: MediaRecogniser, isStopping: @escaping @Sendable () -> Bool
    ) {
        self.machine = machine
        self.originals = originals
        self.recogniser = recogniser
        self.isStopping = isStopping
    }

    private var files: any FileVerbs { machine.files }

    /// `known` is what a source is known by whose bytes are safe in the library: they are not copied again.
    ///
    /// Throws only what a test injects; what goes wrong with the file or the disk is an answer.
    package func stage(
        _ candidate: Candidate, in root: OpenFile, fileSystem: [UInt8]?, known: SourceEvidence?, now: Duration
    ) throws -> Staging {
        do {
            return try attempt(candidate, in: root, fileSystem: fileSystem, known: known, now: now)
        } catch let failure as LibraryFailure {
            return answer(to: failure.cause)
        } catch let error as FileError {
            return answer(to: error, candidate: candidate)
        }
    }

    private func attempt(
        _ candidate: Candidate, in root: OpenFile, fileSystem: [UInt8]?, known: SourceEvidence?, now: Duration
    ) throws -> Staging {
        let key = candidate.key
        let source = try files.openForReading(key.path.bytes, beneath: root)
        try machine.reach(.sourceOpened)
        let before = try files.status(of: source)
        if let answer = judge(before, of: candidate, now: now) { return answer }
        let lease = try files.takeLease(source)
        defer { if lease == .granted { files.dropLease(source) } }
        if lease == .writerPresent {
            return .later(.writerPresent, detail: "a program has it open for writing", pause: .backOff)
        }
        let evidence = evidence(of: source, before, fileSystem: fileSystem)
        if let known, known.differsInChangeTimeAlone(from: evidence),
            let answer = try compare(source, before, evidence, with: known, lease: lease)
        {
            return answer
        }
        let ends = try FileEnds(byteCount: before.byteCount) { offset, count throws(FileError) in
            try readBytes(source, files: files, at: offset, count: count)
        }
        let verdict = recogniser.recognise(ends, name: key.path.name.bytes)
        let role: CandidateFile.Role
        switch verdict {
        case .media(let found), .unknownMedia(let found): role = .media(found)
        case .notMedia(let finding):
            guard let kind = try sidecar(source, byteCount: before.byteCount, named: key.path.name.bytes) else {
                return .decided(notMedia(key, finding, evidence))
            }
            role = .sidecar(kind)
        }
        if lease == .unavailable, try !isWhole(source, byteCount: before.byteCount, since: candidate, now: now) {
            return .later(.incomplete, detail: "its end is missing, or it is still being written", pause: .longWindow)
        }
        let hasRoom = try inLibrary { () throws(FileError) in try originals.hasRoom(for: before.byteCount) }
        guard hasRoom else { return try noRoom(for: before.byteCount) }
        let copied = try copy(source, before, lease: lease)
        guard case .success(let staged, let hash) = copied else { return copied.answer }
        var hashed = evidence
        hashed.hash = hash
        let content = Content(
            hash: hash, byteCount: before.byteCount, contentType: role.mimeType, fileExtension: role.preferredExtension)
        return .staged(
            StagedSource(
                key: key, evidence: hashed, role: role, staged: StagedContent(content: content, staged: staged),
                lease: lease, isMadeForLivePhotos: role.kind.map(ends.isMadeForLivePhotos) ?? false))
    }

    /// What says something of another file; nil for what is nobody's sidecar by its name or by its bytes.
    private func sidecar(_ source: OpenFile, byteCount: Int64, named name: [UInt8]) throws(FileError) -> SidecarKind? {
        guard byteCount <= Int64(SidecarKind.byteLimit), SidecarKind(named: name) != nil else { return nil }
        let bytes = try readBytes(source, files: files, at: 0, count: Int(byteCount))
        return SidecarKind(reading: bytes, named: name)
    }

    /// What the status alone decides.
    private func judge(_ status: FileStatus, of candidate: Candidate, now: Duration) -> Staging? {
        func skip(_ reason: Reason, _ evidence: SourceEvidence? = nil) -> Staging {
            .decided(Source(key: candidate.key, outcome: .skipped, reason: reason, evidence: evidence))
        }
        guard status.kind == .regular else { return skip(.notRegular) }
        if let seen = candidate.status, !seen.hasSameContentEvidence(as: status) {
            return .later(.changedWhileCopied, detail: "it changed just before it was copied", pause: .settle)
        }
        guard status.byteCount <= Stager.byteLimit else { return skip(.tooLarge, evidence(of: status)) }
        guard status.byteCount > 0 else {
            guard now - candidate.since >= SettleTracker.longWindow else {
                return .later(.empty, detail: "it has no bytes yet", pause: .longWindow)
            }
            return skip(.empty, evidence(of: status))
        }
        return nil
    }

    /// Where no lease can be had, a whole container or a long rest says that the writer is done (RULES R16d).
    private func isWhole(
        _ source: OpenFile, byteCount: Int64, since candidate: Candidate, now: Duration
    ) throws(FileError) -> Bool {
        if now - candidate.since >= SettleTracker.longWindow { return true }
        let check = ContainerCheck(byteCount: byteCount) { offset, count throws(FileError) in
            try readBytes(source, files: files, at: offset, count: count)
        }
        return try check.completeness() == .complete
    }

    private func notMedia(_ key: SourceKey, _ finding: String, _ evidence: SourceEvidence) -> Source {
        Source(
            key: key, outcome: .skipped, reason: .notMedia, detail: finding, evidence: evidence,
            rulesVersion: MediaRecogniser.rulesVersion)
    }

    private func evidence(of source: OpenFile, _ status: FileStatus, fileSystem: [UInt8]?) -> SourceEvidence {
        evidence(status, fileSystem: fileSystem, handle: files.handle(of: source))
    }

    private func evidence(of status: FileStatus) -> SourceEvidence {
        evidence(status, fileSystem: nil, handle: nil)
    }

    private func evidence(_ status: FileStatus, fileSystem: [UInt8]?, handle: [UInt8]?) -> SourceEvidence {
        SourceEvidence(
            fileSystem: fileSystem, inode: status.inode, handle: handle, born: status.born, modified: status.modified,
            changed: status.changed, byteCount: status.byteCount, hash: nil)
    }

    /// A file too big for what is left does not keep smaller ones waiting.
    private func noRoom(for byteCount: Int64) throws -> Staging {
        guard try inLibrary({ () throws(FileError) in try originals.hasRoom(for: 1 << 20) }) else { return diskIsFull }
        return .later(
            .noSpace,
            detail:
                "the library's disk has no room for its \(counted(Int(clamping: byteCount), "byte")): free some space",
            pause: .backOff)
    }

    private var diskIsFull: Staging {
        .later(
            .noSpace, detail: "the library's disk is full: free some space, albumd goes on by itself", pause: .disk)
    }

    /// Runs a verb on the library's own files: what goes wrong there says nothing of the source.
    func inLibrary<Value>(_ body: () throws(FileError) -> Value) throws(LibraryFailure) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw LibraryFailure(cause: error)
        }
    }

    private func answer(to library: FileError) -> Staging {
        if library.isNoSpace { return diskIsFull }
        return .later(
            Reason(ofDisk: library), detail: "the library cannot take it: \(library.ofLibrary)", pause: .disk)
    }

    private func answer(to error: FileError, candidate: Candidate) -> Staging {
        if error.isAbsence { return .gone }
        if error.isNoSpace { return diskIsFull }
        if error.isTooManyFiles { return .later(error.lack, detail: error.description, pause: .disk) }
        if error.isReadOnly { return .later(.libraryReadOnly, detail: error.description, pause: .disk) }
        let key = candidate.key
        switch error.code {
        case ELOOP: return .decided(Source(key: key, outcome: .skipped, reason: .symlink))
        case EXDEV: return .decided(Source(key: key, outcome: .skipped, reason: .otherFileSystem))
        case EACCES, EPERM:
            let detail = "albumd may not read it: albumctl folder check says what mends that"
            return .decided(Source(key: key, outcome: .blocked, reason: .permission, detail: detail))
        default: return .later(.ioError, detail: error.description, pause: .backOff)
        }
    }
}

extension CandidateFile.Role {
    /// Nil for a sidecar.
    fileprivate var kind: MediaKind? {
        guard case .media(let kind) = self else { return nil }
        return kind
    }

    fileprivate var mimeType: String {
        switch self {
        case .media(let kind): kind.mimeType
        case .sidecar(let kind): kind.mimeType
        }
    }

    fileprivate var preferredExtension: String {
        switch self {
        case .media(let kind): kind.preferredExtension
        case .sidecar(let kind): kind.preferredExtension
        }
    }
}

/// A verb on the library's files that failed, told apart from one on the source's.
struct LibraryFailure: Error {
    let cause: FileError
}

extension FileError {
    /// What somebody's machine lacks where this goes wrong; the disk's soundness, where nothing better is known.
    var lack: Reason { isNoSpace ? .noSpace : isTooManyFiles ? .tooManyOpenFiles : .ioError }
}
