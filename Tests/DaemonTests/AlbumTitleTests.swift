import Control
import FoundationEssentials
import PhotoModel
import Testing

@testable import Daemon

/// One rule for the title of an album, however it comes in.
@Suite struct AlbumTitleTests {
    private static let bad = ["", String(repeating: "x", count: 1025)]

    @Test(arguments: bad) func aSaveIntoAnAlbumWithoutATitleIsRefused(title: String) throws {
        let upload = try #require(UUID(uuidString: "793964E6-1CEF-4F16-9BD5-DBB84075D7F8"))
        var request = SaveRequest(upload: upload)
        request.album = title
        #expect(throws: Problem.self) { try request.checkAlbum() }
        request.album = "Summer"
        try request.checkAlbum()
        request.album = nil
        try request.checkAlbum()
    }

    @Test(arguments: bad) func aFolderForAnAlbumWithoutATitleIsRefused(title: String) throws {
        var request = FolderRequest(path: PathBytes("/in"))
        request.album = title
        #expect(throws: Problem.self) { try request.rule() }
        request.album = nil
        #expect(try request.rule().album == "in")
    }
}
