import Glibc
import Platform

/// One change of directories that reaches the disk as a whole or not at all: a journal does not tear a rename.
struct PendingEntries: Sendable {
    struct Change: Sendable {
        var directory: UInt64
        var name: [UInt8]
        /// Nil: the name goes.
        var inode: UInt64?

        var place: Place { Place(directory: directory, name: name) }
    }

    struct Place: Hashable, Sendable {
        var directory: UInt64
        var name: [UInt8]
    }

    var changes: [Change]
    /// Whether another program made it.
    var isForeign: Bool
    /// Whether a sync of it failed: no later one brings it to the disk.
    var isLost = false
}

/// Directories: changed at once for programs, later for the disk.
extension SimulatedVolume {
    /// Changes directories as programs see them; `settle` will bring it to the disk.
    mutating func change(_ changes: [PendingEntries.Change]) {
        for change in changes { apply(change, to: \.entries, counting: \.linkCount) }
        pending.append(PendingEntries(changes: changes, isForeign: isForeignAct))
        for change in changes {
            nodes[change.directory]?.modified = now()
            nodes[change.directory]?.changed = now()
            if let inode = change.inode { nodes[inode]?.changed = now() }
        }
    }

    private mutating func apply(
        _ change: PendingEntries.Change, to entries: WritableKeyPath<SimulatedNode, [[UInt8]: UInt64]>,
        counting count: WritableKeyPath<SimulatedNode, UInt32>
    ) {
        if let old = nodes[change.directory]?[keyPath: entries][change.name], let links = nodes[old]?[keyPath: count] {
            nodes[old]?[keyPath: count] = links > 0 ? links - 1 : 0
        }
        nodes[change.directory]?[keyPath: entries][change.name] = change.inode
        if let inode = change.inode { nodes[inode]?[keyPath: count] += 1 }
    }

    /// Brings the chosen changes to the disk, and with each every earlier change of a name that it touches.
    mutating func settle(_ isChosen: (PendingEntries) -> Bool) {
        var settled: [PendingEntries] = []
        var later: [PendingEntries] = []
        var touched: Set<PendingEntries.Place> = []
        for change in pending.reversed() {
            let places = change.changes.map(\.place)
            guard isChosen(change) && !change.isLost || !touched.isDisjoint(with: places) else {
                later.append(change)
                continue
            }
            touched.formUnion(places)
            settled.append(change)
        }
        pending = later.reversed()
        let changes = settled.reversed().flatMap(\.changes)
        let replaced = changes.compactMap { nodes[$0.directory]?.durableEntries[$0.name] }
        for change in changes { apply(change, to: \.durableEntries, counting: \.durableLinkCount) }
        for inode in replaced + changes.compactMap(\.inode) { dropIfUnused(inode) }
    }

    func entry(_ name: [UInt8], in directory: UInt64, _ verb: String) throws(FileError) -> UInt64 {
        guard name.count <= 255 else { throw failure(ENAMETOOLONG, verb, name) }
        let parent = try node(directory, verb)
        guard parent.kind == .directory else { throw failure(ENOTDIR, verb, name) }
        guard let inode = parent.entries[name] else { throw failure(ENOENT, verb, name) }
        return inode
    }

    /// Holds that a new name may be put into a directory.
    func requireFree(_ name: [UInt8], in directory: UInt64, _ verb: String) throws(FileError) {
        guard name.isFileName else { throw failure(EINVAL, verb, name) }
        do throws(FileError) {
            _ = try entry(name, in: directory, verb)
        } catch  where error.code == ENOENT {
            // A directory that was removed while it was open takes no names.
            guard directory == SimulatedVolume.root || nodes[directory]?.linkCount ?? 0 > 0 else { throw error }
            return try requireWritable(verb)
        }
        throw failure(EEXIST, verb, name)
    }

    /// Puts a new node under a name.
    mutating func add(
        _ kind: FileStatus.Kind, _ name: [UInt8], in directory: UInt64, mode: UInt32, target: [UInt8] = []
    ) -> UInt64 {
        let inode = addNode(kind, mode: mode, target: target)
        change([.init(directory: directory, name: name, inode: inode)])
        return inode
    }

    mutating func unlink(_ name: [UInt8], in directory: UInt64, _ verb: String) throws(FileError) {
        let inode = try entry(name, in: directory, verb)
        try requireWritable(verb)
        guard nodes[inode]?.kind != .directory else { throw failure(EISDIR, verb, name) }
        change([.init(directory: directory, name: name, inode: nil)])
        nodes[inode]?.changed = now()
        dropIfUnused(inode)
    }

    mutating func removeDirectory(_ name: [UInt8], in directory: UInt64, _ verb: String) throws(FileError) {
        let inode = try entry(name, in: directory, verb)
        let node = try node(inode, verb)
        guard node.kind == .directory else { throw failure(ENOTDIR, verb, name) }
        guard node.entries.isEmpty else { throw failure(ENOTEMPTY, verb, name) }
        try requireWritable(verb)
        change([.init(directory: directory, name: name, inode: nil)])
        dropIfUnused(inode)
    }

    /// Moves a name, over what stands at the new one.
    mutating func rename(_ name: [UInt8], in from: UInt64, to newName: [UInt8], in to: UInt64) throws(FileError) {
        let inode = try entry(name, in: from, "rename")
        let replaced = nodes[to]?.entries[newName]
        guard replaced != inode else { return }
        change([
            .init(directory: from, name: name, inode: nil), .init(directory: to, name: newName, inode: inode),
        ])
        if let replaced { dropIfUnused(replaced) }
    }
}
