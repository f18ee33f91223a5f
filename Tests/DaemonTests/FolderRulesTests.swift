import Cloud
import Control
import FoundationEssentials
import PhotoModel
import Synchronization
import Testing

@testable import Daemon

/// Taking a changed configuration over, or saying why not.
@Suite struct FolderRulesTests {
    private let scratch: Scratch
    private var library: [UInt8] { Array((scratch.path + "/library").utf8) }

    init() throws { scratch = try Scratch() }

    /// Rules whose configuration is what `file` holds now.
    private func rules(
        _ file: String, applyCloud: @escaping @Sendable (CloudSettings) -> Void = { _ in }
    ) throws -> FolderRules {
        let (places, path) = (ConfigurationPlaces.system, Array((scratch.path + "/" + file).utf8))
        return FolderRules(
            library: library, socket: ConfigurationPlaces.system.socket,
            load: { () throws(ConfigurationError) in
                try Configuration.load(path, at: places)
            }, applyCloud: applyCloud, apply: { _ in })
    }

    private func write(_ line: String) throws {
        try scratch.write("library = \"\(scratch.path)/library\"\n\(line)\n", to: "albumd.toml")
    }

    @Test func aReloadThatFailedIsRememberedWithItsPlaceUntilOneSucceeds() throws {
        let rules = try rules("albumd.toml")
        try write("")
        try rules.reload()
        #expect(rules.failure == nil)
        try write("log_level = \"loud\"")
        #expect(throws: ConfigurationError.self) { try rules.reload() }
        #expect(rules.failure?.what.contains("albumd.toml:2:13: ") == true)
        try write("log_level = \"info\"")
        try rules.reload()
        #expect(rules.failure == nil)
    }

    @Test(arguments: ["library", "socket"])
    func whatOnlyAStartTakesOverIsRefusedAndRemembered(key: String) throws {
        let rules = try rules("albumd.toml")
        try write("")
        try rules.reload()
        let other = "\(key) = \"\(scratch.path)/other\"\n"
        let library = key == "library" ? "" : "library = \"\(scratch.path)/library\"\n"
        try scratch.write(library + other, to: "albumd.toml")
        let refusal = try #require(throws: Problem.self) { try rules.reload() }
        #expect(refusal.exitCode == 5 && refusal.fix == "systemctl restart albumd")
        #expect(refusal.detail.contains("the \(key) cannot be changed"))
        #expect(rules.failure?.what.contains("the \(key) cannot be changed") == true)
        try write("")
        try rules.reload()
        #expect(rules.failure == nil)
    }

    @Test(arguments: ["engine = \"none\"", "directory = \"/other\"", "[cloud.simulator]\nseed = 9"])
    func anotherCloudIsRefusedUntilAStart(line: String) throws {
        let rules = try rules("albumd.toml")
        try write("[cloud]\n\(line)")
        let refusal = try #require(throws: Problem.self) { try rules.reload() }
        #expect(refusal.exitCode == 5 && refusal.fix == "systemctl restart albumd")
        #expect(refusal.detail.contains("of the [cloud"))
    }

    @Test func theRulesOfTheCloudAreTakenByAReload() throws {
        let taken = Mutex([CloudSettings]())
        let rules = try rules("albumd.toml") { settings in taken.withLock { $0.append(settings) } }
        // The directory as it is without a word.
        try write("[cloud]\nkeep_local = \"20GB\"\ndirectory = \"\(scratch.path)/library-cloud\"")
        try rules.reload()
        #expect(taken.withLock { $0.map(\.policy.keepLocal) } == [20_000_000_000])
        // What is refused changes nothing.
        try write("[cloud]\nkeep_local = \"10GB\"\nengine = \"none\"")
        #expect(throws: Problem.self) { try rules.reload() }
        #expect(taken.withLock { $0.count } == 1)
    }

    @Test func aFolderThatIsAddedMeanwhileDoesNotHideIt() throws {
        let rules = try rules("albumd.toml")
        try write("x")
        #expect(throws: ConfigurationError.self) { try rules.reload() }
        try rules.add(FolderRule(path: Array((scratch.path + "/in").utf8), album: "Inbox"), isOffline: true)
        #expect(rules.failure != nil)
    }

    @Test func aFolderAddedThroughASymlinkIsRemovedByItsRealPath() throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: scratch.path + "/real", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: scratch.path + "/link", withDestinationPath: scratch.path + "/real")
        let rules = try rules("albumd.toml")
        try write("")
        try rules.add(FolderRule(path: Array((scratch.path + "/link").utf8), album: "Inbox"))
        let real = PathBytes(scratch.path + "/real")
        #expect(rules.addedPaths == [real])
        try rules.remove(real)
        #expect(rules.addedPaths.isEmpty)
    }
}
