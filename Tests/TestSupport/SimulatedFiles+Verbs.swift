import Glibc
package import Platform

/// Opening and making.
extension SimulatedFiles {
    package func openDirectory(_ path: [UInt8]) throws(FileError) -> OpenFile {
        try opened { (volume) throws(FileError) in
            try volume.begin(.openDirectory)
            guard path.first == UInt8(ascii: "/") else { throw failure(EINVAL, "open", path) }
            return try volume.openDirectory(try volume.find(absolute: path, follows: true, "open"), path)
        }
    }

    package func openDirectory(_ path: [UInt8], beneath root: OpenFile) throws(FileError) -> OpenFile {
        try opened { (volume) throws(FileError) in
            try volume.begin(.openDirectory)
            let root = try volume.descriptor(root.descriptor, "openat2").inode
            let inode = path.isEmpty ? root : try volume.find(path, beneath: root, "openat2")
            return try volume.openDirectory(inode, path)
        }
    }

    package func openForReading(_ path: [UInt8], beneath root: OpenFile) throws(FileError) -> OpenFile {
        try opened { (volume) throws(FileError) in
            try volume.begin(.openForReading)
            let root = try volume.descriptor(root.descriptor, "openat2").inode
            return try volume.openFile(try volume.find(path, beneath: root, "openat2"), path, isWritable: false)
        }
    }

    package func openForUpdating(_ name: [UInt8], in directory: OpenFile) throws(FileError) -> OpenFile {
        try opened { (volume) throws(FileError) in
            try volume.begin(.openForUpdating)
            let (parent, name) = try volume.place(name, directory, "openat2")
            try volume.requireWritable("openat2")
            return try volume.openFile(try volume.entry(name, in: parent, "openat2"), name, isWritable: true)
        }
    }

    package func create(_ name: [UInt8], in directory: OpenFile) throws(FileError) -> OpenFile {
        try opened { (volume) throws(FileError) in
            try volume.begin(.create)
            let parent = try volume.descriptor(directory.descriptor, "create").inode
            try volume.requireFree(name, in: parent, "create")
            return volume.open(volume.add(.regular, name, in: parent, mode: 0o600), isWritable: true)
        }
    }

    package func makeDirectory(_ name: [UInt8], in directory: OpenFile) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.makeDirectory)
            let parent = try volume.descriptor(directory.descriptor, "mkdirat").inode
            try volume.requireFree(name, in: parent, "mkdirat")
            _ = volume.add(.directory, name, in: parent, mode: 0o700)
        }
    }

    package func removeDirectory(_ name: [UInt8], in directory: OpenFile) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.removeDirectory)
            let (parent, name) = try volume.place(name, directory, "unlinkat")
            try volume.removeDirectory(name, in: parent, "unlinkat")
        }
    }

    package func close(_ descriptor: Int32) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            do throws(FileError) {
                try volume.begin(.close)
            } catch {
                // The descriptor goes whatever close says (close(2)).
                try volume.close(descriptor)
                throw error
            }
            try volume.close(descriptor)
        }
    }

    private func opened(_ body: (inout SimulatedVolume) throws(FileError) -> Int32) throws(FileError) -> OpenFile {
        OpenFile(try withVolume(body), of: self)
    }
}

/// Names.
extension SimulatedFiles {
    package func rename(
        _ name: [UInt8], in from: OpenFile, to newName: [UInt8], in to: OpenFile
    ) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.rename)
            let (source, _) = try volume.place(name, from, "renameat2")
            let target = try volume.descriptor(to.descriptor, "renameat2").inode
            _ = try volume.entry(name, in: source, "renameat2")
            try volume.requireFree(newName, in: target, "renameat2")
            try volume.rename(name, in: source, to: newName, in: target)
        }
        tellRenamed(name, newName)
    }

    package func unlink(_ path: [UInt8], in directory: OpenFile) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            try volume.begin(.unlink)
            let root = try volume.descriptor(directory.descriptor, "unlinkat").inode
            let (parent, name) = try volume.split(path, beneath: root, "unlinkat")
            try volume.unlink(name, in: parent, "unlinkat")
        }
        tellRenamed(path, nil)
    }
}

extension SimulatedVolume {
    /// One name in an open directory.
    fileprivate func place(
        _ name: [UInt8], _ directory: OpenFile, _ verb: String
    ) throws(FileError) -> (directory: UInt64, name: [UInt8]) {
        guard name.isFileName else { throw failure(EINVAL, verb, name) }
        return (try descriptor(directory.descriptor, verb).inode, name)
    }

    fileprivate mutating func openDirectory(_ inode: UInt64, _ path: [UInt8]) throws(FileError) -> Int32 {
        switch try node(inode, "open").kind {
        case .directory: return open(inode, isWritable: false)
        case .symlink: throw failure(ELOOP, "open", path)
        default: throw failure(ENOTDIR, "open", path)
        }
    }

    fileprivate mutating func openFile(
        _ inode: UInt64, _ path: [UInt8], isWritable: Bool
    ) throws(FileError) -> Int32 {
        let kind = try node(inode, "openat2").kind
        if kind == .symlink { throw failure(ELOOP, "openat2", path) }
        if kind == .directory && isWritable { throw failure(EISDIR, "openat2", path) }
        if isWritable { breakLeases(on: inode) }
        return open(inode, isWritable: isWritable)
    }

    /// A writer comes: every read lease on the file is broken (fcntl(2)).
    mutating func breakLeases(on inode: UInt64) {
        for (number, descriptor) in descriptors where descriptor.inode == inode && descriptor.lease == .held {
            descriptors[number]?.lease = .broken
        }
    }
}
