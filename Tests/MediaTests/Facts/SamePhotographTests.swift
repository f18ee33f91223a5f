import MediaFacts
import PhotoModel
import Testing

@testable import Media

/// RULES R19: an edit is of the same photograph where capture date and camera agree.
@Suite struct SamePhotographTests {
    private static let known: Tags = [.dateTimeOriginal: "2019:07:04 16:24:01", .model: "X-T1"]

    static let table: [(other: Tags, isSame: Bool?)] = [
        (known, true),
        ([.dateTimeOriginal: "2019:07:04 16:24:01", .subSecTimeOriginal: "5", .model: "FUJIFILM X-T1"], true),
        ([.dateTimeOriginal: "2019:07:04 16:24:02", .model: "X-T1"], false),
        ([.dateTimeOriginal: "2019:07:04 16:24:01", .model: "X-T2"], false),
        ([.dateTimeOriginal: "2019:07:04 16:24:01"], nil),
        ([.dateTimeOriginal: "2020:07:04 16:24:01"], false),
        ([.model: "X-T1"], nil),
        ([.model: "X-T2"], false),
        ([:], nil),
        // When a program last changed it is not when it was taken.
        ([.dateTime: "2020:07:04 16:24:01", .model: "X-T1"], nil),
    ]

    @Test(arguments: table)
    func anEditAgreesWithItsOriginal(other: Tags, isSame: Bool?) {
        #expect(judged(Self.known).isSamePhotograph(as: judged(other)) == isSame)
        #expect(judged(other).isSamePhotograph(as: judged(Self.known)) == isSame)
    }
}
