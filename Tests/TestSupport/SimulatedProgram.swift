import Glibc
package import Platform

/// Another program on a simulated disk.
///
/// It lives on when the engine crashes, and may act before the restart after a power cut. Opening for writing breaks
/// leases and does not wait for their holder: as on a machine whose holder was too slow (fcntl(2), lease-break-time).
package struct SimulatedProgram: OtherProgram {
    private let files: SimulatedFiles

    package init(on files: SimulatedFiles) { self.files = files }

    package func makeDirectory(_ path: [UInt8]) throws(FileError) { try add(.directory, path, mode: 0o755) }

    package func makeSymlink(_ path: [UInt8], to target: [UInt8]) throws(FileError) {
        try add(.symlink, path, mode: 0o777, target: target)
    }

    package func makeFIFO(_ path: [UInt8]) throws(FileError) { try add(.other, path, mode: 0o644) }

    package func removeDirectory(_ path: [UInt8]) throws(FileError) {
        try act { (volume) throws(FileError) in
            let (parent, name) = try volume.split(absolute: path, "rmdir")
            try volume.removeDirectory(name, in: parent, "rmdir")
        }
    }

    package func write(_ path: [UInt8], _ bytes: [UInt8]) throws(FileError) {
        try act { (volume) throws(FileError) in
            let inode = try volume.openOrAdd(path)
            volume.breakLeases(on: inode)
            try volume.replaceContent(of: inode, with: bytes)
            if volume.settings.otherProgramsSync { volume.nodes[inode]?.makeDurable() }
        }
    }

    package func append(_ path: [UInt8], _ bytes: [UInt8]) throws(FileError) {
        try act { (volume) throws(FileError) in
            let inode = try volume.find(absolute: path, follows: true, "open")
            volume.breakLeases(on: inode)
            let old = try volume.node(inode, "write").content
            try volume.replaceContent(of: inode, with: old + bytes)
            if volume.settings.otherProgramsSync { volume.nodes[inode]?.makeDurable() }
        }
    }

    package func openWriter(_ path: [UInt8]) throws(FileError) -> Int32 {
        try act { (volume) throws(FileError) in
            let inode = try volume.find(absolute: path, follows: true, "open")
            volume.breakLeases(on: inode)
            return volume.open(inode, isWritable: true)
        }
    }

    package func closeWriter(_ descriptor: Int32) throws(FileError) {
        try act { (volume) throws(FileError) in try volume.close(descriptor) }
    }

    package func rename(_ path: [UInt8], to newPath: [UInt8]) throws(FileError) {
        try act { (volume) throws(FileError) in
            let (from, name) = try volume.split(absolute: path, "rename")
            let (to, newName) = try volume.split(absolute: newPath, "rename")
            try volume.rename(name, in: from, to: newName, in: to)
        }
    }

    package func unlink(_ path: [UInt8]) throws(FileError) {
        try act { (volume) throws(FileError) in
            let (parent, name) = try volume.split(absolute: path, "unlink")
            try volume.unlink(name, in: parent, "unlink")
        }
    }

    package func makeHardLink(_ path: [UInt8], of existing: [UInt8]) throws(FileError) {
        try act { (volume) throws(FileError) in
            let inode = try volume.find(absolute: existing, follows: false, "link")
            let (parent, name) = try volume.split(absolute: path, "link")
            try volume.requireFree(name, in: parent, "link")
            volume.change([.init(directory: parent, name: name, inode: inode)])
        }
    }

    package func touch(_ path: [UInt8], modified: Int64) throws(FileError) {
        try act { (volume) throws(FileError) in
            let inode = try volume.find(absolute: path, follows: true, "utimensat")
            volume.nodes[inode]?.modified = modified
            volume.nodes[inode]?.changed = volume.now()
        }
    }

    package func read(_ path: [UInt8]) throws(FileError) -> [UInt8] {
        try files.withVolume { (volume) throws(FileError) in
            try volume.node(try volume.find(absolute: path, follows: true, "open"), "read").content
        }
    }

    private func add(
        _ kind: FileStatus.Kind, _ path: [UInt8], mode: UInt32, target: [UInt8] = []
    ) throws(FileError) {
        try act { (volume) throws(FileError) in
            let (parent, name) = try volume.split(absolute: path, "make")
            try volume.requireFree(name, in: parent, "make")
            _ = volume.add(kind, name, in: parent, mode: mode, target: target)
        }
    }

    /// One act, durable at once unless the disk is set otherwise.
    private func act<Result: Sendable>(
        _ body: (inout SimulatedVolume) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        try files.withVolume { (volume) throws(FileError) in
            volume.isForeignAct = true
            defer { volume.isForeignAct = false }
            let result = try body(&volume)
            if volume.settings.otherProgramsSync { volume.settle { $0.isForeign } }
            return result
        }
    }
}

extension SimulatedVolume {
    fileprivate mutating func openOrAdd(_ path: [UInt8]) throws(FileError) -> UInt64 {
        do throws(FileError) {
            return try find(absolute: path, follows: true, "open")
        } catch  where error.code == ENOENT {
            let (parent, name) = try split(absolute: path, "open")
            try requireFree(name, in: parent, "open")
            return add(.regular, name, in: parent, mode: 0o644)
        }
    }
}
