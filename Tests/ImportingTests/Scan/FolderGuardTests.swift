import EngineSupport
import FoundationEssentials
import Glibc
import Importing
import PhotoModel
import Platform
import TestSupport
import Testing

/// RULES R32 and R33: when a folder may be relied on.
@Suite struct FolderGuardTests {
    private let simulation = SimulatedMachine()
    private let library = fixedUUID(1)
    private let path = PathBytes("/f")
    private let marker = Array("/f/.albumd-folder".utf8)

    private var program: SimulatedProgram { simulation.program }

    private func look(_ known: FolderRegistration? = nil, library: UUID? = nil) -> FolderPresence {
        FolderGuard(machine: simulation.machine, library: library ?? self.library).look(at: path, known: known)
    }

    /// Takes the folder on.
    private func takeOn() throws -> FolderRegistration {
        try program.makeDirectory("/f")
        guard case .new(_, let registration) = look() else { throw NotAsExpected() }
        return registration
    }

    private struct NotAsExpected: Error {}

    private func isOnline(_ presence: FolderPresence) -> Bool {
        if case .online = presence { true } else { false }
    }

    private func offlineReason(_ presence: FolderPresence) -> String? {
        if case .offline(let why) = presence { why } else { nil }
    }

    @Test func aNewFolderIsMarkedAndFoundAgain() throws {
        let known = try takeOn()
        #expect(known.isMarked)
        #expect(known.path == path)
        #expect(isOnline(look(known)))
        let text = try program.read(marker)
        let found = try JSONDecoder().decode(FolderMarker.self, from: Data(text))
        #expect(found.folder == known.folder && found.library == library)
    }

    @Test func theMarkerOutlivesAPowerCut() throws {
        let known = try takeOn()
        simulation.files.cutPower(.everythingUnsynced)
        simulation.files.restart()
        #expect(isOnline(look(known)))
    }

    @Test func whatAPowerCutLeftOfAMarkerIsWrittenAnew() throws {
        try program.makeDirectory("/f")
        try program.write(marker, [])
        guard case .new(_, let registration) = look() else { throw NotAsExpected() }
        #expect(registration.isMarked)
        #expect(isOnline(look(registration)))
    }

    @Test func aFolderWithAMarkerOfThisLibraryKeepsItsIdentifierUnderAnotherPath() throws {
        let known = try takeOn()
        try program.rename("/f", to: "/g")
        let guardian = FolderGuard(machine: simulation.machine, library: library)
        guard case .new(_, let again) = guardian.look(at: PathBytes("/g"), known: nil) else { throw NotAsExpected() }
        #expect(again.folder == known.folder)
        #expect(again.path == PathBytes("/g"))
    }

    @Test func aFolderOfAnotherLibraryIsHeld() throws {
        _ = try takeOn()
        guard case .otherLibrary(let other) = look(library: fixedUUID(2)) else { throw NotAsExpected() }
        #expect(other == library)
    }

    @Test func aFolderWhoseMarkerIsGoneIsOfflineAndNotMarkedAgain() throws {
        let known = try takeOn()
        try program.unlink(marker)
        #expect(offlineReason(look(known))?.contains("albumctl folder confirm /f") == true)
        #expect(throws: FileError.self) { try program.read(marker) }
    }

    @Test func aMarkerOfAnotherFolderDoesNotPass() throws {
        let known = try takeOn()
        var other = known
        other.folder = fixedUUID(3)
        #expect(offlineReason(look(other)) != nil)
    }

    @Test func aMarkerCopiedToAnotherFileSystemDoesNotPass() throws {
        let known = try takeOn()
        simulation.files.configure { $0.identity = Array("sim:2".utf8) }
        #expect(offlineReason(look(known))?.contains("another file system") == true)
        simulation.files.configure { $0.identity = nil }
        #expect(offlineReason(look(known)) != nil)
    }

    @Test func aFolderThatIsNotThereIsOffline() throws {
        #expect(offlineReason(look())?.contains("mount its volume") == true)
        let known = try takeOn()
        try program.rename("/f", to: "/g")
        #expect(offlineReason(look(known)) != nil)
    }

    @Test func aFolderThatMayNotBeReadSaysWhatMendsIt() throws {
        let known = try takeOn()
        simulation.files.failNext(.openDirectory, EACCES)
        #expect(offlineReason(look(known))?.contains("albumctl folder check /f") == true)
    }

    @Test func aMarkerThatCannotBeReadNowIsNotAMarkerThatIsGone() throws {
        let known = try takeOn()
        simulation.files.failNext(.read, EIO)
        #expect(offlineReason(look(known))?.contains("confirm") == false)
        #expect(isOnline(look(known)))
    }

    @Test func aFolderThatCannotBeWrittenRunsUnmarked() throws {
        try program.makeDirectory("/f")
        simulation.files.configure { $0.isReadOnly = true }
        guard case .new(_, let known) = look() else { throw NotAsExpected() }
        #expect(!known.isMarked)
        #expect(isOnline(look(known)))
    }

    @Test func anUnmarkedFolderIsKnownByItsRoot() throws {
        try program.makeDirectory("/f")
        simulation.files.failNext(.create, EACCES)
        guard case .new(_, let known) = look() else { throw NotAsExpected() }
        try program.rename("/f", to: "/g")
        try program.makeDirectory("/f")
        #expect(offlineReason(look(known))?.contains("another directory") == true)
    }

    @Test func aPersonsWordMakesTheFolderAsItIsNowTheRightOne() throws {
        let known = try takeOn()
        try program.unlink(marker)
        simulation.files.configure { $0.identity = Array("sim:2".utf8) }
        let guardian = FolderGuard(machine: simulation.machine, library: library)
        let confirmed = try guardian.confirmed(known)
        #expect(confirmed.folder == known.folder)
        #expect(confirmed.isMarked)
        #expect(isOnline(look(confirmed)))
    }

    @Test func confirmingDoesNotOverwriteTheMarkerOfAnother() throws {
        let known = try takeOn()
        var other = known
        other.folder = fixedUUID(4)
        let guardian = FolderGuard(machine: simulation.machine, library: library)
        #expect(try !guardian.confirmed(other).isMarked)
        #expect(isOnline(look(known)))
    }
}
