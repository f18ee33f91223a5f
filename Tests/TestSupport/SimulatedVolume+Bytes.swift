import Glibc
import Platform

/// Bytes and what is known of a file.
extension SimulatedVolume {
    func status(_ inode: UInt64) throws(FileError) -> FileStatus {
        guard let node = nodes[inode] else { throw failure(ESTALE, "statx") }
        return FileStatus(
            kind: node.kind, device: settings.device, inode: inode, byteCount: byteCount(of: node),
            modified: node.modified, changed: node.changed, born: settings.hasBirthTimes ? node.born : nil,
            linkCount: node.linkCount, owner: node.owner, group: node.owner, mode: node.mode)
    }

    private func byteCount(of node: SimulatedNode) -> Int64 {
        Int64(node.kind == .symlink ? node.target.count : node.content.count)
    }

    /// In an order which the seed does not change, and which is not that of the names.
    func list(_ inode: UInt64) throws(FileError) -> [DirectoryEntry] {
        let directory = try node(inode, "readdir")
        guard directory.kind == .directory else { throw failure(ENOTDIR, "readdir") }
        return directory.entries.sorted { (scrambled($0.key), $0.value) < (scrambled($1.key), $1.value) }.map {
            DirectoryEntry(name: $0.key, kind: settings.listsKinds ? entryKind(of: $0.value) : .unknown)
        }
    }

    private func entryKind(of inode: UInt64) -> DirectoryEntry.Kind {
        switch nodes[inode]?.kind {
        case .regular: .regular
        case .directory: .directory
        case .symlink: .symlink
        case .other, nil: .other
        }
    }

    func read(
        _ inode: UInt64, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileError) -> Int {
        let file = try node(inode, "pread")
        guard file.kind == .regular else { throw failure(file.kind == .directory ? EISDIR : ESPIPE, "pread") }
        guard offset >= 0 else { throw failure(EINVAL, "pread") }
        let start = min(Int(offset), file.content.count)
        let count = min(buffer.count, file.content.count - start)
        buffer.copyBytes(from: file.content[start..<(start + count)])
        return count
    }

    /// Writes what there is room for, then says that the rest had none, as write(2) does in two calls.
    mutating func write(_ inode: UInt64, _ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
        let size = Int64(try node(inode, "pwrite").content.count)
        try requireWritable("pwrite")
        let free = max(0, settings.capacity - usedBytes)
        let count = min(Int64(bytes.count), max(0, size - offset) + max(0, free - max(0, offset - size)))
        put(UnsafeRawBufferPointer(rebasing: bytes[..<Int(count)]), into: inode, at: Int(offset))
        if count < bytes.count { throw failure(ENOSPC, "pwrite") }
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer, into inode: UInt64, at offset: Int) {
        guard !bytes.isEmpty, let size = nodes[inode]?.content.count else { return }
        if size < offset + bytes.count {
            nodes[inode]?.content += [UInt8](repeating: 0, count: offset + bytes.count - size)
            usedBytes += Int64(offset + bytes.count - size)
        }
        nodes[inode]?.content.withUnsafeMutableBytes { content in
            UnsafeMutableRawBufferPointer(rebasing: content[offset..<(offset + bytes.count)]).copyMemory(from: bytes)
        }
        touch(inode)
    }

    mutating func replaceContent(of inode: UInt64, with bytes: [UInt8]) throws(FileError) {
        let size = Int64(try node(inode, "write").content.count)
        try requireWritable("write")
        guard usedBytes - size + Int64(bytes.count) <= settings.capacity else { throw failure(ENOSPC, "write") }
        usedBytes += Int64(bytes.count) - size
        nodes[inode]?.content = bytes
        touch(inode)
    }

    private mutating func touch(_ inode: UInt64) {
        nodes[inode]?.modified = now()
        nodes[inode]?.changed = now()
    }

    var facts: FileSystemFacts {
        FileSystemFacts(
            kind: settings.kind, freeBytes: max(0, settings.capacity - usedBytes), totalBytes: settings.capacity,
            isReadOnly: settings.isReadOnly, identity: settings.identity, syncsWhole: settings.syncsWhole)
    }
}

/// FNV-1a, so that a listing comes in the same odd order in every run.
private func scrambled(_ name: [UInt8]) -> UInt64 {
    name.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
