import CSQLite
import Glibc
import Synchronization

// What SQLite calls for names, time and chance (https://sqlite.org/c3ref/vfs.html).

private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

/// 2026-01-01 00:00 UTC in milliseconds of the Julian calendar: the clock stands still.
private let julianMilliseconds: Int64 = 212_633_985_600_000

func simulatedVFSMethods() -> sqlite3_vfs {
    var vfs = sqlite3_vfs()
    vfs.iVersion = 2
    vfs.szOsFile = Int32(SimulatedSlot.fileSize)
    vfs.mxPathname = 1024
    vfs.xOpen = open
    vfs.xDelete = delete
    vfs.xAccess = access
    vfs.xFullPathname = fullPathname
    vfs.xRandomness = randomness
    vfs.xSleep = { _, microseconds in microseconds }
    vfs.xGetLastError = { _, _, _ in 0 }
    vfs.xCurrentTime = { _, result in
        result?.pointee = Double(julianMilliseconds) / 86_400_000
        return SQLITE_OK
    }
    vfs.xCurrentTimeInt64 = { _, result in
        result?.pointee = julianMilliseconds
        return SQLITE_OK
    }
    return vfs
}

private func simulation(_ vfs: VFS?) -> SimulatedVFS? {
    vfs?.pointee.pAppData.map { Unmanaged<SimulatedVFS>.fromOpaque($0).takeUnretainedValue() }
}

private func open(
    _ vfs: VFS?, _ name: UnsafePointer<CChar>?, _ file: File?, _ flags: Int32,
    _ result: UnsafeMutablePointer<Int32>?
) -> Int32 {
    // Without methods SQLite does not call xClose after a failure.
    file?.pointee.pMethods = nil
    guard let simulation = simulation(vfs), let file else { return SQLITE_MISUSE }
    let path = name.map { String(cString: $0) }
    let (handle, code) = simulation.state.withLock { $0.open(path, flags) }
    guard let handle else { return code }
    SimulatedSlot.of(file).initialize(to: SimulatedSlot(vfs: .passUnretained(simulation), handle: handle))
    file.pointee.pMethods = UnsafePointer(simulation.methods)
    result?.pointee = flags
    return SQLITE_OK
}

private func delete(_ vfs: VFS?, _ name: UnsafePointer<CChar>?, _ syncsDirectory: Int32) -> Int32 {
    guard let simulation = simulation(vfs), let name else { return SQLITE_MISUSE }
    let path = String(cString: name)
    return simulation.state.withLock { $0.delete(path, syncsDirectory: syncsDirectory != 0) }
}

/// Like os_unix.c, which takes an empty file for none.
private func access(
    _ vfs: VFS?, _ name: UnsafePointer<CChar>?, _ flags: Int32, _ result: UnsafeMutablePointer<Int32>?
) -> Int32 {
    guard let simulation = simulation(vfs), let name else { return SQLITE_MISUSE }
    let count = simulation.contents(of: String(cString: name))?.count ?? 0
    result?.pointee = count > 0 ? 1 : 0
    return SQLITE_OK
}

private func fullPathname(
    _ vfs: VFS?, _ name: UnsafePointer<CChar>?, _ room: Int32, _ result: UnsafeMutablePointer<CChar>?
) -> Int32 {
    guard let name, let result, strlen(name) < Int(room) else { return SQLITE_CANTOPEN }
    result.update(from: name, count: strlen(name) + 1)
    return SQLITE_OK
}

/// SQLite asks the system's VFS for its chance, never this one: the salts of a log differ from run to run.
private func randomness(_ vfs: VFS?, _ count: Int32, _ result: UnsafeMutablePointer<CChar>?) -> Int32 {
    result?.update(repeating: 0, count: Int(count))
    return count
}
