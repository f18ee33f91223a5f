import FoundationEssentials
import PhotoModel
import Testing

@testable import Media

@Suite struct TakeoutSidecarTests {
    private func read(_ text: String) -> TakeoutSidecar? { TakeoutSidecar(reading: Array(text.utf8)) }

    @Test func anExportIsRead() throws {
        let sidecar = try #require(
            read(
                """
                {"title": "Tulips.jpg", "description": "In a shop", "imageViews": "11",
                 "photoTakenTime": {"timestamp": "1562282641", "formatted": "Jul 4, 2019, 11:24:01 PM UTC"},
                 "geoData": {"latitude": 48.85, "longitude": 2.29, "altitude": 68.73, "latitudeSpan": 0.0},
                 "favorited": true}
                """))
        #expect(sidecar.title == "Tulips.jpg" && sidecar.caption == "In a shop" && sidecar.isFavorite == true)
        #expect(sidecar.photoTaken?.rfc3339 == "2019-07-04T23:24:01.000000Z")
        #expect(sidecar.location == Location(latitude: 48.85, longitude: 2.29, altitude: 68.73))
    }

    @Test func zerosAreNoPlace() throws {
        let zero = #"{"latitude": 0.0, "longitude": 0.0, "altitude": 0.0}"#
        let exif = #"{"latitude": 48.85, "longitude": 2.29, "altitude": 0.0}"#
        let start = #"{"title": "a.jpg", "description": "", "photoTakenTime": {"timestamp": 1562282641}, "geoData": "#
        let none = try #require(read("\(start)\(zero)}"))
        #expect(none.location == nil && none.caption == nil && none.isFavorite == nil && none.photoTaken != nil)
        #expect(
            read("\(start)\(zero), \"geoDataExif\": \(exif)}")?.location == Location(latitude: 48.85, longitude: 2.29))
    }

    @Test(arguments: [
        "", "{", "[]", "{}", "null", #"{"title": "album", "date": {"timestamp": "1"}}"#,
        #"[{"SourceFile": "a.jpg", "CreateDate": "2017:02:15 14:13:40"}]"#, #"{"title": 5, "photoTakenTime": {}}"#,
        #"{"title": "a.jpg", "photoTakenTime": 5}"#,
    ])
    func otherJSONIsNone(text: String) { #expect(read(text) == nil) }

    @Test func anAbsurdTimeIsNone() {
        for time in [#""9223372036854775807""#, "1e300", #""soon""#, "null"] {
            #expect(
                read(#"{"title": "a.jpg", "photoTakenTime": {"timestamp": \#(time)}}"#)?.photoTaken == nil, "\(time)")
        }
    }

    /// A decoder that calls itself never sees it.
    @Test func deepJSONIsRefused() {
        let deep = String(repeating: "[", count: 200_000)
        #expect(read(#"{"title": "a.jpg", "photoTakenTime": {"timestamp": "1"}, "x": "# + deep) == nil)
        #expect(read(#"{"title": "\#(deep)\"[", "photoTakenTime": {"timestamp": "1"}}"#) != nil)
        #expect(read(#"{"title": "\#(String(repeating: "a", count: 1 << 20))", "photoTakenTime": {}}"#) == nil)
    }

    @Test func theCorpusSidecarsAreRead() throws {
        guard let rows = Manifest.rows() else { return }
        for row in rows where row.path.hasSuffix(".json") {
            let isTakeout = try TakeoutSidecar(reading: Corpus.bytes(of: row.path)) != nil
            #expect(isTakeout == (row["why"] == "Google Takeout sidecar"), "\(row.path)")
        }
    }
}
