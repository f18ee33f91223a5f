import Control
import ControlServer
import FoundationEssentials
import Glibc
import Media
import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// Bytes that clients have uploaded and not yet saved.
///
/// What is not saved within ten minutes is dropped.
final class Uploads: Sendable {
    struct Upload: Sendable {
        var hash: ContentHash
        var byteCount: Int64
        var staged: StagedFile
        var arrived: Duration
    }

    private static let patience = Duration.seconds(600)
    private let waiting = Mutex<[UUID: Upload]>([:])
    private let machine: Machine

    init(machine: Machine) { self.machine = machine }

    func keep(_ upload: Upload) -> UUID {
        dropOld()
        let identifier = machine.makeUUID()
        waiting.withLock { $0[identifier] = upload }
        return identifier
    }

    /// Hands an upload over: it can be saved once.
    func take(_ identifier: UUID) -> Upload? { waiting.withLock { $0.removeValue(forKey: identifier) } }

    private func dropOld() {
        let end = machine.uptime() - Uploads.patience
        let old = waiting.withLock { waiting in
            let old = waiting.filter { $0.value.arrived < end }
            for identifier in old.keys {
                waiting[identifier] = nil
            }
            return Array(old.values)
        }
        for upload in old {
            upload.staged.discard()
        }
    }
}

/// Streams one upload into staging, hashing it on the way.
final class StagingSink: UploadSink {
    private struct State {
        var hasher = ContentHasher()
        var byteCount: Int64 = 0
        var failure: FileError?
    }

    private let staged: StagedFile
    private let uploads: Uploads
    private let machine: Machine
    private let state = Mutex(State())

    init(staged: StagedFile, uploads: Uploads, machine: Machine) {
        self.staged = staged
        self.uploads = uploads
        self.machine = machine
    }

    func write(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            do throws(FileError) {
                try writeBytes(staged.file, bytes, files: machine.files, at: state.byteCount)
                bytes.withUnsafeBytes { state.hasher.update($0) }
                state.byteCount += Int64(bytes.count)
                return true
            } catch {
                state.failure = error
                return false
            }
        }
    }

    func finish() async -> Response {
        let (failure, digest, byteCount) = state.withLock { ($0.failure, $0.hasher.finish(), $0.byteCount) }
        // Only a test throws there.
        let isReached = (try? machine.reach(.uploadStaged)) != nil
        guard failure == nil, isReached, let hash = ContentHash(bytes: digest), byteCount > 0 else {
            staged.discard()
            return refusal(failure).response
        }
        let upload = uploads.keep(
            Uploads.Upload(hash: hash, byteCount: byteCount, staged: staged, arrived: machine.uptime()))
        let receipt = UploadReceipt(upload: upload, sha256: hash, byteCount: byteCount)
        return Response(status: 201, contentType: "application/json", body: .bytes(JSON.encode(receipt)))
    }

    private func refusal(_ failure: FileError?) -> Problem {
        guard let failure else {
            return .badRequest("the upload has no bytes", fix: "an empty file is no photo or video: name another")
        }
        return Problem(ofDisk: failure) ?? .internalError(failure.description)
    }

    func abort() { staged.discard() }
}

extension LibraryService {
    /// Whether an upload is welcome, and where its bytes go.
    func acceptUpload(_ request: Request) async -> UploadDecision {
        if let refusal = access.refusal(of: .write, to: request.peer) { return .refuse(refusal.response) }
        do {
            try Operation.upload.check(query: request.query)
            let originals = library.directory.originals
            let size = request.byteCount ?? 0
            let staged = try await pool.run {
                guard try originals.hasRoom(for: size) else { throw FileError(code: ENOSPC, verb: "keep the upload") }
                return try originals.stage()
            }
            return .accept(StagingSink(staged: staged, uploads: uploads, machine: machine))
        } catch {
            return .refuse(problem(error).response)
        }
    }
}
