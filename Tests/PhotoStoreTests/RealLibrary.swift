import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport

/// A library in a scratch folder of the real file system.
struct RealLibrary {
    let scratch: ScratchFolder
    var machine: Machine

    let path: String

    /// The clock stands still, so long after its beginning.
    init(in scratch: ScratchFolder, at name: String = "library", after time: Duration = .zero) {
        self.scratch = scratch
        path = scratch.path(name)
        let simulated = SimulatedMachine()
        simulated.advance(by: time)
        var machine = simulated.machine
        machine.files = LinuxFiles()
        self.machine = machine
    }

    func open() throws -> PhotoLibrary {
        try PhotoLibrary.open(Array(path.utf8), machine: machine, executor: .inline())
    }

    /// Opens and closes it, so that everything a library has is there.
    func make() throws {
        let library = try open()
        try library.inside { library throws in
            try library.importAssets(["a"])
            try library.perform(Sample.album(100))
            library.close()
        }
    }

    /// Changes the catalogue behind the library's back.
    func withCatalogue(_ body: (Connection) throws -> Void) throws {
        let connection = try Connection(path: path + "/catalogue.sqlite", mode: .readWriteCreate)
        defer { connection.close() }
        try body(connection)
    }

    func write(_ name: String, _ text: String) throws {
        let descriptor = Glibc.open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw FileError(code: errno, verb: "open", path: Array(name.utf8)) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw FileError(code: errno, verb: "write", path: Array(name.utf8))
        }
    }

    func read(_ name: String) throws -> [UInt8] {
        let root = try machine.files.openDirectory(Array(path.utf8))
        let file = try machine.files.openForReading(Array(name.utf8), beneath: root)
        return try readBytes(file, files: machine.files, at: 0, count: 1 << 22)
    }

    /// Every name below the library with its mode, its time and its bytes: two equal ones are an unchanged library.
    ///
    /// The time of the lock is left out: who takes it writes who has it.
    func inventory() throws -> [String] {
        try inventory(of: try machine.files.openDirectory(Array(path.utf8)), "").sorted()
    }

    private func inventory(of directory: OpenFile, _ prefix: String) throws -> [String] {
        var lines: [String] = []
        for entry in try machine.files.list(directory) {
            let name = prefix + String(decoding: entry.name, as: UTF8.self)
            let status = try machine.files.status(at: entry.name, in: directory)
            if status.kind == .directory {
                lines.append("\(name)/ \(String(status.mode, radix: 8))")
                lines += try inventory(of: try machine.files.openDirectory(entry.name, beneath: directory), name + "/")
                continue
            }
            var hash = ""
            if status.kind == .regular {
                let file = try machine.files.openForReading(entry.name, beneath: directory)
                hash = "\(try ContentHasher.hash(file: file, files: machine.files))"
            }
            let time = name == ".lock" ? "" : String(status.modified)
            lines.append("\(name) \(String(status.mode, radix: 8)) \(time) \(hash)")
        }
        return lines
    }
}
