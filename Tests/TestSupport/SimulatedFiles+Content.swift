import Glibc
package import Platform

/// What is there, and its bytes.
extension SimulatedFiles {
    package func status(of file: OpenFile) throws(FileError) -> FileStatus {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.status)
            return try volume.status(try volume.descriptor(file.descriptor, "statx").inode)
        }
    }

    package func status(at path: [UInt8], in directory: OpenFile) throws(FileError) -> FileStatus {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.status)
            let root = try volume.descriptor(directory.descriptor, "statx").inode
            let (parent, name) = try volume.split(path, beneath: root, "statx")
            return try volume.status(try volume.entry(name, in: parent, "statx"))
        }
    }

    package func list(_ directory: OpenFile) throws(FileError) -> [DirectoryEntry] {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.list)
            return try volume.list(try volume.descriptor(directory.descriptor, "readdir").inode)
        }
    }

    package func read(
        _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileError) -> Int {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.read)
            return try volume.read(try volume.descriptor(file.descriptor, "pread").inode, into: buffer, at: offset)
        }
    }

    package func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.write)
            let descriptor = try volume.descriptor(file.descriptor, "pwrite")
            guard descriptor.isWritable else { throw failure(EBADF, "pwrite") }
            try volume.write(descriptor.inode, buffer, at: offset)
        }
    }

    package func clone(_ source: OpenFile, to target: OpenFile) throws(FileError) -> Bool {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.clone)
            guard volume.settings.canClone else { return false }
            let content = try volume.node(try volume.descriptor(source.descriptor, "ficlone").inode, "ficlone").content
            try volume.replaceContent(of: try volume.descriptor(target.descriptor, "ficlone").inode, with: content)
            return true
        }
    }

    package func setMode(_ file: OpenFile, _ mode: UInt32) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.setMode)
            let inode = try volume.descriptor(file.descriptor, "fchmod").inode
            try volume.requireWritable("fchmod")
            volume.nodes[inode]?.mode = mode & 0o7777
            volume.nodes[inode]?.changed = volume.now()
        }
    }

    package func setModified(_ file: OpenFile, _ modified: Int64) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.setModified)
            let inode = try volume.descriptor(file.descriptor, "futimens").inode
            try volume.requireWritable("futimens")
            volume.nodes[inode]?.modified = modified
            volume.nodes[inode]?.changed = volume.now()
        }
    }

    package func startWriteBack(_ file: OpenFile, from offset: Int64, count: Int64) {
        // A hint, which this disk does not take: all the more can be lost.
    }

    package func sync(_ file: OpenFile) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            let descriptor = volume.descriptors[file.descriptor]
            do throws(FileError) {
                try volume.begin(.sync)
                let isFile = descriptor.map { volume.nodes[$0.inode]?.kind == .regular } ?? false
                try volume.begin(isFile ? .syncOfFile : .syncOfDirectory)
            } catch {
                if let descriptor { volume.loseWrites(descriptor.inode) }
                throw error
            }
            let inode = try volume.descriptor(file.descriptor, "fsync").inode
            if !volume.settings.forgetsSyncs { volume.sync(inode) }
        }
    }

    package func syncFileSystem(_ directory: OpenFile) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            do throws(FileError) {
                try volume.begin(.syncFileSystem)
            } catch {
                for inode in volume.nodes.keys { volume.loseWrites(inode) }
                throw error
            }
            _ = try volume.descriptor(directory.descriptor, "syncfs")
            if !volume.settings.forgetsSyncs { volume.syncAll() }
        }
    }

    /// There is one file system here, and no bind mount: paths tell it all.
    package func place(of directory: OpenFile) -> DirectoryPlace? { nil }

    package func fileSystem(of directory: OpenFile) throws(FileError) -> FileSystemFacts {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.fileSystem)
            _ = try volume.descriptor(directory.descriptor, "fstatfs")
            return volume.facts
        }
    }
}

/// Leases, locks and handles.
extension SimulatedFiles {
    package func takeLease(_ file: OpenFile) throws(FileError) -> Lease {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.takeLease)
            let inode = try volume.descriptor(file.descriptor, "fcntl").inode
            guard volume.settings.hasLeases, volume.nodes[inode]?.kind == .regular else { return .unavailable }
            let hasWriter = volume.descriptors.values.contains { $0.inode == inode && $0.isWritable }
            if hasWriter { return .writerPresent }
            volume.descriptors[file.descriptor]?.lease = .held
            return .granted
        }
    }

    package func holdsLease(_ file: OpenFile) -> Bool {
        always { $0.descriptors[file.descriptor]?.lease == .held }
    }

    package func dropLease(_ file: OpenFile) {
        always { $0.descriptors[file.descriptor]?.lease = .none }
    }

    package func isOpenElsewhere(_ file: OpenFile) throws(FileError) -> Bool {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.takeLease)
            let inode = try volume.descriptor(file.descriptor, "fcntl").inode
            return volume.settings.hasLeases
                && volume.descriptors.contains { $0.key != file.descriptor && $0.value.inode == inode }
        }
    }

    package func lock(_ file: OpenFile) throws(FileError) -> Bool {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.lock)
            let inode = try volume.descriptor(file.descriptor, "flock").inode
            let isTaken = volume.descriptors.contains {
                $0.key != file.descriptor && $0.value.inode == inode && $0.value.isLocked
            }
            if !isTaken { volume.descriptors[file.descriptor]?.isLocked = true }
            return !isTaken
        }
    }

    package func handle(of file: OpenFile) -> [UInt8]? {
        always { volume in
            guard volume.settings.hasHandles, let inode = volume.descriptors[file.descriptor]?.inode,
                let node = volume.nodes[inode]
            else { return nil }
            return Array("\(inode).\(node.generation)".utf8)
        }
    }
}
