import FoundationEssentials
import PhotoModel
import Testing

/// A zone that was proven is added to a wall clock and taken away again; the clock stays.
@Suite struct ZoneProofTests {
    private let time = CivilTime(microseconds: 1_560_084_000_000_000)

    private func facts(_ moment: CaptureMoment) -> AssetFacts {
        var facts = AssetFacts()
        facts.captureDate = CaptureDate(moment, source: .dateTimeOriginal)
        return facts
    }

    @Test func aProofMovesTheInstantAndNotTheWall() {
        let before = facts(.local(time))
        let after = before.withZone(ZoneProof(offset: 7200, kind: .gps, localTime: time))
        #expect(after.captureDate?.localTime == time && after.captureDate?.offset == 7200)
        #expect(after.captureDate?.creationDate == time.instant(offset: 7200))
        #expect(after.withZone(nil) == before)
    }

    @Test func aProofIsForItsOwnTimeAndForNoZoneOfTheFile() {
        let proof = ZoneProof(offset: 7200, kind: .gps, localTime: time)
        let other = facts(.local(CivilTime(microseconds: 0)))
        #expect(other.withZone(proof) == other)
        let zoned = facts(.zoned(time, offset: 3600))
        #expect(zoned.withZone(proof) == zoned)
    }
}
