import Platform
import TestSupport

/// The disks that must behave alike.
enum Disk: CaseIterable, Sendable {
    case linux
    /// Where openat2(2) is taken away, as by systemd's RestrictSUIDSGID=.
    case linuxWalking
    case simulated

    /// Runs `body` in an empty folder on this disk.
    func run(_ test: String = #function, _ body: (Bench) throws -> Void) throws {
        switch self {
        case .linux: try run(test, LinuxFiles(), body)
        case .linuxWalking: try run(test, LinuxFiles.walking, body)
        case .simulated:
            let simulation = SimulatedMachine()
            try simulation.program.makeDirectory("/scratch")
            try body(try Bench(files: simulation.files, program: simulation.program, path: "/scratch"))
        }
    }

    private func run(_ test: String, _ files: LinuxFiles, _ body: (Bench) throws -> Void) throws {
        try withScratchFolder(test) { folder in
            try body(try Bench(files: files, program: PosixProgram(), path: folder.path))
        }
    }
}

/// A folder, the engine's verbs, and another program.
struct Bench {
    let files: any FileVerbs
    let program: any OtherProgram
    let path: String
    let root: OpenFile

    init(files: any FileVerbs, program: any OtherProgram, path: String) throws {
        self.files = files
        self.program = program
        self.path = path
        root = try files.openDirectory(Array(path.utf8))
    }

    /// The absolute path of a name in the folder.
    func at(_ name: String) -> String { path + "/" + name }

    /// The engine's whole reading of a file.
    func content(_ name: String) throws -> String {
        let file = try files.openForReading(bytes(name), beneath: root)
        return String(decoding: try readBytes(file, files: files, at: 0, count: 1 << 16), as: UTF8.self)
    }

    /// Creates a file with the engine's verbs.
    @discardableResult
    func create(_ name: String, _ text: String = "", in directory: OpenFile? = nil) throws -> OpenFile {
        let file = try files.create(bytes(name), in: directory ?? root)
        try writeBytes(file, bytes(text), files: files, at: 0)
        return file
    }

    func makeDirectory(_ name: String) throws -> OpenFile {
        try openOrMake(bytes(name), in: root, files: files)
    }

    func names() throws -> Set<[UInt8]> { Set(try files.list(root).map(\.name)) }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The errno of what `body` throws, 0 where it throws nothing.
func code(_ body: () throws -> Void) -> Int32 {
    do {
        try body()
        return 0
    } catch {
        return (error as? FileError)?.code ?? -1
    }
}
