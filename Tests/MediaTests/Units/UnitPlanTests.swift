import PhotoModel
import Testing

@testable import Media

/// Which files are one asset.
@Suite struct UnitPlanTests {
    static let table: [(files: [CandidateFile], lines: [String])] = live + pictures + edits

    private static let live: [(files: [CandidateFile], lines: [String])] = [
        ([candidate("IMG_1.JPG", id: "A"), candidate("IMG_1.MOV", id: "A")], ["1 IMG_1.JPG + 9 IMG_1.MOV"]),
        // Two names, and two directories: the identifier is the proof.
        ([candidate("a/IMG_1.HEIC", id: "A"), candidate("b/X.MOV", id: "A")], ["1 a/IMG_1.HEIC + 9 b/X.MOV"]),
        // A name alone is none, nor is an identifier of one side.
        ([candidate("IMG_1.JPG"), candidate("IMG_1.MOV")], ["IMG_1.JPG", "IMG_1.MOV"]),
        ([candidate("IMG_1.JPG", id: "A"), candidate("IMG_1.MOV")], ["IMG_1.JPG", "IMG_1.MOV"]),
        ([candidate("IMG_1.JPG", id: "A"), candidate("IMG_1.MOV", id: "B")], ["IMG_1.JPG", "IMG_1.MOV"]),
        ([candidate("a/IMG_1.JPG"), candidate("b/IMG_1.MOV")], ["a/IMG_1.JPG", "b/IMG_1.MOV"]),
        // The same folder first.
        (
            [candidate("a/X.MOV", id: "A"), candidate("b/IMG_1.HEIC", id: "A"), candidate("b/X.MOV", id: "A")],
            ["a/X.MOV", "1 b/IMG_1.HEIC + 9 b/X.MOV"]
        ),
        (
            [
                candidate("a/1.HEIC", id: "A"), candidate("a/1.MOV", id: "A"), candidate("b/1.HEIC", id: "A"),
                candidate("b/1.MOV", id: "A"),
            ], ["1 a/1.HEIC + 9 a/1.MOV", "1 b/1.HEIC + 9 b/1.MOV"]
        ),
        // I13: names that differ in case are two files.
        (
            [candidate("IMG.HEIC", id: "A"), candidate("IMG.MOV", id: "B"), candidate("IMG.mov", id: "A")],
            ["1 IMG.HEIC + 9 IMG.mov", "IMG.MOV"]
        ),
        ([candidate("IMG.HEIC"), candidate("IMG.MOV"), candidate("IMG.mov")], ["IMG.HEIC", "IMG.MOV", "IMG.mov"]),
        (
            [candidate("IMG.HEIC", id: "A"), candidate("IMG.MOV", id: "A"), candidate("IMG.mov", id: "A")],
            ["1 IMG.HEIC + 9 IMG.MOV", "IMG.mov"]
        ),
        // A motion photo is one file and two resources.
        ([candidate("P.jpg", movie: EmbeddedMovie(offset: 9, byteCount: 5))], ["1 P.jpg + 9 P.jpg"]),
    ]

    private static let pictures: [(files: [CandidateFile], lines: [String])] = [
        (
            [candidate("D.ARW", at: "03:04:05", camera: "A7"), candidate("D.JPG", at: "03:04:05", camera: "A7")],
            ["1 D.JPG + 4 D.ARW"]
        ),
        (
            [
                candidate("D.CR2", at: "03:04:05.5", camera: "EOS 6D"),
                candidate("D.JPG", at: "03:04:05", camera: "Canon EOS 6D"),
            ],
            ["1 D.JPG + 4 D.CR2"]
        ),
        (
            [candidate("D.ARW", at: "03:04:05", camera: "A7"), candidate("D.JPG", at: "03:04:06", camera: "A7")],
            ["D.ARW", "D.JPG"]
        ),
        (
            [candidate("D.ARW", at: "03:04:05", camera: "A7"), candidate("D.JPG", at: "03:04:05", camera: "A9")],
            ["D.ARW", "D.JPG"]
        ),
        ([candidate("D.ARW"), candidate("D.JPG")], ["D.ARW", "D.JPG"]),
        (
            [candidate("a/D.ARW", at: "03:04:05", camera: "A7"), candidate("b/D.JPG", at: "03:04:05", camera: "A7")],
            ["a/D.ARW", "b/D.JPG"]
        ),
        // Everything at once: RAW, picture, movie and sidecars of both.
        (
            [
                candidate("I.DNG", id: "A", at: "03:04:05", camera: "P"),
                candidate("I.HEIC", id: "A", at: "03:04:05", camera: "P"),
                candidate("I.MOV", id: "A"), candidate("I.DNG.xmp"), candidate("I.HEIC.xmp"), candidate("I.AAE"),
            ], ["1 I.HEIC + 4 I.DNG + 7 I.AAE + 9 I.MOV + 1001 I.DNG.xmp + 1001 I.HEIC.xmp"]
        ),
    ]

    private static let edits: [(files: [CandidateFile], lines: [String])] = [
        (
            [candidate("IMG_1234.AAE"), candidate("IMG_1234.HEIC"), candidate("IMG_E1234.JPG")],
            ["1 IMG_1234.HEIC + 5 IMG_E1234.JPG + 7 IMG_1234.AAE"]
        ),
        ([candidate("IMG_1234.MOV"), candidate("IMG_E1234.MOV")], ["2 IMG_1234.MOV + 6 IMG_E1234.MOV"]),
        (
            [
                candidate("IMG_1.HEIC", id: "A"), candidate("IMG_1.MOV", id: "A"), candidate("IMG_E1.HEIC", id: "A"),
                candidate("IMG_E1.MOV", id: "A"),
            ], ["1 IMG_1.HEIC + 5 IMG_E1.HEIC + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        (
            [candidate("IMG_1.HEIC", id: "A"), candidate("IMG_1.MOV", id: "A"), candidate("IMG_E1.MOV")],
            ["1 IMG_1.HEIC + 9 IMG_1.MOV + 10 IMG_E1.MOV"]
        ),
        // Another second is another photo, and a mark of no number is no mark.
        (
            [candidate("IMG_1.JPG", at: "03:04:05"), candidate("IMG_E1.JPG", at: "13:04:05")],
            ["IMG_1.JPG", "IMG_E1.JPG"]
        ),
        ([candidate("IMG_1.JPG", camera: "A"), candidate("IMG_E1.JPG", camera: "B")], ["IMG_1.JPG", "IMG_E1.JPG"]),
        ([candidate("a/IMG_1.JPG"), candidate("b/IMG_E1.JPG")], ["a/IMG_1.JPG", "b/IMG_E1.JPG"]),
        ([candidate("IMG_1.JPG"), candidate("IMG_E1.MOV")], ["IMG_1.JPG", "IMG_E1.MOV"]),
        ([candidate("IMG_LBE.JPG"), candidate("IMG_ELBE.JPG")], ["IMG_ELBE.JPG", "IMG_LBE.JPG"]),
        // As the corpus has it: the edit alone, with its recipe.
        ([candidate("IMG_4120.AAE"), candidate("IMG_E4120.JPG")], ["1 IMG_E4120.JPG + 7 IMG_4120.AAE"]),
        ([candidate("IMG_5747.HEIC"), candidate("IMG_O5747.aae")], ["1 IMG_5747.HEIC + 7 IMG_O5747.aae"]),
    ]

    @Test(arguments: table)
    func filesAreOneAsset(files: [CandidateFile], lines: [String]) { #expect(UnitPlan(files).lines == lines) }

    @Test func aPairSaysWhyAndWhatItWaitsFor() throws {
        let pair = UnitPlan([candidate("IMG_1.JPG", id: "A"), candidate("IMG_1.MOV", id: "A")])
        let unit = try #require(pair.units.first)
        #expect(unit.isLive && unit.awaited == nil && !unit.isOrphan)
        #expect(unit.resource(of: key("IMG_1.MOV"))?.pairing == .contentIdentifier("A"))
        #expect(UnitPlan([candidate("IMG_1.JPG", id: "A")]).units.first?.awaited == .movie(contentIdentifier: "A"))
        #expect(UnitPlan([candidate("IMG_1.MOV", id: "A")]).units.first?.awaited == .picture(contentIdentifier: "A"))
        let motion = UnitPlan([candidate("P.jpg", id: "A", movie: EmbeddedMovie(offset: 9, byteCount: 5))])
        #expect(motion.units.first?.awaited == nil)
        #expect(motion.units.first?.resources.last?.pairing == .sameFile)
        let orphan = UnitPlan([candidate("IMG_1.jpg.json")])
        #expect(orphan.units.first?.awaited == .described(.takeout) && orphan.units.first?.isOrphan == true)
    }

    @Test(
        arguments: [
            ([candidate("I.JPG"), candidate("I.MOV")], .noContentIdentifier),
            ([candidate("I.JPG", id: "A"), candidate("I.MOV", id: "B")], .otherContentIdentifier),
            ([candidate("I.JPG", id: "A"), candidate("I.MOV", id: "A"), candidate("J.MOV", id: "A")], .companionTaken),
            ([candidate("I.ARW"), candidate("I.JPG")], .notEnoughFacts),
            (
                [candidate("I.ARW", at: "03:04:05", camera: "A"), candidate("I.JPG", at: "04:04:05", camera: "A")],
                .otherCaptureDate
            ),
            (
                [candidate("I.ARW", at: "03:04:05", camera: "A"), candidate("I.JPG", at: "03:04:05", camera: "B")],
                .otherCamera
            ),
            ([candidate("IMG_1.JPG", camera: "A"), candidate("IMG_E1.JPG", camera: "B")], .otherCamera),
            ([candidate("I.JPG"), candidate("I.PNG", .png), candidate("I.xmp")], .ambiguousName),
        ] as [([CandidateFile], NearMiss.Reason)])
    func aNearMissSaysWhyNot(files: [CandidateFile], reason: NearMiss.Reason) {
        #expect(UnitPlan(files).nearMisses.map(\.reason) == [reason])
    }

    /// The edit's picture is another photo's, and its movie goes with it.
    @Test func aFileWhoseCompanionBelongsElsewhereSaysSo() {
        let plan = UnitPlan([
            candidate("IMG_1.JPG", id: "A", at: "03:04:05"), candidate("IMG_1.MOV", id: "A"),
            candidate("IMG_E1.JPG", id: "B", at: "13:04:05"), candidate("IMG_E1.MOV", id: "B"),
        ])
        #expect(plan.lines == ["1 IMG_1.JPG + 9 IMG_1.MOV", "1 IMG_E1.JPG + 9 IMG_E1.MOV"])
        #expect(plan.nearMisses.map(\.reason) == [.otherCaptureDate, .othersDoNot])
    }

    @Test func aBurstIsAStackWithARepresentative() throws {
        let plan = UnitPlan([
            candidate("IMG_3.JPG", at: "03:04:05.2", burst: "B"), candidate("IMG_2.JPG", at: "03:04:05.9", burst: "B"),
            candidate("IMG_9.JPG", burst: "C"), candidate("IMG_4.JPG"),
        ])
        #expect(plan.units.count == 4)
        let stack = try #require(plan.stacks.first)
        #expect(plan.stacks.count == 1 && stack.burstIdentifier == "B")
        #expect(stack.members == [key("IMG_3.JPG"), key("IMG_2.JPG")] && stack.representative == key("IMG_3.JPG"))
        let android = UnitPlan([candidate("0_BURST1.jpg", burst: "B"), candidate("1_BURST1_COVER.jpg", burst: "B")])
        #expect(android.stacks.first?.representative == key("1_BURST1_COVER.jpg"))
    }
}
