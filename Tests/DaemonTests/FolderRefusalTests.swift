import Control
import FoundationEssentials
import PhotoModel
import Testing

@testable import Daemon

/// What a person reads who adds a folder that cannot be added.
@Suite struct FolderRefusalTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for name in ["in", "in/trip", "library", "other"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        }
    }

    private func path(_ name: String) -> String { scratch.path + "/" + name }

    private func refusal(of name: String, isAdded: Bool = true) -> Problem? {
        let rule = FolderRule(path: Array(path("in").utf8), album: "Inbox")
        return folderRefusal(
            of: Array(path(name).utf8), configured: isAdded ? [] : [rule], added: isAdded ? [rule] : [],
            library: Array(path("library").utf8))
    }

    @Test func aDirectoryThatIsNotThereIsRefusedUnlessItIsKnownToBeAway() throws {
        let rules = FolderRules(
            library: Array(path("library").utf8), socket: ConfigurationPlaces.system.socket,
            load: { () throws(ConfigurationError) in Configuration(at: .system) }, apply: { _ in })
        let rule = FolderRule(path: Array(path("othre").utf8), album: "Inbox")
        let problem = try #require(throws: Problem.self) { try rules.add(rule) }
        #expect(problem.exitCode == 4 && problem.detail == "albumd finds no directory '\(path("othre"))'")
        #expect(problem.fix?.contains("albumctl folder add --offline \(path("othre"))") == true)
        #expect(rules.addedPaths.isEmpty)
        try rules.add(rule, isOffline: true)
        #expect(rules.addedPaths == [PathBytes(rule.path)])
    }

    @Test func aFolderApartIsWelcome() { #expect(refusal(of: "other") == nil) }

    @Test func aWatchedFolderIsSaidToBeOne() throws {
        let problem = try #require(refusal(of: "in"))
        #expect(problem.detail == "'\(path("in"))' is already a watched folder (album 'Inbox')")
        #expect(problem.fix?.contains("albumctl folder list") == true)
        #expect(problem.fix?.contains("albumctl folder remove \(path("in"))") == true)
    }

    @Test func aConfiguredFolderIsLetGoInTheConfiguration() throws {
        let problem = try #require(refusal(of: "in", isAdded: false))
        #expect(problem.fix?.contains("remove its [[folder]] from the configuration, then albumctl reload") == true)
    }

    @Test func aFolderInAWatchedOneNamesThatOne() throws {
        let problem = try #require(refusal(of: "in/trip"))
        #expect(problem.detail == "'\(path("in/trip"))' lies within the watched folder '\(path("in"))' (album 'Inbox')")
    }

    @Test func aFolderRoundAWatchedOneNamesThatOne() throws {
        try FileManager.default.removeItem(atPath: path("library"))
        let problem = try #require(refusal(of: "."))
        #expect(problem.detail.contains("lies within") == true)
    }

    @Test(arguments: ["library", "library/originals"]) func theLibraryIsNoFolder(name: String) throws {
        let problem = try #require(refusal(of: name))
        #expect(problem.type == "albumd:folderIsLibrary")
        #expect(problem.fix?.contains("apart from the library") == true)
    }

    @Test func aSymlinkToAWatchedFolderIsTheSame() throws {
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("in"))
        #expect(refusal(of: "link")?.detail.contains("is already a watched folder") == true)
    }

    @Test func aFolderThatIsTwiceInTheConfigurationIsSaidToBe() {
        let folder = Array(path("in").utf8)
        #expect(throws: ConfigurationError.self) {
            try refuseOverlaps(of: [folder, folder], library: Array(path("library").utf8))
        }
        do throws(ConfigurationError) {
            try refuseOverlaps(of: [folder, folder], library: Array(path("library").utf8))
        } catch {
            #expect(error.description.contains("is there twice"))
        }
    }

    @Test func aFileIsNoFolderAndIsSaidToBeNone() throws {
        try scratch.write("", to: "file")
        let problem = try #require(refusal(of: "file"))
        #expect(problem.type == "albumd:notADirectory" && problem.detail.contains("is no directory"))
        #expect(refusal(of: "absent") == nil)
    }

    @Test(arguments: ["/proc", "/proc/self", "/sys", "/sys/kernel", "/dev", "/dev/pts"])
    func theKernelsFileSystemsAreNoFolders(path: String) throws {
        let problem = try #require(
            folderRefusal(of: Array(path.utf8), configured: [], added: [], library: Array("/library".utf8)))
        #expect(problem.type == "albumd:folderIsKernels" && problem.exitCode == 5)
        #expect(throws: ConfigurationError.self) {
            try refuseOverlaps(of: [Array(path.utf8)], library: Array("/library".utf8))
        }
    }
}
