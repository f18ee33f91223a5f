import Control
import FoundationEssentials
import PhotoModel
import Testing

@testable import Daemon

@Suite struct FoldersFileTests {
    private let scratch: Scratch
    private let file: FoldersFile

    init() throws {
        scratch = try Scratch()
        file = FoldersFile(besideLibrary: Array((scratch.path + "/library").utf8))
    }

    @Test func itStandsBesideTheLibrary() {
        #expect(file.path == Array((scratch.path + "/folders.toml").utf8))
    }

    @Test func anAbsentFileHasNoFolders() throws {
        #expect(try file.load().isEmpty)
        #expect(try !file.remove(Array("/in".utf8)))
    }

    @Test(arguments: [
        "/in/plain", "/in/quo\"te \\ back\\slash", "/in/new\nline\ttab\u{7f}\u{1}", "/in/日本 🌅", "/in/e\u{301}",
        "/in/#'[",
    ])
    func aRuleReadsBackAsItWasWritten(path: String) throws {
        var rule = FolderRule(path: Array(path.utf8), album: path)
        rule.settle = .milliseconds(1500)
        rule.poll = .seconds(3600)
        rule.mode = .move
        rule.ignore = ["*.\"x\"", "\\*", "'"]
        try file.add(rule)
        try file.add(FolderRule(path: Array("/other".utf8), album: "B"))
        #expect(try file.load() == [rule, FolderRule(path: Array("/other".utf8), album: "B")])
        #expect(try file.remove(Array("/other".utf8)))
        #expect(try file.load() == [rule])
    }

    @Test func nobodyElseCanReadOrWriteIt() throws {
        try file.add(FolderRule(path: Array("/in".utf8), album: "A"))
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "/folders.toml")
        #expect(attributes[.posixPermissions] as? Int == 0o600 || attributes[.posixPermissions] as? UInt == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["folders.toml"])
    }

    @Test func theSameFolderIsNotAddedTwice() throws {
        let rule = FolderRule(path: Array("/in".utf8), album: "A")
        try file.add(rule)
        #expect(throws: ConfigurationError.self) { try file.add(rule) }
        #expect(try file.load() == [rule])
    }

    @Test(arguments: [[0x2F, 0xFF], Array("in".utf8), Array("/in/".utf8), Array("/".utf8), []])
    func aPathThatTheFileCannotHoldIsRefused(path: [UInt8]) throws {
        #expect(throws: ConfigurationError.self) { try file.add(FolderRule(path: path, album: "A")) }
        #expect(try file.load().isEmpty)
    }

    /// Another path for the folder would be of no use there.
    @Test func aDiskThatRefusesTheFileIsNoFaultOfThePath() throws {
        let away = FoldersFile(besideLibrary: Array((scratch.path + "/away/library").utf8))
        let refused = #expect(throws: ConfigurationError.self) {
            try away.add(FolderRule(path: Array("/b".utf8), album: "B"))
        }
        #expect(notWritten(try #require(refused)).fix?.contains("can be written") == true)
        let unfit = #expect(throws: ConfigurationError.self) {
            try file.add(FolderRule(path: [0x2F, 0xFF], album: "B"))
        }
        #expect(notWritten(try #require(unfit)).fix?.contains("another path") == true)
    }

    @Test func aBrokenFileIsLeftAsItIs() throws {
        try scratch.write("[[folder]]\npth = \"/in\"\n", to: "folders.toml")
        #expect(throws: ConfigurationError.self) { try file.add(FolderRule(path: Array("/b".utf8), album: "B")) }
        #expect(try scratch.read("folders.toml") == "[[folder]]\npth = \"/in\"\n")
    }

    @Test func addedFoldersJoinTheConfiguration() throws {
        let added = FolderRule(path: Array("/added".utf8), album: "A")
        try file.add(added)
        let configuration = try parse("[[folder]]\npath = \"/in\"\nalbum = \"A\"\n")
        #expect(try configuration.adding(file).folders == configuration.folders + [added])
    }

    @Test func aFolderOfBothFilesIsRefused() throws {
        try file.add(FolderRule(path: Array("/in".utf8), album: "A"))
        let configuration = try parse("[[folder]]\npath = \"/in\"\nalbum = \"A\"\n")
        #expect(throws: ConfigurationError.self) { try configuration.adding(file) }
    }
}
