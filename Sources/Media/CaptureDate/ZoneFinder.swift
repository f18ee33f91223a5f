package import FoundationEssentials
package import MediaFacts
package import PhotoModel

/// One photo of an album, as far as its zone can be told from it or it can tell another's.
package struct ZoneCase: Sendable {
    package var localIdentifier: LocalIdentifier
    package var captureDate: CaptureDate?
    package var camera: Camera?
    package var contentIdentifier: String?
    package var longitude: Double?
    /// UTC by its satellites.
    package var satelliteTime: Date?
    /// The dates of its other files.
    package var ownDates: [CaptureDate]

    package init(
        _ localIdentifier: LocalIdentifier, _ facts: AssetFacts, tags: [Tag: String] = [:],
        others: [[Tag: String]] = []
    ) {
        self.localIdentifier = localIdentifier
        captureDate = facts.captureDate
        camera = facts.camera
        contentIdentifier = facts.contentIdentifier
        longitude = facts.location?.longitude
        satelliteTime = tags.satelliteTime
        ownDates = others.compactMap(\.movieDate)
    }

    /// What a wall clock said that did not say where it was: the camera's, not a name's or a program's.
    package var localTime: CivilTime? {
        guard let date = captureDate, date.source.isInFile, date.source != .dateTime, date.precision >= .minute,
            case .local(let time) = date.moment
        else { return nil }
        return time
    }

    fileprivate var zoned: (time: CivilTime, offset: Int)? {
        guard let date = captureDate, date.source.isInFile, case .zoned(let time, let offset) = date.moment else {
            return nil
        }
        return (time, offset)
    }
}

/// Which wall clocks without a zone were in which one, as far as that is proven; the others stay as they are.
///
/// Pure. Satellites prove it first, then the other half of a Live Photo, then the neighbours of one camera.
package func zoneProofs(of cases: [ZoneCase]) -> [LocalIdentifier: ZoneProof] {
    var proofs: [LocalIdentifier: ZoneProof] = [:]
    let halves = Dictionary(grouping: cases.filter { $0.zoned != nil }) { $0.contentIdentifier ?? "" }
    for one in cases {
        proofs[one.localIdentifier] = one.provenBySatellites ?? one.provenByPair(halves)
    }
    let rolls = Dictionary(grouping: cases.filter { $0.camera?.model != nil }) { $0.camera.map(Roll.init) }
    for roll in rolls.values {
        let known = roll.compactMap { one -> Witness? in
            if let proof = proofs[one.localIdentifier] {
                return Witness(time: proof.localTime, offset: proof.offset, localIdentifier: one.localIdentifier)
            }
            return one.zoned.map { Witness(time: $0.time, offset: $0.offset, localIdentifier: one.localIdentifier) }
        }.sorted { $0.time < $1.time }
        for one in roll where proofs[one.localIdentifier] == nil {
            proofs[one.localIdentifier] = one.provenByNeighbours(known)
        }
    }
    return proofs
}

/// The photos of one camera, as far as its name tells.
private struct Roll: Hashable {
    let make: String?
    let model: String?

    init(_ camera: Camera) { (make, model) = (camera.make, camera.model) }
}

private struct Witness {
    let time: CivilTime
    let offset: Int
    let localIdentifier: LocalIdentifier
}

extension ZoneCase {
    /// A clock that is set right is a whole zone ahead of UTC: of what is further off, nothing is said.
    ///
    /// Two minutes are more than a clock that is set by hand is wrong by at first, and less than could be another zone's.
    fileprivate var provenBySatellites: ZoneProof? {
        guard let time = localTime, let instant = satelliteTime, let longitude else { return nil }
        let ahead = (time.microseconds - instant.microseconds) / 1_000_000
        guard let offset = zonesInUse.first(where: { abs(Int64($0) - ahead) <= 120 }),
            isLikely(offset, at: longitude)
        else { return nil }
        return ZoneProof(offset: offset, kind: .gps, localTime: time)
    }

    /// Both halves are of one moment: the wall of both said the same, within ten seconds.
    fileprivate func provenByPair(_ halves: [String: [ZoneCase]]) -> ZoneProof? {
        guard let time = localTime else { return nil }
        let own = ownDates.lazy.compactMap { date -> Int? in
            guard case .zoned(let other, let offset) = date.moment, isNear(time, other, seconds: 10) else { return nil }
            return offset
        }
        if let offset = own.first { return ZoneProof(offset: offset, kind: .pair, localTime: time) }
        guard let identifier = contentIdentifier, !identifier.isEmpty else { return nil }
        for half in halves[identifier] ?? [] where half.localIdentifier != localIdentifier {
            guard let zoned = half.zoned, isNear(time, zoned.time, seconds: 10) else { continue }
            return ZoneProof(
                offset: zoned.offset, kind: .pair, witnesses: [half.localIdentifier], localTime: time)
        }
        return nil
    }

    /// `known` in the order of their wall clocks: the last before it and the first after it must agree, and neither be
    /// further away than half a day, in which a traveller and a summer time could be two zones further.
    fileprivate func provenByNeighbours(_ known: [Witness]) -> ZoneProof? {
        guard let time = localTime, let before = known.last(where: { $0.time <= time }),
            let after = known.first(where: { $0.time >= time && $0.localIdentifier != before.localIdentifier }),
            before.offset == after.offset, isNear(time, before.time, seconds: 43_200),
            isNear(time, after.time, seconds: 43_200)
        else { return nil }
        return ZoneProof(
            offset: before.offset, kind: .neighbours, witnesses: [before.localIdentifier, after.localIdentifier],
            localTime: time)
    }
}

private func isNear(_ one: CivilTime, _ other: CivilTime, seconds: Int64) -> Bool {
    abs(one.microseconds - other.microseconds) <= seconds * 1_000_000
}

/// Programs write the wall's time where UTC belongs: that no zone is so far from the sun tells it.
///
/// The clocks of western China and of Spain in summer are three hours off at most.
private func isLikely(_ offset: Int, at longitude: Double) -> Bool {
    let hours = abs(Double(offset) / 3600 - longitude / 15)
    return min(hours, abs(24 - hours)) <= 4
}

/// In seconds: whole and half hours from 12 behind UTC to 14 ahead of it, and the three of a quarter that clocks keep
/// today (IANA Time Zone Database: Nepal, Eucla, the Chatham Islands).
private let zonesInUse: [Int] = (-24...28).map { $0 * 1800 } + [20_700, 31_500, 45_900]

extension [Tag: String] {
    /// EXIF's satellite date and time.
    fileprivate var satelliteTime: Date? {
        ownDateCandidates.first { $0.source == .gpsTime }.flatMap { candidate in
            guard case .instant(let instant)? = candidate.moment else { return nil }
            return instant
        }
    }

    fileprivate var movieDate: CaptureDate? {
        ownDateCandidates.first { $0.source == .quickTimeCreationDate }.flatMap { candidate in
            candidate.moment.map { CaptureDate($0, precision: candidate.precision, source: candidate.source) }
        }
    }
}
