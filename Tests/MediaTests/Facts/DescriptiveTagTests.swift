import FoundationEssentials
import MediaFacts
import PhotoModel
import Testing

@testable import Media

/// Words, cameras and exposures; nothing is invented, and a sidecar fills only what is missing.
@Suite struct DescriptiveTagTests {
    @Test func anEmptyFileHasNoFacts() {
        #expect(judged([:]) == AssetFacts(playbackStyle: .image))
        let blanks: Tags = [.make: "   \0", .model: "", .xmpTitle: " \n", .exposureTime: "0/0", .fNumber: "0/1"]
        #expect(judged(blanks) == AssetFacts(playbackStyle: .image))
    }

    @Test func aCameraAndItsExposureAreRead() {
        let facts = judged([
            .make: "Apple\0", .model: "iPhone 8 ", .lensModel: "iPhone 8 front camera 2.87mm f/2.2",
            .exposureTime: "1/50", .fNumber: "22/10", .photographicSensitivity: "100", .focalLength: "287/100",
            .focalLengthIn35mmFilm: "32",
        ])
        #expect(facts.camera == Camera(make: "Apple", model: "iPhone 8", lens: "iPhone 8 front camera 2.87mm f/2.2"))
        #expect(
            facts.exposure == Exposure(time: 0.02, fNumber: 2.2, iso: 100, focalLength: 2.87, focalLengthIn35mm: 32))
    }

    @Test(
        arguments: [("4", 4), ("1.0", 1), ("0", 0), ("5", 5), ("-1", nil), ("6", nil), ("five", nil)]
            as [(String, Int?)])
    func starsAreZeroToFive(text: String, stars: Int?) { #expect(judged([.xmpRating: text]).rating == stars) }

    @Test func aRatingIsNoFavourite() { #expect(judged([.xmpRating: "5"]).isFavorite == nil) }

    @Test func keywordsAreOneALine() {
        #expect(
            judged([.xmpSubject: "Paris, France\nnight\n\nnight\n  tower"]).keywords == [
                "Paris, France", "night", "tower",
            ])
    }

    /// Before XMP came there was IPTC, which programs keep beside it.
    @Test func whatXMPLacksIPTCSays() {
        let iptc: Tags = [.iptcTitle: "Old", .iptcCaption: "By the window", .iptcKeywords: "a\nb"]
        let facts = judged(iptc)
        #expect(facts.title == "Old" && facts.caption == "By the window" && facts.keywords == ["a", "b"])
        let both = judged(iptc.merging([.xmpTitle: "New", .xmpDescription: "At night", .xmpSubject: "c"]) { $1 })
        #expect(both.title == "New" && both.caption == "At night" && both.keywords == ["c"])
        #expect(judged([.iptcCaption: #"DCIM\100GOPRO"#]).caption == nil)
    }

    @Test func aCamerasOwnCaptionIsNone() {
        #expect(judged([.imageDescription: "OLYMPUS DIGITAL CAMERA         "]).caption == nil)
        #expect(judged([.imageDescription: "Our garden"]).caption == "Our garden")
    }

    @Test func aSidecarFillsWhatIsMissing() {
        let xmp: Tags = [
            .xmpTitle: "Tower", .xmpDescription: "At night", .xmpRating: "3", .xmpFavorite: "1", .xmpSubject: "a\nb",
            .xmpGPSLatitude: "51.5", .xmpGPSLongitude: "-0.125",
        ]
        let facts = judged([.xmpTitle: "Old", .xmpRating: "0"], xmp: xmp)
        #expect(facts.title == "Old" && facts.rating == 0)
        #expect(facts.caption == "At night" && facts.isFavorite == true && facts.keywords == ["a", "b"])
        #expect(facts.location == Location(latitude: 51.5, longitude: -0.125))
        let filled: [AssetFacts.Field: SidecarKind] = [
            .caption: .xmp, .isFavorite: .xmp, .keywords: .xmp, .location: .xmp,
        ]
        #expect(facts.filledBySidecar == filled)
    }

    @Test func xmpComesBeforeTakeout() {
        let takeout = TakeoutSidecar(title: "IMG_1.jpg", caption: "theirs", isFavorite: true)
        let facts = judged([:], name: "IMG_1.jpg", xmp: [.xmpDescription: "mine"], takeout: takeout)
        #expect(facts.caption == "mine" && facts.isFavorite == true && facts.title == nil)
        #expect(facts.filledBySidecar == [.caption: .xmp, .isFavorite: .takeout])
        #expect(judged([:], name: "IMG_1(1).jpg", takeout: takeout).title == "IMG_1.jpg")
    }

    /// What the library keeps comes back the same.
    @Test func factsAreJSON() throws {
        var facts = judged(
            [
                .dateTimeOriginal: "2019:07:04 16:24:01", .offsetTimeOriginal: "-08:00", .motionPhoto: "1",
                .xmpDescription: "Tower", .gpsLatitude: "51/1 30/1 0/1", .gpsLatitudeRef: "N",
                .gpsLongitude: "0/1 7/1 30/1", .gpsLongitudeRef: "W", .make: "Apple", .exposureTime: "1/50",
            ], xmp: [.xmpFavorite: "true"], file: FileFacts(trailingMovie: ByteSpan(offset: 5, count: 6)))
        for moment in [
            CaptureMoment.zoned(CivilTime(microseconds: 5), offset: -3600), .local(CivilTime(microseconds: -5)),
            .instant(Date(microseconds: 1_796_004_069_000_000)),
        ] {
            facts.captureDate?.moment = moment
            #expect(try JSONDecoder().decode(AssetFacts.self, from: JSONEncoder().encode(facts)) == facts)
        }
    }
}
