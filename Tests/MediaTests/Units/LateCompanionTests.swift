import PhotoModel
import Testing

@testable import Media

/// A companion that comes hours later joins the asset that is there (FEATURES N5).
@Suite struct LateCompanionTests {
    private func joining(_ late: CandidateFile, _ there: [CandidateFile]) -> [String] {
        let assets = UnitPlan(there).units.filter { !$0.isOrphan }
        guard let unit = UnitPlan.joining(late, to: assets, of: there) else { return [] }
        return unit.resources.map { "\($0.type.rawValue) \(String(decoding: $0.file.path.bytes, as: UTF8.self))" }
    }

    @Test func theMovieOfALivePhotoJoins() {
        #expect(joining(candidate("I.MOV", id: "A"), [candidate("I.HEIC", id: "A")]) == ["1 I.HEIC", "9 I.MOV"])
    }

    /// The movie was an asset alone; the picture becomes its photo.
    @Test func thePictureOfALivePhotoJoins() {
        #expect(joining(candidate("I.HEIC", id: "A"), [candidate("I.MOV", id: "A")]) == ["1 I.HEIC", "9 I.MOV"])
    }

    @Test func theOriginalOfAnEditJoins() {
        let there = [candidate("IMG_E1.JPG"), candidate("IMG_1.AAE")]
        #expect(joining(candidate("IMG_1.JPG"), there) == ["1 IMG_1.JPG", "5 IMG_E1.JPG", "7 IMG_1.AAE"])
    }

    @Test func theJPEGOfARAWAndALateSidecarJoin() {
        let raw = candidate("D.ARW", at: "03:04:05", camera: "A7")
        let jpeg = candidate("D.JPG", at: "03:04:05", camera: "A7")
        #expect(joining(jpeg, [raw]) == ["1 D.JPG", "4 D.ARW"])
        #expect(joining(candidate("D.xmp"), [raw, jpeg]) == ["1 D.JPG", "4 D.ARW", "1001 D.xmp"])
    }

    @Test func aStrangerDoesNot() {
        #expect(joining(candidate("I.MOV"), [candidate("I.HEIC", id: "A")]) == [])
        #expect(joining(candidate("J.JPG"), [candidate("I.JPG")]) == [])
    }

    /// A better match that comes late takes nobody's place.
    @Test func aCompanionIsNotReplaced() {
        let there = [candidate("a/I.HEIC", id: "A"), candidate("b/X.MOV", id: "A")]
        #expect(joining(candidate("a/I.MOV", id: "A"), there) == [])
    }

    /// Picture and movie have become two assets: they may be in albums, and stay two; `why` says so.
    @Test func twoAssetsAreNotJoined() {
        let files = [candidate("IMG_E1.JPG"), candidate("IMG_1.MOV", id: "A")]
        let assets = UnitPlan(files).units
        let plan = UnitPlan(files + [candidate("IMG_1.JPG", id: "A")], settled: assets)
        #expect(plan.units.count == 2)
        #expect(plan.nearMisses.map(\.reason) == [.bothAreAssets])
    }

    /// Kept together although nothing proves it any more: facts that could not be read again part no asset.
    @Test func whatWasSettledStaysTogether() {
        let settled = UnitPlan([candidate("I.HEIC", id: "A"), candidate("I.MOV", id: "A")]).units
        let plan = UnitPlan([candidate("I.HEIC"), candidate("I.MOV")], settled: settled)
        #expect(plan.lines == ["1 I.HEIC + 9 I.MOV"])
        #expect(plan.units.first?.resources.last?.pairing == .settled)
    }
}
