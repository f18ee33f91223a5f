import CSQLite

/// Locks between the connections of this process, as SQLite asks for them.
extension SimulatedDisk {
    /// Raises the lock of a handle (https://sqlite.org/lockingv3.html, section 3).
    mutating func lock(_ number: Int, _ level: Int32) -> Int32 {
        guard let handle = handles[number] else { return IOErrorCode.lock }
        guard handle.lock < level else { return SQLITE_OK }
        let others = handles.filter { $0.key != number && $0.value.file == handle.file }.map(\.value.lock)
        let strongest = others.max() ?? SQLITE_LOCK_NONE
        switch level {
        case SQLITE_LOCK_SHARED where strongest >= SQLITE_LOCK_PENDING: return SQLITE_BUSY
        case SQLITE_LOCK_RESERVED where strongest >= SQLITE_LOCK_RESERVED: return SQLITE_BUSY
        case SQLITE_LOCK_EXCLUSIVE where strongest >= SQLITE_LOCK_SHARED:
            if strongest < SQLITE_LOCK_RESERVED { handles[number]?.lock = SQLITE_LOCK_PENDING }
            return SQLITE_BUSY
        default:
            handles[number]?.lock = level
            return SQLITE_OK
        }
    }

    mutating func unlock(_ number: Int, _ level: Int32) {
        guard let handle = handles[number], handle.lock > level else { return }
        handles[number]?.lock = level
    }

    func isReserved(_ file: Int) -> Bool {
        handles.values.contains { $0.file == file && $0.lock >= SQLITE_LOCK_RESERVED }
    }

    /// The address of a region of the wal-index; nil where it does not exist and is not to be made.
    mutating func region(_ index: Int, size: Int, extend: Bool, for number: Int) -> UInt? {
        guard let file = handles[number]?.file else { return nil }
        var memory = shared[file] ?? SharedMemory()
        memory.users.insert(number)
        while extend, memory.regions.count <= index {
            let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            memory.regions.append(UInt(bitPattern: region))
        }
        shared[file] = memory
        return index < memory.regions.count ? memory.regions[index] : nil
    }

    /// Takes or gives back slots of the wal-index (https://sqlite.org/c3ref/c_shm_exclusive.html).
    mutating func lockShared(_ slots: Range<Int>, _ flags: Int32, for number: Int) -> Int32 {
        guard let file = handles[number]?.file, var memory = shared[file] else { return IOErrorCode.sharedLock }
        let isExclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
        for slot in slots {
            if flags & SQLITE_SHM_UNLOCK != 0 {
                memory.readers[slot].remove(number)
                if memory.writer[slot] == number { memory.writer[slot] = nil }
                continue
            }
            let hasWriter = memory.writer[slot].map { $0 != number } ?? false
            let hasReaders = !memory.readers[slot].subtracting([number]).isEmpty
            guard !hasWriter, !isExclusive || !hasReaders else { return SQLITE_BUSY }
            if isExclusive { memory.writer[slot] = number } else { memory.readers[slot].insert(number) }
        }
        shared[file] = memory
        return SQLITE_OK
    }

    mutating func unmapShared(_ number: Int) {
        guard let file = handles[number]?.file, var memory = shared[file] else { return }
        memory.users.remove(number)
        for slot in 0..<Int(SQLITE_SHM_NLOCK) {
            memory.readers[slot].remove(number)
            if memory.writer[slot] == number { memory.writer[slot] = nil }
        }
        guard memory.users.isEmpty else {
            shared[file] = memory
            return
        }
        shared[file] = nil
        for region in memory.regions { UnsafeMutableRawPointer(bitPattern: region)?.deallocate() }
    }
}
