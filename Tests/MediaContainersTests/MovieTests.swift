import MediaBytes
import MediaContainers
import MediaFacts
import Testing

@Suite struct MovieTests {
    private let movie = Made.box("ftyp", Made.ascii("mp42")) + Made.box("mdat", [1, 2, 3])

    @Test func theKeysOfATrackAreRead() {
        let keys = ["com.apple.photos.captureMode", "com.apple.quicktime.camera.lens_model"]
        let list = Made.full(
            "keys", Made.big(keys.count, 4) + keys.flatMap { Made.box("mdta", Made.ascii($0)) })
        let values = ["Time-lapse", "back camera"].enumerated().flatMap { index, value in
            Made.box(
                type: Made.big(index + 1, 4), Made.box("data", Made.big(1, 4) + Made.big(0, 4) + Made.ascii(value)))
        }
        let meta = Made.box("meta", Made.full("hdlr", Made.big(0, 20)) + list + Made.box("ilst", values))
        let file = FileBytes(Made.box("moov", Made.box("trak", meta)))
        #expect(MovieKeys(in: file).tags == [.quickTimeCaptureMode: "Time-lapse", .quickTimeLensModel: "back camera"])
    }

    @Test func aCamcorderTellsWhenAndWhoMadeIt() throws {
        let mark: [UInt8] = [
            0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
        ]
        // 31 December 2008, 23:16:24, one hour east; a 3 is put behind two zeros in the stream.
        let fields: [UInt8] = [
            3, 0x18, 0x02, 0x20, 0x08, 0x12, 0x19, 0x31, 0x23, 0x16, 0x24, 0xE0, 0x10, 0x11, 0, 0, 3, 1,
        ]
        let note = try #require(CamcorderNote(in: [0, 0, 0, 1, 6, 5, 60] + mark + Made.ascii("MDPM") + fields))
        #expect(note.tags == [.containerDate: "2008-12-31T23:16:24+01:00", .make: "Canon"])
        #expect(CamcorderNote(in: mark) == nil)
        #expect(CamcorderNote(in: []) == nil)
    }

    @Test func theMovieBehindAPictureIsFoundByItsLength() {
        let file = FileBytes(Array(repeating: 9, count: 50) + movie)
        let expected = ByteSpan(offset: 50, count: Int64(movie.count))
        #expect(ByteSpan(movieOf: file, length: Int64(movie.count)) == expected)
        #expect(ByteSpan(movieOf: file, length: Int64(movie.count) - 1) == nil)
        #expect(ByteSpan(movieOf: file, length: .max) == nil)
        #expect(ByteSpan(movieOf: file, length: nil) == nil)
    }

    @Test func theMovieInSamsungsTrailerIsFound() {
        let part =
            Made.little(0, 2) + Made.little(0x0A30, 2) + Made.little(16, 4) + Made.ascii("MotionPhoto_Data") + movie
        let directory =
            Made.ascii("SEFH") + Made.little(106, 4) + Made.little(1, 4) + Made.little(0, 2) + Made.little(0x0A30, 2)
            + Made.little(part.count, 4) + Made.little(part.count, 4)
        let file =
            Array(repeating: 9, count: 50) + part + directory + Made.little(directory.count, 4) + Made.ascii("SEFT")
        #expect(
            ByteSpan(movieOf: FileBytes(file), length: nil) == ByteSpan(offset: 50 + 24, count: Int64(movie.count)))
    }

    @Test func theMovieInABoxOfItsOwnIsFound() {
        let head = Made.box("ftyp", Made.ascii("heic"))
        let file = FileBytes(head + Made.box("mpvd", movie))
        #expect(
            ByteSpan(movieOf: file, length: nil) == ByteSpan(offset: Int64(head.count) + 8, count: Int64(movie.count)))
    }
}
