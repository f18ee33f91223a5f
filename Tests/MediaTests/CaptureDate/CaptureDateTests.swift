import FoundationEssentials
import MediaFacts
import PhotoModel
import Testing

@testable import Media

/// Which tag wins, in which zone.
@Suite struct CaptureDateTests {
    /// What one row of the table holds.
    typealias Row = (tags: Tags, line: String)

    static let table: [Row] = exif + others

    private static let exif: [Row] = [
        ([.dateTimeOriginal: "2019:07:04 16:24:01"], "2019-07-04T16:24:01 dateTimeOriginal"),
        (
            [.dateTimeOriginal: "2019:07:04 16:24:01", .subSecTimeOriginal: "505", .offsetTimeOriginal: "-08:00"],
            "2019-07-04T16:24:01.505000 -8:0 dateTimeOriginal"
        ),
        (
            [.dateTimeOriginal: "2019:07:04 16:24:01", .subSecTimeOriginal: "955677   "],
            "2019-07-04T16:24:01.955677 dateTimeOriginal"
        ),
        ([.dateTimeOriginal: "2019:07:04 16:24:01", .subSecTimeOriginal: "x"], "2019-07-04T16:24:01 dateTimeOriginal"),
        // E12: the zone of another date is not this date's.
        (
            [.dateTimeOriginal: "2019:07:04 16:24:01", .offsetTime: "+01:00", .offsetTimeDigitized: "+01:00"],
            "2019-07-04T16:24:01 dateTimeOriginal"
        ),
        (
            [.dateTimeOriginal: "2019:07:04 16:24:01", .offsetTimeOriginal: "+02:00", .offsetTime: "+01:00"],
            "2019-07-04T16:24:01 +2:0 dateTimeOriginal"
        ),
        (
            [.dateTimeOriginal: "2019:07:04 16:24:01", .offsetTimeOriginal: "   :  "],
            "2019-07-04T16:24:01 dateTimeOriginal"
        ),
        (
            [.dateTimeOriginal: "2019:07:04 16:24:01", .offsetTimeOriginal: "+25:00"],
            "2019-07-04T16:24:01 dateTimeOriginal"
        ),
        // E13: local time stays local beside the satellites' UTC.
        (
            [.dateTimeOriginal: "2019:07:04 16:24:01", .gpsDateStamp: "2019:07:04", .gpsTimeStamp: "23/1 24/1 1/1"],
            "2019-07-04T16:24:01 dateTimeOriginal"
        ),
        ([.gpsDateStamp: "2019:07:04", .gpsTimeStamp: "23/1 24/1 150/100"], "2019-07-04T23:24:01.500000Z gpsTime"),
    ]

    private static let others: [Row] = [
        (
            [.quickTimeCreationDate: "2019-12-29T19:01:14-0800", .movieCreationTime: "2019-12-30T03:01:14.000000Z"],
            "2019-12-29T19:01:14 -8:0 quickTimeCreationDate"
        ),
        ([.movieCreationTime: "2019-12-30T03:01:14.000000Z"], "2019-12-30T03:01:14Z movieCreationTime"),
        ([.containerDate: "2009/10/27 12:14:34"], "2009-10-27T12:14:34 containerDate"),
        ([.xmpCreateDate: "2009-03-06T22:15:29+01:00"], "2009-03-06T22:15:29 +1:0 xmpCreateDate"),
        ([.xmpCreateDate: "2024-04-22T14:38:09.526GMT+02:00"], "2024-04-22T14:38:09.526000 +2:0 xmpCreateDate"),
        ([.xmpDateCreated: "1919-05-04"], "1919-05-04T00:00:00 xmpDateCreated (day)"),
        ([.xmpDateCreated: "2000"], "2000-01-01T00:00:00 xmpDateCreated (year)"),
        ([.xmpDateCreated: "2000-11"], "2000-11-01T00:00:00 xmpDateCreated (month)"),
        ([.xmpCreateDate: "2013-07-04T17:23-03:00"], "2013-07-04T17:23:00 -3:0 xmpCreateDate (minute)"),
        ([.xmpGPSDateTime: "2023-11-15T12:30:00Z"], "2023-11-15T12:30:00Z xmpGPSTime"),
        (
            [.xmpDateTimeOriginal: "2013-07-04T17:23:10Z", .xmpCreateDate: "2014-07-04T17:23:10Z"],
            "2013-07-04T17:23:10 +0:0 xmpDateTimeOriginal"
        ),
        (
            [
                .dateTimeDigitized: "2013:07:04 17:23:10", .offsetTimeDigitized: "+05:30",
                .dateTime: "2020:01:01 00:00:01",
            ],
            "2013-07-04T17:23:10 +5:30 dateTimeDigitized"
        ),
        ([.dateTime: "2020:01:01 00:00:01", .offsetTime: "+01:00"], "2020-01-01T00:00:01 +1:0 dateTime"),
        ([.dateTimeOriginal: "1919:05:04 05:59:26"], "1919-05-04T05:59:26 dateTimeOriginal"),
    ]

    @Test(arguments: table)
    func theBestTagWins(tags: Tags, line: String) {
        #expect(judged(tags).captureDate?.line == line)
    }

    /// CASES E01, E02 and future dates: each falls through to the modification time, and is named.
    @Test(
        arguments: [
            ("0000:00:00 00:00:00", .zero), ("0000-00-00", .zero), ("1904:01:01 00:00:00", .zero),
            ("1970:01:01 00:00:00", .zero), ("2019:07:04 24:24:27", .impossible),
            ("2019:13:04 10:00:00", .impossible), ("2019:02:29 10:00:00", .impossible),
            ("2019:00:00 10:00:00", .impossible), ("1899:12:31 23:59:59", .impossible),
            ("    :  :     :  :  ", .impossible),
            (":07:04 16:24:01", .impossible), ("2019:07:04 16:61:01", .impossible),
            ("2019:07:04 16:24:60", .impossible),
            ("2019:07:04 16", .impossible), ("2019:07:04 16:24:01 or so", .impossible), ("yesterday", .impossible),
            ("2099:09:29 10:10:10", .future), ("2026:12:02 10:10:10", .future),
        ] as [(String, PassedOverDate.Doubt)])
    func aDateThatCannotBeTrueFallsThroughAndIsFlagged(text: String, doubt: PassedOverDate.Doubt) {
        let modified = Date(microseconds: 1_700_000_000_000_000)
        let facts = judged([.dateTimeOriginal: text], modified: modified)
        #expect(facts.captureDate == CaptureDate(.instant(modified), source: .modificationDate))
        #expect(facts.passedOverDates.map(\.doubt) == [doubt])
        #expect(facts.passedOverDates.map(\.source) == [.dateTimeOriginal])
    }

    @Test func aMovieClockThatWasNeverSetIsNoDate() {
        for text in ["1904-01-01T00:00:00.000000Z", "1970-01-01T00:00:00Z"] {
            let facts = judged([.movieCreationTime: text], kind: .mp4)
            #expect(facts.captureDate == nil && facts.passedOverDates.map(\.doubt) == [.zero], "\(text)")
        }
    }

    /// Auckland is a day ahead of Honolulu: its evening is no future.
    @Test func aWallClockAheadOfUTCIsNotTheFuture() {
        #expect(judged([.dateTimeOriginal: "2026:11:30 15:00:00"]).captureDate != nil)
    }

    @Test func theNextBestTagIsTriedBeforeAnySidecar() {
        let tags: Tags = [.dateTimeOriginal: "0000:00:00 00:00:00", .xmpCreateDate: "2015-11-20T05:20:30"]
        let takeout = TakeoutSidecar(photoTaken: Date(microseconds: 0))
        let facts = judged(tags, takeout: takeout)
        #expect(facts.captureDate?.line == "2015-11-20T05:20:30 xmpCreateDate")
        #expect(facts.passedOverDates.map(\.source) == [.dateTimeOriginal])
    }

    @Test func sidecarsComeBeforeTheName() {
        let taken = Date(microseconds: 1_423_073_935_000_000)
        let name = "IMG_20190102_030405.jpg"
        let takeout = judged([:], name: name, takeout: TakeoutSidecar(photoTaken: taken))
        #expect(takeout.captureDate?.line == "2015-02-04T18:18:55Z takeoutSidecar")
        #expect(takeout.filledBySidecar == [.captureDate: .takeout])
        let xmp = judged(
            [.dateTime: "2020:01:01 00:00:01"], name: name, xmp: [.xmpDateCreated: "1919-05-04"],
            takeout: TakeoutSidecar(photoTaken: taken))
        #expect(xmp.captureDate?.line == "1919-05-04T00:00:00 xmpSidecar (day)")
        #expect(xmp.filledBySidecar == [.captureDate: .xmp])
        let second = judged([:], xmp: [.xmpDateTimeOriginal: "0000-00-00", .xmpCreateDate: "2015-11-20T05:20:30"])
        #expect(second.captureDate?.line == "2015-11-20T05:20:30 xmpSidecar")
    }

    @Test func theNameComesBeforeAProgramsDateOfChange() {
        let date = judged([.dateTime: "2020:01:01 00:00:01"], name: "IMG_20190102_030405.jpg").captureDate
        #expect(date?.line == "2019-01-02T03:04:05 filename")
    }

    @Test func nothingKnownIsNoDate() { #expect(judged([:], name: "IMG_0001.JPG").captureDate == nil) }
}
