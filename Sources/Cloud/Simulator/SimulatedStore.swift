import FoundationEssentials
import PhotoModel
package import Platform
import Synchronization

/// An object store in a directory, which can be told to fail in every way that a real one does.
///
/// An object is a directory with the parts of its key as its path; its versions are files in it, `@00000001` and so on,
/// the highest the newest. What a put acknowledges is synced. The same seed and the same requests give the same faults.
package final class SimulatedStore: ObjectStore {
    private struct State: Sendable {
        var faults: SimulatedFaults
        var random: SeededRandom
        var usedBytes: Int64
    }

    let objects: ObjectDirectory
    private let place: StorePlace?
    private let machine: Machine
    private let started: Duration
    private let pause: @Sendable (Duration) -> Void
    private let state: Mutex<State>

    /// Opens the store in a directory, or makes it there.
    ///
    /// With `path` it is asked at each verb whether that still leads to the directory: one that was moved away, or mounted
    /// over, is out of reach, as a bucket would be. `pause` waits; a test lets its clock pass instead.
    package init(
        in root: OpenFile, at path: [UInt8]? = nil, machine: Machine, faults: SimulatedFaults = SimulatedFaults(),
        seed: UInt64 = 1,
        pause: @escaping @Sendable (Duration) -> Void
    ) throws(FileError) {
        place = try path.map { (path) throws(FileError) in try StorePlace(path, root, files: machine.files) }
        objects = try ObjectDirectory(in: root, machine: machine)
        self.machine = machine
        self.pause = pause
        started = machine.uptime()
        state = Mutex(State(faults: faults, random: SeededRandom(seed: seed), usedBytes: try objects.usedBytes()))
    }

    /// How it misbehaves from now on.
    package var faults: SimulatedFaults {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// What all versions of all objects take.
    package var usedBytes: Int64 { state.withLock { $0.usedBytes } }

    /// Why its directory is not in its place, looked at now; nil where it is, or where no place was named.
    package var absence: ObjectStoreError? {
        do throws(ObjectStoreError) {
            try place?.require()
            return nil
        } catch {
            return error
        }
    }

    package func head(_ key: ObjectKey) throws(ObjectStoreError) -> ObjectFacts {
        try begin()
        let newest = try disk { () throws(FileError) in try objects.newest(key)?.facts(hashing: true) }
        guard let newest else { throw absent(key) }
        return newest
    }

    package func delete(_ key: ObjectKey) throws(ObjectStoreError) {
        try begin()
        let freed = try disk { () throws(FileError) in try objects.remove(key) }
        state.withLock { $0.usedBytes -= freed }
    }

    package func list(
        _ prefix: String, after: ObjectKey?, limit: Int
    ) throws(ObjectStoreError) -> [ObjectFacts] {
        try begin()
        // Without a delay everything is shown, whatever the clock has been set to since.
        let delay = Double(faults.listDelay.inMicroseconds) / 1e6
        let shown = delay > 0 ? machine.now().addingTimeInterval(-delay) : .distantFuture
        let facts = try disk { () throws(FileError) in
            try objects.keys(below: prefix).filter { after.map { $0.text.utf8 }.isBefore($0) }
        }
        var found: [ObjectFacts] = []
        for key in facts where found.count < limit {
            let newest = try disk { () throws(FileError) in try objects.newest(key)?.facts(hashing: false) }
            if let newest, newest.storedDate <= shown { found.append(newest) }
        }
        return found
    }

    package func get(
        _ key: ObjectKey, from offset: Int64, _ take: (UnsafeRawBufferPointer) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        try begin()
        let newest = try disk { () throws(FileError) in try objects.newest(key) }
        guard let version = newest else { throw absent(key) }
        let breaks = draw(\.breakRate) ? (offset + version.byteCount) / 2 : nil
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        var place = offset
        while true {
            let count = try disk { () throws(FileError) in
                try machine.files.read(version.file, into: piece, at: place)
            }
            if count == 0 { return }
            let most = breaks.map { max(0, min(Int64(count), $0 - place)) } ?? Int64(count)
            try take(UnsafeRawBufferPointer(rebasing: piece[..<Int(most)]))
            place += most
            guard most == count else { throw ObjectStoreError(.timedOut, "the bytes of \(key) stopped coming") }
            try carry(count)
        }
    }

    package func put(_ key: ObjectKey, _ body: ObjectBody) throws(ObjectStoreError) -> ObjectFacts {
        try begin(failing: false)
        let (fails, fate) = (draw(\.errorRate), drawFate())
        let isStored = !fails || draw { _ in 0.5 }
        try reserve(body.byteCount)
        let upload = try disk { () throws(FileError) in try objects.beginUpload() }
        let received: ContentHash?
        do throws(ObjectStoreError) {
            received = try receive(body, into: upload, fate: fate)
            guard received == body.sha256 else {
                throw ObjectStoreError(.checksumMismatch, "the bytes of \(key) are not those declared")
            }
        } catch {
            objects.abandon(upload)
            throw error
        }
        guard isStored, fate != .lie else {
            objects.abandon(upload)
            if fails { throw failure("put") }
            return ObjectFacts(
                key: key, byteCount: body.byteCount, sha256: body.sha256, versionID: "00000001",
                storedDate: machine.now())
        }
        let isReplacing = !faults.keepsVersions
        let stored = try disk { () throws(FileError) in
            try objects.finish(upload, as: key, isReplacing: isReplacing)
        }
        state.withLock { $0.usedBytes += stored.byteCount - stored.freed }
        if fails { throw failure("put") }
        return ObjectFacts(
            key: key, byteCount: body.byteCount, sha256: body.sha256, versionID: stored.versionID,
            storedDate: machine.now())
    }

    private enum Fate { case kept, lie, truncate, corrupt }

    private func drawFate() -> Fate {
        if draw(\.lieRate) { return .lie }
        if draw(\.truncateRate) { return .truncate }
        return draw(\.corruptRate) ? .corrupt : .kept
    }

    /// Writes what arrives, spoilt as its fate has it; returns the hash of what was sent.
    private func receive(
        _ body: ObjectBody, into upload: ObjectDirectory.Upload, fate: Fate
    ) throws(ObjectStoreError) -> ContentHash? {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        var hasher = ContentHasher()
        var place: Int64 = 0
        while true {
            let count = try body.read(into: piece, at: place)
            if count == 0 { break }
            hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            if fate == .corrupt, place == 0 { piece[count / 2] ^= 1 }
            let kept = fate == .truncate ? max(0, min(Int64(count), body.byteCount / 2 - place)) : Int64(count)
            let bytes = UnsafeRawBufferPointer(rebasing: piece[..<Int(kept)])
            try disk { () throws(FileError) in try machine.files.write(upload.file, bytes, at: place) }
            place += Int64(count)
            try carry(count)
        }
        return ContentHash(bytes: hasher.finish())
    }
}

/// The faults.
extension SimulatedStore {
    /// What befalls every request before it does anything.
    private func begin(failing: Bool = true) throws(ObjectStoreError) {
        let faults = faults
        try reach()
        if faults.latency > .zero { pause(faults.latency) }
        if draw(\.throttleRate) { throw ObjectStoreError(.throttled, "slow down", retryAfter: .seconds(1)) }
        if failing, draw(\.errorRate) { throw failure("request") }
    }

    private func reach() throws(ObjectStoreError) {
        let faults = faults
        let isDown = faults.isOffline || faults.outage?.isDown(at: machine.uptime() - started) ?? false
        if isDown { throw ObjectStoreError(.unreachable, "the simulated store is offline") }
        try place?.require()
    }

    /// Bytes on the line: they take their time, and an outage cuts them off.
    private func carry(_ count: Int) throws(ObjectStoreError) {
        if let rate = faults.bytesPerSecond { pause(.microseconds(Int64(count) * 1_000_000 / max(1, rate))) }
        try reach()
    }

    private func reserve(_ byteCount: Int64) throws(ObjectStoreError) {
        let (quota, used) = state.withLock { ($0.faults.quotaBytes, $0.usedBytes) }
        guard let quota, used + byteCount > quota else { return }
        throw ObjectStoreError(
            .quotaExceeded, "the simulated store has room for \(counted(Int(quota), "byte")), \(used) are taken")
    }

    private func draw(_ rate: (SimulatedFaults) -> Double) -> Bool {
        state.withLock { $0.random.happens(rate($0.faults)) }
    }

    private func failure(_ verb: String) -> ObjectStoreError {
        ObjectStoreError(.unavailable, "the simulated store failed a \(verb), as it was told to")
    }

    private func absent(_ key: ObjectKey) -> ObjectStoreError { ObjectStoreError(.notFound, "there is no \(key)") }

    /// The store's own disk: its trouble is a store's trouble.
    private func disk<Value>(_ body: () throws(FileError) -> Value) throws(ObjectStoreError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw ObjectStoreError(error.isNoSpace ? .quotaExceeded : .unavailable, "\(error)")
        }
    }
}

/// By command: what time does to objects.
extension SimulatedStore {
    /// Makes an object disappear; false where there is none.
    package func lose(_ key: ObjectKey) throws(FileError) -> Bool {
        let freed = try objects.remove(key)
        state.withLock { $0.usedBytes -= freed }
        return freed > 0
    }

    /// Turns one bit of an object's newest version; false where there is none.
    package func corrupt(_ key: ObjectKey) throws(FileError) -> Bool { try objects.flipBit(of: key) }
}

extension Optional where Wrapped == String.UTF8View {
    /// Whether a key comes after this one; everything comes after nil.
    fileprivate func isBefore(_ key: ObjectKey) -> Bool { map { $0.lexicographicallyPrecedes(key.text.utf8) } ?? true }
}
