import FoundationEssentials
import PhotoModel
import Platform
import Testing

@testable import Daemon

@Suite struct ConfigurationTests {
    @Test func theExampleEqualsTheDefaults() throws {
        let text = try Data(contentsOf: URL(filePath: packageRoot + "config/albumd.toml"))
        let example = try Configuration(parsing: Array(text), file: "config/albumd.toml", at: .system)
        var defaults = Configuration(at: .system)
        defaults.folders = [FolderRule(path: Array("/srv/photos/inbox".utf8), album: "Inbox")]
        #expect(example == defaults)
    }

    @Test func theExampleShowsEveryKey() throws {
        let text = try Data(contentsOf: URL(filePath: packageRoot + "config/albumd.toml"))
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        for key in ["library", "socket", "log_level"] + FolderRule.keys + Self.cloudKeys {
            #expect(lines.contains { $0.hasPrefix("\(key) = ") }, "\(key) is not in the example")
        }
    }

    /// All but `directory`, whose default lies beside the library.
    private static let cloudKeys = [
        "engine", "upload", "keep_local", "free_disk_floor", "older_than", "delete_purged", "latency", "bandwidth",
        "quota", "seed", "error_rate", "throttle_rate", "break_rate", "lie_rate", "truncate_rate", "corrupt_rate",
        "outage_every", "outage_for", "list_delay", "versions",
    ]

    @Test func anEmptyTextIsTheDefaults() throws {
        #expect(try parse("") == Configuration(at: .system))
        #expect(try parse("# nothing\n") == Configuration(at: .system))
    }

    @Test func everyKeyIsTaken() throws {
        let configuration = try parse(
            """
            library = "/data/library"
            socket = "/run/other.sock"
            log_level = "debug"
            [[folder]]
            path = "/in/é ü"
            album = "Ferien"
            on_album_missing = "hold"
            albums = "tree"
            mode = "move"
            settle = "500ms"
            watch = "poll"
            poll = "6h"
            ignore = []
            on_source_deleted = "trash"
            on_asset_deleted = "remove"
            creation_date = "mtime"
            [[folder]]
            path = "/in/b"
            album = "Ferien"
            """)
        var folder = FolderRule(path: Array("/in/é ü".utf8), album: "Ferien")
        folder.onAlbumMissing = .hold
        folder.albums = .tree
        folder.mode = .move
        folder.settle = .milliseconds(500)
        folder.watch = .poll
        folder.poll = .seconds(6 * 3600)
        folder.ignore = []
        folder.onSourceDeleted = .trash
        folder.onAssetDeleted = .remove
        folder.creationDate = .mtime
        #expect(configuration.library == Array("/data/library".utf8))
        #expect(configuration.socket == Array("/run/other.sock".utf8))
        #expect(configuration.logLevel == .debug)
        #expect(configuration.folders == [folder, FolderRule(path: Array("/in/b".utf8), album: "Ferien")])
    }

    @Test(arguments: ["/a//b/", "/a/./b", "//a/b/."])
    func aPathIsWrittenPlainly(path: String) throws {
        #expect(try parse("library = \"\(path)\"").library == Array("/a/b".utf8))
    }

    /// Two normal forms of "é" are two names for the kernel, though one for Swift's String.
    @Test func pathsThatOnlyLookAlikeAreTwoFolders() throws {
        let text =
            "[[folder]]\npath = \"/in/\u{e9}\"\nalbum = \"A\"\n[[folder]]\npath = \"/in/e\u{301}\"\nalbum = \"A\"\n"
        let folders = try parse(text).folders
        #expect(folders.count == 2)
        #expect(folders.first?.path != folders.last?.path)
    }

    @Test func aRuleSurvivesItsCodableForm() throws {
        var rule = FolderRule(path: [0x2F, 0xFF], album: "A")
        rule.settle = .milliseconds(1500)
        let data = try JSONEncoder().encode(rule)
        #expect(try JSONDecoder().decode(FolderRule.self, from: data) == rule)
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1m", .seconds(60)), ("6h", .seconds(21600)),
        ("0s", .zero),
    ])
    func aDurationIsReadAndWritten(text: String, duration: Duration) throws {
        #expect(DurationText.parse(text) == duration)
        #expect(DurationText.parse(DurationText.write(duration)) == duration)
    }

    @Test(arguments: ["", "2", "s", "2 s", "-2s", "1.5s", "2S", "2d", "99999999999s", "9999999999h", "٢s"])
    func whatIsNoDurationIsNotRead(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}

func parse(_ text: String) throws(ConfigurationError) -> Configuration {
    try Configuration(parsing: Array(text.utf8), file: "f.toml", at: .system)
}
