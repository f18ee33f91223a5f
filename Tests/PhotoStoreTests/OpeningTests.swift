import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// What is opened, what is refused, and that a refusal changes nothing (RULES R8, R46, R49, S10, S11, I13).
@Suite struct OpeningTests {
    private func withLibrary(_ name: String = #function, _ body: (RealLibrary) throws -> Void) throws {
        try withScratchFolder(name) { try body(RealLibrary(in: $0)) }
    }

    @Test func aFreshLibraryHasItsFilesAndNobodyElseReadsThem() throws {
        try withLibrary { home in
            try home.make()
            let names = Set(try home.inventory().map { String($0.split(separator: " ")[0]) })
            let expected: Set = [
                ".ballast", ".lock", "catalogue.sqlite", "journal/", "library.json", "originals/", "set-aside/",
                "snapshots/", "staging/",
            ]
            #expect(names.filter { !$0.hasPrefix("originals/c") } == expected)
            for line in try home.inventory() {
                let mode = try #require(line.split(separator: " ").dropFirst().first)
                #expect(["700", "600", "400"].contains(mode), "\(line)")
            }
        }
    }

    @Test func aReadOnlyFileSystemIsToldAsSuchAndChangesNothing() throws {
        try withSimulatedLibrary { home in
            for isThere in [false, true] {
                home.files.configure { $0.isReadOnly = true }
                do {
                    _ = try home.open()
                    Issue.record("was opened")
                } catch {
                    #expect(error as? LibraryError == .fileSystemReadOnly(path: "/library"), "\(isThere): \(error)")
                }
                home.files.configure { $0.isReadOnly = false }
                home.kill()
                try home.open().inside { library throws in
                    if isThere {
                        #expect(try library.condition(of: "a") == .sound)
                    } else {
                        try library.importAssets(["a"])
                    }
                }
                home.close()
            }
        }
    }

    @Test func theIdentifierOfALibraryStays() throws {
        try withLibrary { home in
            try home.make()
            let library = try home.open()
            let format = try JSONDecoder().decode(
                [String: UUIDOrNumber].self, from: Data(try home.read("library.json")))
            #expect(format["format"] == .number(1))
            #expect(format["library"] == .uuid(library.directory.identifier))
            #expect(try library.onThread { try $0.read { try $0.assetCount() } } == 1)
            library.onThread { $0.close() }
        }
    }

    private enum UUIDOrNumber: Decodable, Equatable {
        case uuid(UUID)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .uuid(try container.decode(UUID.self))
            }
        }
    }

    @Test func aSecondDaemonIsRefusedAndLearnsWhoHasIt() throws {
        try withLibrary { home in
            let first = try home.open()
            try home.expectRefusal { error in
                guard case .inUse(_, let holder) = error else { return false }
                return holder == "pid \(getpid())"
            }
            try first.inside { library throws in
                try library.perform(Sample.album(1))
                library.close()
            }
            let second = try home.open()
            #expect(try second.onThread { try $0.perform(Sample.album(2)) } == 2)
            second.onThread { $0.close() }
        }
    }

    @Test(arguments: [#"{"format":2,"library":7}"#, #"{"format":99}"#])
    func aLibraryOfANewerFormatIsRefused(format: String) throws {
        try withLibrary { home in
            try home.make()
            try home.write("library.json", format)
            try home.expectRefusal { error in
                guard case .newerFormat(_, supported: 1) = error else { return false }
                return "\(error)".contains("snapshots/")
            }
        }
    }

    @Test func aCatalogueOfANewerFormatIsRefused() throws {
        try withLibrary { home in
            try home.make()
            try home.withCatalogue { try $0.execute("PRAGMA user_version = 99") }
            try home.expectRefusal { $0 == .newerFormat(found: 99, supported: 4) }
        }
    }

    @Test func aCatalogueOfAnotherProgramIsRefused() throws {
        try withLibrary { home in
            try home.make()
            try home.withCatalogue { try $0.execute("PRAGMA application_id = 7") }
            try home.expectRefusal { if case .catalogueForeign = $0 { true } else { false } }
        }
    }

    @Test func aDirectoryOfOtherThingsIsNoLibraryAndGetsNothing() throws {
        try withLibrary { home in
            mkdir(home.path, 0o700)
            try home.write("photo.jpg", "a")
            try home.expectRefusal { if case .notALibrary = $0 { true } else { false } }
        }
    }

    /// A new library would take its place, and give every photo another identifier.
    @Test func aLibraryThatLostItsFormatIsToldApartFromAnyOtherDirectory() throws {
        try withLibrary { home in
            try home.make()
            unlink(home.path + "/library.json")
            try home.expectRefusal { error in
                guard case .formatUnreadable = error else { return false }
                return "\(error)".contains(".albumd-folder")
            }
        }
    }

    @Test(arguments: [false, true])
    func aRebuildOfALibraryThatIsNotThereAsksForTheConfiguration(isEmptyDirectory: Bool) throws {
        try withLibrary("\(isEmptyDirectory)") { home in
            if isEmptyDirectory { mkdir(home.path, 0o700) }
            #expect {
                try PhotoLibrary.rebuild(
                    Array(home.path.utf8), machine: home.machine, options: .init(), progress: { _, _ in })
            } throws: {
                "\($0)".contains("--config FILE")
            }
        }
    }

    /// A disk of its own, fresh from mkfs.ext4.
    @Test func lostAndFoundIsNoOtherThing() throws {
        try withLibrary { home in
            mkdir(home.path, 0o700)
            mkdir(home.path + "/lost+found", 0o700)
            try home.make()
            #expect(access(home.path + "/library.json", F_OK) == 0)
        }
    }

    @Test(arguments: ["", "{", #"{"format":1}"#, #"{"library":"A5000000-0000-4000-8000-000000000001"}"#])
    func aLibraryFileThatMakesNoSenseIsRefused(text: String) throws {
        try withLibrary { home in
            try home.make()
            try home.write("library.json", text)
            try home.expectRefusal { if case .formatUnreadable = $0 { true } else { false } }
        }
    }

    @Test func whatACrashLeavesOfAFreshLibraryIsTakenOn() throws {
        try withLibrary { home in
            mkdir(home.path, 0o700)
            try home.write(".lock", "")
            try home.write("library.json.new", "{")
            try home.make()
        }
    }

    @Test(arguments: ["gone", "emptied"])
    func aCatalogueMissingBesideOriginalsAloneIsNotReplaced(how: String) throws {
        try withLibrary { home in
            try home.make()
            if how == "gone" { unlink(home.path + "/catalogue.sqlite") } else { try home.write("catalogue.sqlite", "") }
            try home.expectRefusal { if case .catalogueMissing = $0 { true } else { false } }
        }
    }

    @Test func aCatalogueMissingBesideAJournalIsNotReplaced() throws {
        try withLibrary { home in
            let library = try home.open()
            library.onThread { $0.close() }
            unlink(home.path + "/catalogue.sqlite")
            try home.write("journal/2026-11.ndjson", "")
            try home.expectRefusal { if case .catalogueMissing = $0 { true } else { false } }
        }
    }

    @Test func aDamagedCatalogueThatNothingRebuildsIsRefusedAndKept() throws {
        try withLibrary { home in
            try home.make()
            var bytes = try home.read("catalogue.sqlite")
            bytes.replaceSubrange(4096..<12_288, with: [UInt8](repeating: 0x41, count: 8192))
            try home.write("catalogue.sqlite", "")
            let root = try home.machine.files.openDirectory(Array(home.path.utf8))
            let file = try home.machine.files.openForUpdating(Array("catalogue.sqlite".utf8), in: root)
            try writeBytes(file, bytes, files: home.machine.files, at: 0)
            try home.expectRefusal { if case .catalogueDamaged = $0 { true } else { false } }
        }
    }

    @Test func aFileThatIsNoDatabaseIsRefusedAndKept() throws {
        try withLibrary { home in
            try home.make()
            try home.write("catalogue.sqlite", String(repeating: "not a database\n", count: 100))
            try home.expectRefusal { if case .catalogueDamaged = $0 { true } else { false } }
        }
    }

    @Test(arguments: ["", "/library.json", "/catalogue.sqlite"])
    func whatOthersCanWriteIsRefused(name: String) throws {
        try withLibrary { home in
            try home.make()
            chmod(home.path + name, name.isEmpty ? 0o770 : 0o660)
            try home.expectRefusal { if case .unsafeOwnership = $0 { true } else { false } }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["", "/catalogue.sqlite"])
    func whatBelongsToAnotherIsRefused(name: String) throws {
        try withLibrary { home in
            try home.make()
            chown(home.path + name, 1, 1)
            try home.expectRefusal { if case .unsafeOwnership = $0 { true } else { false } }
        }
    }

    @Test func aCatalogueBehindASymlinkIsRefused() throws {
        try withLibrary { home in
            try home.make()
            rename(home.path + "/catalogue.sqlite", home.scratch.path("other.sqlite"))
            symlink(home.scratch.path("other.sqlite"), home.path + "/catalogue.sqlite")
            try home.expectRefusal { if case .catalogueForeign = $0 { true } else { false } }
        }
    }

    @Test func parentsAreMadeAndAPathThatIsNoTextIsRefused() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch, at: "a/b/library")
            try home.make()
            #expect(throws: LibraryError.self) {
                try PhotoLibrary.open(scratch.bytes + [0x2F, 0xFF], machine: home.machine, executor: .inline())
            }
            #expect(try home.machine.files.list(try home.machine.files.openDirectory(scratch.bytes)).count == 1)
        }
    }
}
