import CSQLite
import Synchronization

// What SQLite calls for an open file (https://sqlite.org/c3ref/io_methods.html). Plain functions, because a C
// function pointer can capture nothing: which disk and which handle stands behind SQLite's own part of the file.

typealias File = UnsafeMutablePointer<sqlite3_file>

/// The part of an open file that is ours.
struct SimulatedSlot {
    static let fileSize = MemoryLayout<sqlite3_file>.stride + MemoryLayout<SimulatedSlot>.stride

    var vfs: Unmanaged<SimulatedVFS>
    var handle: Int

    static func of(_ file: File) -> UnsafeMutablePointer<SimulatedSlot> {
        UnsafeMutableRawPointer(file + 1).assumingMemoryBound(to: SimulatedSlot.self)
    }
}

func simulatedFileMethods() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    methods.xClose = close
    methods.xRead = read
    methods.xWrite = write
    methods.xTruncate = truncate
    methods.xSync = { file, _ in onDisk(file) { disk, number, _ in disk.sync(number) } }
    methods.xFileSize = size
    methods.xLock = { file, level in onDisk(file) { disk, number, _ in disk.lock(number, level) } }
    methods.xUnlock = unlock
    methods.xCheckReservedLock = checkReserved
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 512 }
    // What os_unix.c says of every disk: a write leaves the bytes around it alone.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    methods.xShmMap = mapShared
    methods.xShmLock = { file, offset, count, flags in
        onDisk(file) { disk, number, _ in disk.lockShared(Int(offset)..<Int(offset + count), flags, for: number) }
    }
    methods.xShmBarrier = { _ in atomicMemoryFence(ordering: .sequentiallyConsistent) }
    methods.xShmUnmap = unmapShared
    return methods
}

/// Runs `body` with the disk and the handle of `file`; SQLITE_IOERR where a power cut or a stop has ended it.
private func onDisk(
    _ file: File?, _ body: (inout SimulatedDisk, Int, SimulatedDisk.Handle) -> Int32
) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let slot = SimulatedSlot.of(file).pointee
    return slot.vfs.takeUnretainedValue().state.withLock { disk in
        guard disk.operationsLeft != 0, let handle = disk.handles[slot.handle] else { return SQLITE_IOERR }
        return body(&disk, slot.handle, handle)
    }
}

/// The same for what never fails, so that a dead connection can be closed.
private func always(_ file: File?, _ body: (inout SimulatedDisk, Int) -> Void) -> Int32 {
    guard let file else { return SQLITE_OK }
    let slot = SimulatedSlot.of(file).pointee
    slot.vfs.takeUnretainedValue().state.withLock { disk in body(&disk, slot.handle) }
    return SQLITE_OK
}

private func close(_ file: File?) -> Int32 {
    always(file) { disk, number in
        disk.unmapShared(number)
        disk.close(number)
    }
}

private func unlock(_ file: File?, _ level: Int32) -> Int32 {
    always(file) { disk, number in disk.unlock(number, level) }
}

private func unmapShared(_ file: File?, _ deletes: Int32) -> Int32 {
    always(file) { disk, number in disk.unmapShared(number) }
}

private func read(_ file: File?, _ buffer: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    var bytes: [UInt8] = []
    let code = onDisk(file) { disk, _, handle in
        bytes = disk.files[handle.file]?.read(Int(count), at: Int(offset)) ?? []
        return SQLITE_OK
    }
    guard code == SQLITE_OK else { return IOErrorCode.read }
    let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
    bytes.withUnsafeBytes { target.copyMemory(from: $0) }
    guard bytes.count < target.count else { return SQLITE_OK }
    // The rest of a short read must be zero.
    UnsafeMutableRawBufferPointer(rebasing: target[bytes.count...]).initializeMemory(as: UInt8.self, repeating: 0)
    return IOErrorCode.shortRead
}

private func write(_ file: File?, _ buffer: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    let bytes = Array(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    return onDisk(file) { disk, _, handle in disk.write(bytes, at: Int(offset), to: handle.file) }
}

private func truncate(_ file: File?, _ count: Int64) -> Int32 {
    onDisk(file) { disk, _, handle in
        guard disk.takeOperation() else { return IOErrorCode.truncate }
        disk.files[handle.file]?.truncate(to: Int(count))
        return SQLITE_OK
    }
}

private func size(_ file: File?, _ result: UnsafeMutablePointer<Int64>?) -> Int32 {
    var count = 0
    let code = onDisk(file) { disk, _, handle in
        count = disk.files[handle.file]?.bytes.count ?? 0
        return SQLITE_OK
    }
    result?.pointee = Int64(count)
    return code
}

private func checkReserved(_ file: File?, _ result: UnsafeMutablePointer<Int32>?) -> Int32 {
    var isReserved = false
    let code = onDisk(file) { disk, _, handle in
        isReserved = disk.isReserved(handle.file)
        return SQLITE_OK
    }
    result?.pointee = isReserved ? 1 : 0
    return code
}

private func mapShared(
    _ file: File?, _ index: Int32, _ size: Int32, _ extend: Int32,
    _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    var address: UInt?
    let code = onDisk(file) { disk, number, _ in
        address = disk.region(Int(index), size: Int(size), extend: extend != 0, for: number)
        return SQLITE_OK
    }
    result?.pointee = address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
    return code
}
