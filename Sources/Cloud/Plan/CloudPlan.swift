package import PhotoModel

/// What should move between the disk and the cloud, and why: pure (RULES R39, N14).
///
/// Applied once, planning again gives nothing: what is fetched is what must be here, and nothing that must be here is ever
/// evicted, so the two never follow each other. What is to leave the disk is uploaded first, and evicted by the next plan,
/// when it is proven; a plan evicts nothing that is not `both`. What was begun is no move of the plan, and counts as done:
/// of what is uploading the plan says whether it leaves afterwards.
package struct CloudPlan: Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// A person pinned it, or one of its albums keeps its originals here.
        case pinned
        case keptByAlbum
        case inCloudByAlbum
        case olderThan
        case keepLocal
        case freeDiskFloor
        /// Every original gets a copy.
        case uploadsAll
    }

    package struct Move: Sendable, Hashable {
        package var hash: ContentHash
        package var byteCount: Int64
        package var reason: Reason
    }

    /// Moves of one kind: the first of them, and how many there are in all.
    package struct Moves: Sendable, Equatable {
        package private(set) var first: [Move] = []
        package private(set) var count = 0
        package private(set) var byteCount: Int64 = 0

        mutating func append(_ move: Move, limit: Int) {
            if first.count < limit { first.append(move) }
            count += 1
            byteCount += move.byteCount
        }
    }

    package private(set) var uploads = Moves()
    package private(set) var evictions = Moves()
    /// What is uploaded first, and leaves the disk when it is proven there: of a later plan the evictions.
    package private(set) var laterEvictions = Moves()
    package private(set) var fetches = Moves()
    private let limit: Int

    /// `freeBytes` of the library's disk; `now` in seconds since the epoch; `limit` bounds what is listed of each kind, for
    /// a plan that is carried out piece by piece.
    ///
    /// The order of `originals` does not matter.
    package init(_ originals: [TierFacts], policy: CloudPolicy, freeBytes: Int64, now: Int64, limit: Int = .max) {
        self.limit = limit
        var room = Room(policy: policy, freeBytes: freeBytes)
        var candidates: [Int] = []
        for (index, original) in originals.enumerated() {
            switch original.wants {
            case .nothing: continue
            case .pinned: fetch(original, .pinned, &room)
            case .keptByAlbum: fetch(original, .keptByAlbum, &room)
            case .inCloudByAlbum where original.transfer == .evicting,
                .whateverFits where original.transfer == .evicting:
                room.free(original)
                continue
            case .whateverFits where original.transfer == .downloading: room.bring(original.byteCount)
            case .inCloudByAlbum:
                leave(original, .inCloudByAlbum)
                room.free(original)
                continue
            case .whateverFits:
                if CloudPlan.isOld(original, policy, now) {
                    leave(original, .olderThan)
                    room.free(original)
                    continue
                }
                if original.residency != .inCloud { candidates.append(index) }
            }
            if original.residency != .inCloud { room.take(original.byteCount) }
            if policy.uploadsAll, original.residency == .local { upload(original, .uploadsAll) }
        }
        makeRoom(&room, originals, &candidates)
    }

    /// Nothing moves.
    init() { limit = 0 }

    package var isEmpty: Bool { uploads.count + evictions.count + fetches.count == 0 }

    /// What comes back takes the place of others.
    private mutating func fetch(_ original: TierFacts, _ reason: Reason, _ room: inout Room) {
        guard original.residency == .inCloud else { return }
        if original.transfer == nil { fetches.append(Move(original, reason), limit: limit) }
        room.bring(original.byteCount)
    }

    private mutating func upload(_ original: TierFacts, _ reason: Reason) {
        if original.transfer == nil { uploads.append(Move(original, reason), limit: limit) }
    }

    /// Begins to leave the disk, if it is there: the upload first.
    private mutating func leave(_ original: TierFacts, _ reason: Reason) {
        switch original.residency {
        case .inCloud: break
        case .both where original.transfer == nil: evictions.append(Move(original, reason), limit: limit)
        case .local, .both:
            upload(original, reason)
            laterEvictions.append(Move(original, reason), limit: limit)
        }
    }

    /// The least recently used leave first, until what stays is within the limits.
    private mutating func makeRoom(_ room: inout Room, _ originals: [TierFacts], _ candidates: inout [Int]) {
        guard room.isTooSmall else { return }
        candidates.sort { originals[$0].leavesBefore(originals[$1]) }
        for index in candidates {
            guard let reason = room.reason else { return }
            let original = originals[index]
            if original.residency == .local, room.policy.uploadsAll {
                // Its upload is in the plan already.
                laterEvictions.append(Move(original, reason), limit: limit)
            } else {
                leave(original, reason)
            }
            room.release(original.byteCount)
        }
    }

    private static func isOld(_ original: TierFacts, _ policy: CloudPolicy, _ now: Int64) -> Bool {
        policy.olderThan.map { original.lastUsed < now - $0.components.seconds } ?? false
    }
}

extension CloudPlan.Move {
    fileprivate init(_ original: TierFacts, _ reason: CloudPlan.Reason) {
        self.init(hash: original.hash, byteCount: original.byteCount, reason: reason)
    }
}

extension TierFacts {
    fileprivate func leavesBefore(_ other: TierFacts) -> Bool {
        lastUsed == other.lastUsed ? hash < other.hash : lastUsed < other.lastUsed
    }
}

/// What the limits leave: bytes too many on the disk, and bytes short of the floor.
private struct Room {
    let policy: CloudPolicy
    private var local: Int64 = 0
    private var free: Int64

    init(policy: CloudPolicy, freeBytes: Int64) { (self.policy, free) = (policy, freeBytes) }

    mutating func take(_ byteCount: Int64) { local += byteCount }

    /// What leaves for other reasons makes the disk freer, and was never counted as staying.
    mutating func free(_ original: TierFacts) {
        if original.residency != .inCloud { free += original.byteCount }
    }

    mutating func bring(_ byteCount: Int64) {
        local += byteCount
        free -= byteCount
    }

    mutating func release(_ byteCount: Int64) {
        local -= byteCount
        free += byteCount
    }

    var reason: CloudPlan.Reason? {
        if let most = policy.keepLocal, local > most { return .keepLocal }
        if let floor = policy.freeDiskFloor, free < floor { return .freeDiskFloor }
        return nil
    }

    var isTooSmall: Bool { reason != nil }
}
