import Control
import FoundationEssentials
import Testing

@testable import Daemon

/// Faults that are found when all is read still name file, line and column of the path.
@Suite struct FolderPlaceTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for name in ["in", "in/trip", "library"] {
            try FileManager.default.createDirectory(
                atPath: scratch.path + "/" + name, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/link", withDestinationPath: scratch.path + "/in")
    }

    private func folder(_ name: String) -> String { "[[folder]]\npath = \"\(scratch.path)/\(name)\"\nalbum = \"A\"\n" }

    /// What the check says of these folders in the configuration, and those in folders.toml.
    private func fault(_ names: [String], added: [String] = []) throws -> String {
        let head = "library = \"\(scratch.path)/library\"\n"
        let file = try scratch.write(head + names.map(folder).joined(), to: "albumd.toml")
        try scratch.write(added.map(folder).joined(), to: "folders.toml")
        do throws(ConfigurationError) {
            _ = try ConfigurationCheck(Array(file.utf8), at: .system)
            return ""
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        (["in", "link"], "albumd.toml:6:8: ", "is there twice"),
        (["in", "in/trip"], "albumd.toml:6:8: ", "lies within"),
        (["in/trip", "in"], "albumd.toml:6:8: ", "lies within"),
        (["library/originals"], "albumd.toml:3:8: ", "and the library"),
    ])
    func aFolderThatCannotStandBesideAnother(names: [String], place: String, words: String) throws {
        let fault = try fault(names)
        #expect(fault.hasPrefix("\(scratch.path)/\(place)") && fault.contains(words), "\(fault)")
        #expect(fault.split(separator: "\n").count == 1)
    }

    @Test func aFileThatIsNamedAsAFolder() throws {
        try scratch.write("", to: "file")
        let fault = try fault(["in", "file", "absent"])
        #expect(fault.hasPrefix("\(scratch.path)/albumd.toml:6:8: ") && fault.contains("is no directory"), "\(fault)")
        #expect(fault.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("library/control.sock", "library"), ("library/new/control.sock", "library"),
        ("in/trip/control.sock", "folder"), ("link/control.sock", "folder"), ("in/control.sock", "folder"),
        ("control.sock", nil),
    ])
    func aSocketThatLiesWithinOneOfThem(socket: String, what: String?) throws {
        let text = "library = \"\(scratch.path)/library\"\nsocket = \"\(scratch.path)/\(socket)\"\n" + folder("in")
        let configuration = try Configuration(parsing: Array(text.utf8), file: "f.toml", at: .system)
        var fault: String?
        do throws(ConfigurationError) { try configuration.checkFolders() } catch { fault = error.description }
        #expect(fault?.hasPrefix("f.toml:2:10: ") ?? true)
        #expect(fault?.contains("lies in the \(what ?? "-") '") == what.map { _ in true }, "\(fault ?? "")")
    }

    @Test(arguments: ["", "link", "in/trip"]) func aFolderRoundTheUsualSocketIsToldAtItsOwnPlace(name: String) throws {
        var places = ConfigurationPlaces.system
        places.socket = Array((scratch.path + "/in/trip/control.sock").utf8)
        let text = "library = \"/nowhere/library\"\n" + (name.isEmpty ? "" : folder(name))
        let configuration = try Configuration(parsing: Array(text.utf8), file: "f.toml", at: places)
        var fault: String?
        do throws(ConfigurationError) { try configuration.checkFolders() } catch { fault = error.description }
        #expect(fault?.hasPrefix("f.toml:3:8: the socket '") == (name.isEmpty ? nil : true), "\(fault ?? "")")
    }

    @Test(arguments: ["in", "link", "in/trip"]) func aFolderThatACommandAdded(name: String) throws {
        let fault = try fault(["in"], added: [name])
        #expect(fault.hasPrefix("\(scratch.path)/folders.toml:2:8: "), "\(fault)")
    }

    @Test func aReloadSaysThePlaceToo() throws {
        let text = "library = \"\(scratch.path)/library\"\n" + folder("in") + folder("link")
        let file = Array(try scratch.write(text, to: "albumd.toml").utf8)
        let rules = FolderRules(
            library: Array((scratch.path + "/library").utf8), socket: ConfigurationPlaces.system.socket,
            load: { () throws(ConfigurationError) in try Configuration.load(file, at: .system) }, apply: { _ in })
        #expect(throws: ConfigurationError.self) { try rules.reload() }
        #expect(rules.failure?.what.contains("albumd.toml:6:8: ") == true, "\(rules.failure?.what ?? "")")
    }
}
