import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport

/// A library on a simulated disk, in one thread: its files in `SimulatedFiles`, its catalogue in `SimulatedVFS`.
final class SimulatedLibrary {
    let simulated: SimulatedMachine
    let disk: SimulatedVFS
    let path = Array("/library".utf8)
    private var opened: [PhotoLibrary] = []

    fileprivate init(_ name: String, seed: UInt64) {
        simulated = SimulatedMachine(seed: seed)
        disk = SimulatedVFS(name: "\(name)-\(seed)")
        simulated.files.configure { $0.owner = geteuid() }
        disk.follow(simulated.files, library: "/library")
    }

    var files: SimulatedFiles { simulated.files }
    var program: SimulatedProgram { simulated.program }

    func open() throws -> PhotoLibrary {
        let library = try PhotoLibrary.open(path, machine: simulated.machine, executor: .inline(), vfs: disk.name)
        opened.append(library)
        return library
    }

    /// The one that is open.
    func library() throws -> PhotoLibrary {
        guard let library = opened.last else { throw FileError(code: ENODEV, verb: "library") }
        return library
    }

    /// A clean stop; `inOrder` with the mark that says so.
    func close(inOrder isInOrder: Bool = false) {
        for library in opened {
            library.onThread { isInOrder ? $0.closeInOrder() : $0.close() }
        }
        opened = []
    }

    /// The process is killed and started again: what was written is there, synced or not.
    func kill() {
        files.crash()
        close()
        files.restart()
    }

    /// The power goes: what was not synced is lost, in the worst way.
    func cutPower() {
        files.cutPower(.everythingUnsynced)
        disk.cutPower()
        close()
        files.restart()
    }

    /// Brings the journal up to date, as the daemon does behind the library.
    @discardableResult
    func catchUp() throws -> Int64 {
        let directory = try files.openDirectory(Array("/library/journal".utf8))
        let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: disk.name)
        defer { catalogue.close() }
        return try Journal(machine: simulated.machine, directory: directory, catalogue: catalogue).catchUp()
    }

    /// What the tables hold, beside what is named.
    func dump(at catalogue: String = "/library/catalogue.sqlite", except: Set<String> = []) throws -> [String] {
        let connection = try Connection(path: catalogue, mode: .readWrite, vfs: disk.name)
        defer { connection.close() }
        return try dumpTables(connection, except: except)
    }

    /// The names below a directory of the library.
    func names(_ directory: String) throws -> [String] {
        let opened = try files.openDirectory(path + Array("/\(directory)".utf8))
        return try files.list(opened).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
    }

    fileprivate func end() {
        close()
        disk.remove()
    }
}

func withSimulatedLibrary(
    _ name: String = #function, seed: UInt64 = 1, _ body: (SimulatedLibrary) throws -> Void
) throws {
    let library = SimulatedLibrary(name, seed: seed)
    defer { library.end() }
    try body(library)
}

/// The same for a test that waits.
func withSimulatedLibrary(
    _ name: String = #function, seed: UInt64 = 1, _ body: (SimulatedLibrary) async throws -> Void
) async throws {
    let library = SimulatedLibrary(name, seed: seed)
    defer { library.end() }
    try await body(library)
}

/// Every row of every table as text, in order: two equal dumps are two equal catalogues.
func dumpTables(_ connection: Connection, except: Set<String> = []) throws -> [String] {
    let tables = try connection.all(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ) { $0.text(0) }
    return try tables.filter { !except.contains($0) }.flatMap { table in
        let columns = try connection.all("SELECT name FROM pragma_table_info(?)", .text(table)) { $0.text(0) }
        let row = columns.map { "'\($0)=' || quote(\($0))" }.joined(separator: " || ' ' || ")
        return try connection.all("SELECT \(row) FROM \(table) ORDER BY 1") { "\(table): \($0.text(0))" }
    }
}
