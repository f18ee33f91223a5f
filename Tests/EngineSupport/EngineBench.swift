import Glibc
package import Importing
import Media
package import PhotoModel
package import PhotoStore
package import Platform
package import TestSupport

/// An engine and its library on a machine whose clock stands still, driven step by step on this thread.
///
/// The disk is a simulated one, catalogue included, or a scratch folder of the real one: the same tests hold for both.
package final class EngineBench {
    package let simulation: SimulatedMachine
    /// May be changed until it starts.
    package var machine: Machine
    package let program: any OtherProgram
    package let watcher: PretendWatcher
    package let crashes: CrashPlan
    package let base: [UInt8]
    package var rules: [FolderRule] = []
    package internal(set) var tree = FolderTree()
    package internal(set) var library: PhotoLibrary?
    package internal(set) var engine: ImportEngine?
    package internal(set) var reader: Catalogue?
    package internal(set) var board = SettleBoard()
    /// Who reads what is imported; nil where nobody does.
    package var facts: FactsPort?
    /// False where inotify gives no instance: every folder is polled.
    package var isWatched = true
    let vfs: SimulatedVFS
    let isReal: Bool
    var mail: [EngineEvent] = []
    /// When the engine wants its next step.
    var due: Duration? = .zero
    private static let recogniser = Result { try MediaRecogniser() }

    /// `scratch` is a folder of the real disk; without it everything is in memory.
    package init(seed: UInt64 = 1, scratch: ScratchFolder? = nil) throws {
        simulation = SimulatedMachine(seed: seed)
        simulation.files.configure { $0.owner = geteuid() }
        isReal = scratch != nil
        base = scratch?.bytes ?? []
        var machine = simulation.machine
        if isReal { machine.files = LinuxFiles() }
        self.machine = machine
        program = isReal ? PosixProgram() : simulation.program
        watcher = PretendWatcher(seed: seed, uptime: machine.uptime)
        vfs = SimulatedVFS(name: "engine-bench")
        crashes = CrashPlan(simulation, vfs)
        vfs.follow(simulation.files, library: String(decoding: libraryPath, as: UTF8.self))
    }

    deinit {
        reader?.close()
        library?.onThread { $0.close() }
        vfs.remove()
    }

    package var vfsName: String? { isReal ? nil : vfs.name }
    package var libraryPath: [UInt8] { base + Array("/library".utf8) }

    /// The absolute path of a name such as `in/a.jpg`.
    package func path(_ name: String) -> PathBytes { PathBytes(base + [UInt8(ascii: "/")] + Array(name.utf8)) }

    /// Makes a folder, and its rule, which `change` may alter.
    package func addFolder(_ name: String, album: String, _ change: (inout FolderRule) -> Void = { _ in }) throws {
        try makeDirectory(name)
        var rule = FolderRule(path: path(name).bytes, album: album)
        change(&rule)
        rules.append(rule)
        if engine != nil { post(.setFolders(rules)) }
    }

    /// Opens and recovers the library, and starts an engine on it.
    package func start() throws {
        let library = try PhotoLibrary.open(libraryPath, machine: machine, executor: .inline(), vfs: vfsName)
        self.library = library
        let reader = try Catalogue.openForReading(at: library.directory.cataloguePath, vfs: vfsName)
        self.reader = reader
        board = SettleBoard()
        engine = ImportEngine(
            machine: machine, library: library, reader: reader, recogniser: try EngineBench.recogniser.get(),
            watch: watcher.port, board: board, facts: facts, isStopping: { false })
        if !isWatched { watcher.lose() }
        post(.setFolders(rules))
    }

    /// Ends the engine and closes the library, as at a stop of the service, or after a crash.
    ///
    /// Where it is in order, the next start owes a check of the catalogue, and nobody makes it but the test.
    package func end(inOrder: Bool = false) {
        engine = nil
        reader?.close()
        reader = nil
        library?.onThread { if inOrder { $0.closeInOrder() } else { $0.close() } }
        library = nil
        mail = []
        watcher.forget()
    }

    /// Somebody removes the catalogue of an engine that has ended.
    package func removeCatalogue() throws {
        let path = libraryPath + Array("/catalogue.sqlite".utf8)
        try program.unlink(path)
        vfs.unlink(String(decoding: path, as: UTF8.self))
    }

    /// The dead engine's remains go, the machine is up again, and a new engine starts.
    package func restart(seed: UInt64 = 1) throws {
        end()
        crashes.recover(seed: seed)
        try start()
    }

    package func post(_ event: EngineEvent) { mail.append(event) }
}
