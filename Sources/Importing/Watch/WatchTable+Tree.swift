/// What placing a watch in the table came to.
package enum Placement: Equatable {
    case new
    /// Known, and stood elsewhere until now.
    case moved
    case unchanged
    /// The directory is the root of that folder already.
    case root(of: Int64)
    /// The place itself is not in the table any more.
    case stale
}

extension WatchTable {
    /// Makes a watch the root of a folder.
    ///
    /// A root that another folder reaches already is refused.
    package mutating func placeRoot(_ watch: Int32, inode: UInt64, of folder: Int64) -> Placement {
        endReused(watch, inode)
        if root(of: folder) == watch { return .unchanged }
        if let other = place(of: watch)?.folder { return .root(of: other) }
        if nodes[watch] != nil { unlink(watch) }
        nodes[watch, default: Node(parent: Self.none, name: [], inode: inode)].name = []
        setRoot(watch, of: folder)
        return .new
    }

    /// Puts a watch where its directory was just seen: the kernel gives the same number for the same inode, so this is
    /// the truth, whatever the table thought.
    ///
    /// Another directory known at that name loses its place.
    package mutating func place(_ watch: Int32, inode: UInt64, named name: [UInt8], under parent: Int32) -> Placement {
        guard nodes[parent] != nil, parent != watch else { return .stale }
        endReused(watch, inode)
        if let folder = folder(rootedAt: watch) { return .root(of: folder) }
        guard let node = nodes[watch] else {
            nodes[watch] = Node(parent: Self.none, name: name, inode: inode)
            link(watch, named: name, under: parent)
            return .new
        }
        if node.parent == parent, node.name == name { return .unchanged }
        return move(watch, to: name, under: parent) ? .moved : .stale
    }

    /// Moves a directory with all below it; false where the new place lies below itself, which is then stale.
    package mutating func move(_ watch: Int32, to name: [UInt8], under parent: Int32) -> Bool {
        guard nodes[watch] != nil, nodes[parent] != nil, folder(rootedAt: watch) == nil else { return false }
        guard !isBelow(parent, watch) else { return false }
        unlink(watch)
        link(watch, named: name, under: parent)
        return true
    }

    /// Takes a directory's place away, but keeps its watch for when it is seen again.
    package mutating func detach(_ watch: Int32) {
        guard nodes[watch] != nil, folder(rootedAt: watch) == nil else { return }
        unlink(watch)
        detached.insert(watch)
    }

    /// Removes a directory with all below it and gives the watches to end; the kernel owes an IN_IGNORED for each.
    package mutating func remove(_ watch: Int32) -> [Int32] {
        guard nodes[watch] != nil else { return [] }
        unlink(watch)
        clearRoot(watch)
        let removed = subtree(of: watch)
        for each in removed { erase(each) }
        return removed
    }

    /// Removes every directory that was not seen again.
    package mutating func removeDetached() -> [Int32] {
        let tops = detached
        return tops.flatMap { remove($0) }
    }

    /// Removes one directory whose watch has ended by itself.
    ///
    /// What was below it loses its place.
    package mutating func removeEnded(_ watch: Int32) {
        guard nodes[watch] != nil else { return }
        for child in childWatches(of: watch) { detach(child) }
        unlink(watch)
        clearRoot(watch)
        nodes[watch] = nil
    }

    /// The watched directories right below one.
    package func childWatches(of watch: Int32) -> [Int32] {
        var found: [Int32] = []
        var child = nodes[watch]?.firstChild ?? Self.none
        while child != Self.none {
            found.append(child)
            child = nodes[child]?.next ?? Self.none
        }
        return found
    }

    package func isUnknown(_ watch: Int32) -> Bool { nodes[watch] == nil }
    package func name(of watch: Int32) -> [UInt8]? { nodes[watch]?.name }
    package func parent(of watch: Int32) -> Int32 { nodes[watch]?.parent ?? Self.none }

    func subtree(of watch: Int32) -> [Int32] {
        var found = [watch]
        var reached = 0
        while reached < found.count {
            found += childWatches(of: found[reached])
            reached += 1
        }
        return found
    }
}

extension WatchTable {
    private func isBelow(_ watch: Int32, _ top: Int32) -> Bool {
        var current = watch
        while current != Self.none {
            if current == top { return true }
            current = nodes[current]?.parent ?? Self.none
        }
        return false
    }

    /// Ends the old directory where the kernel has given its number to another (W23).
    private mutating func endReused(_ watch: Int32, _ inode: UInt64) {
        guard let node = nodes[watch], node.inode != inode else { return }
        removeEnded(watch)
        awaitIgnored(watch)
    }

    private mutating func erase(_ watch: Int32) {
        guard let node = nodes.removeValue(forKey: watch) else { return }
        if node.parent != Self.none { children[ChildKey(parent: node.parent, name: node.name)] = nil }
        awaitIgnored(watch)
    }

    private mutating func link(_ watch: Int32, named name: [UInt8], under parent: Int32) {
        if let displaced = child(name, of: parent) { detach(displaced) }
        let sibling = nodes[parent]?.firstChild ?? Self.none
        nodes[watch]?.parent = parent
        nodes[watch]?.name = name
        nodes[watch]?.next = sibling
        nodes[watch]?.previous = Self.none
        nodes[sibling]?.previous = watch
        nodes[parent]?.firstChild = watch
        children[ChildKey(parent: parent, name: name)] = watch
    }

    private mutating func unlink(_ watch: Int32) {
        detached.remove(watch)
        guard let node = nodes[watch], node.parent != Self.none else { return }
        children[ChildKey(parent: node.parent, name: node.name)] = nil
        if node.previous == Self.none {
            nodes[node.parent]?.firstChild = node.next
        } else {
            nodes[node.previous]?.next = node.next
        }
        nodes[node.next]?.previous = node.previous
        nodes[watch]?.parent = Self.none
        nodes[watch]?.next = Self.none
        nodes[watch]?.previous = Self.none
    }
}
