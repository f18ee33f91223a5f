import CSQLite
import Platform

/// The files, names, open handles and locks of a `SimulatedVFS`; the codes are SQLite's.
struct SimulatedDisk: Sendable {
    /// One xOpen that was not closed.
    struct Handle: Sendable {
        var file: Int
        var name: String?
        var deletesOnClose = false
        /// The first sync makes the directory durable too, deletions of other files included.
        var syncsDirectory = false
        /// SQLITE_LOCK_NONE to SQLITE_LOCK_EXCLUSIVE.
        var lock = SQLITE_LOCK_NONE
    }

    /// The wal-index that connections to one file share.
    struct SharedMemory: Sendable {
        /// Addresses, because a pointer cannot be Sendable.
        var regions: [UInt] = []
        var users: Set<Int> = []
        var readers: [Set<Int>] = Array(repeating: [], count: Int(SQLITE_SHM_NLOCK))
        var writer: [Int?] = Array(repeating: nil, count: Int(SQLITE_SHM_NLOCK))
    }

    var files: [Int: UnsyncedBytes] = [:]
    var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    var handles: [Int: Handle] = [:]
    var shared: [Int: SharedMemory] = [:]
    /// Regions of connections that a power cut killed and that may still look at them.
    private var deadRegions: [UInt] = []
    private var lastNumber = 0
    var operationsLeft: Int?
    var capacity: Int?
    var syncCount = 0

    /// A number that no file and no handle had before.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Counts one change of the disk; false once it has stopped.
    mutating func takeOperation() -> Bool {
        guard let left = operationsLeft else { return true }
        guard left > 0 else { return false }
        operationsLeft = left - 1
        return true
    }

    mutating func open(_ name: String?, _ flags: Int32) -> (handle: Int?, code: Int32) {
        guard operationsLeft != 0 else { return (nil, SQLITE_IOERR) }
        var file = name.flatMap { names[$0] }
        if file == nil {
            guard name == nil || flags & SQLITE_OPEN_CREATE != 0, takeOperation() else { return (nil, SQLITE_CANTOPEN) }
            file = nextNumber()
            files[lastNumber] = UnsyncedBytes()
            if let name { names[name] = file }
        }
        guard let file else { return (nil, SQLITE_CANTOPEN) }
        let handle = nextNumber()
        let isLog = flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL) != 0
        handles[handle] = Handle(
            file: file, name: name, deletesOnClose: flags & SQLITE_OPEN_DELETEONCLOSE != 0,
            syncsDirectory: isLog && flags & SQLITE_OPEN_CREATE != 0)
        return (handle, SQLITE_OK)
    }

    mutating func close(_ number: Int) {
        guard let handle = handles.removeValue(forKey: number) else { return }
        if handle.deletesOnClose, let name = handle.name { names[name] = nil }
        dropUnreachable()
    }

    mutating func write(_ bytes: [UInt8], at offset: Int, to file: Int) -> Int32 {
        guard takeOperation() else { return IOErrorCode.write }
        if let capacity {
            let growth = max(0, offset + bytes.count - (files[file]?.bytes.count ?? 0))
            let total = files.values.reduce(growth) { $0 + $1.bytes.count }
            guard growth == 0 || total <= capacity else { return SQLITE_FULL }
        }
        files[file]?.write(bytes, at: offset)
        return SQLITE_OK
    }

    /// Makes the bytes and the name durable, and the directory where os_unix.c does (UNIXFILE_DIRSYNC in unixSync).
    mutating func sync(_ number: Int) -> Int32 {
        guard let handle = handles[number], takeOperation() else { return IOErrorCode.fsync }
        syncCount += 1
        files[handle.file]?.sync()
        if let name = handle.name { durableNames[name] = names[name] }
        if handle.syncsDirectory { durableNames = names }
        handles[number]?.syncsDirectory = false
        return SQLITE_OK
    }

    mutating func delete(_ name: String, syncsDirectory: Bool) -> Int32 {
        guard operationsLeft != 0 else { return IOErrorCode.delete }
        guard names[name] != nil else { return IOErrorCode.deleteNoEntry }
        guard takeOperation() else { return IOErrorCode.delete }
        names[name] = nil
        if syncsDirectory { durableNames = names }
        dropUnreachable()
        return SQLITE_OK
    }

    mutating func rename(_ name: String, to newName: String) {
        (names[newName], durableNames[newName]) = (names[name], durableNames[name])
        (names[name], durableNames[name]) = (nil, nil)
    }

    mutating func cutPower(_ random: inout SeededRandom?) {
        handles.removeAll()
        deadRegions += shared.values.flatMap(\.regions)
        shared.removeAll()
        for file in files.keys.sorted() { files[file]?.cutPower(&random) }
        for name in Set(names.keys).union(durableNames.keys).sorted() where names[name] != durableNames[name] {
            if !(random?.next().isMultiple(of: 2) ?? false) { names[name] = durableNames[name] }
        }
        durableNames = names
        operationsLeft = nil
        dropUnreachable()
    }

    mutating func freeSharedMemory() {
        for region in deadRegions + shared.values.flatMap(\.regions) {
            UnsafeMutableRawPointer(bitPattern: region)?.deallocate()
        }
        shared.removeAll()
        deadRegions.removeAll()
    }

    private mutating func dropUnreachable() {
        let reachable = Set(names.values).union(durableNames.values).union(handles.values.map(\.file))
        files = files.filter { reachable.contains($0.key) }
    }
}
