/// Which watch stands for which directory: a tree, because names change and inodes do not.
///
/// A node is a watched directory, keyed by the kernel's watch number. It knows its parent and its own name only, so
/// moving a directory touches one node and every path below it follows (W08); a path is built by walking up.
/// A child is found by parent and name, never by comparing paths, so `lt/ab` is nothing to `lt/abc`.
/// About 250 bytes for each directory.
package struct WatchTable {
    /// Where a directory is.
    package struct Place: Equatable {
        package var folder: Int64
        package var path: [UInt8]
    }

    struct Node {
        var parent: Int32
        var name: [UInt8]
        /// Tells a watch number that the kernel gave out again from a directory that moved.
        var inode: UInt64
        var firstChild = WatchTable.none
        var next = WatchTable.none
        var previous = WatchTable.none
    }

    struct ChildKey: Hashable {
        var parent: Int32
        var name: [UInt8]
    }

    /// The kernel counts watches from 1.
    package static let none: Int32 = 0

    var nodes: [Int32: Node] = [:]
    var children: [ChildKey: Int32] = [:]
    private var folders: [Int32: Int64] = [:]
    private var roots: [Int64: Int32] = [:]
    /// Tops of subtrees whose place is unknown: another directory was seen where they stood.
    var detached: Set<Int32> = []
    private var awaited: [Int32: Int] = [:]

    package init() {}

    package var count: Int { nodes.count }

    /// Where the directory of a watch is; nil for a stranger, and for one whose place is unknown.
    package func place(of watch: Int32) -> Place? {
        var names: [[UInt8]] = []
        var current = watch
        while let node = nodes[current], node.parent != Self.none {
            names.append(node.name)
            current = node.parent
        }
        guard let folder = folders[current] else { return nil }
        return Place(folder: folder, path: Array(names.reversed().joined(separator: [UInt8(ascii: "/")])))
    }

    /// The watch of a directory by its parent's watch and its name.
    package func child(_ name: [UInt8], of parent: Int32) -> Int32? {
        children[ChildKey(parent: parent, name: name)]
    }

    /// The folder that a watch is the root of.
    package func folder(rootedAt watch: Int32) -> Int64? { folders[watch] }
    package func root(of folder: Int64) -> Int32? { roots[folder] }

    /// The directories of a folder.
    package func count(in folder: Int64) -> Int {
        guard let root = roots[folder] else { return 0 }
        return subtree(of: root).count
    }
}

// MARK: - Watch numbers of the past

extension WatchTable {
    /// Whether what the queue still holds for this number belongs to a watch that has ended.
    ///
    /// A number given out again (Linux does so only after 2^31 watches; W23) in order: the old directory's events,
    /// its IN_IGNORED, the new directory's events. Until that IN_IGNORED passes, nothing is about the new one.
    package func awaitsIgnored(_ watch: Int32) -> Bool { awaited[watch] != nil }

    /// Takes note that the kernel owes an IN_IGNORED for this number.
    mutating func awaitIgnored(_ watch: Int32) { awaited[watch, default: 0] += 1 }

    /// Takes an IN_IGNORED; false where nobody had ended the watch, so that its directory must be looked at.
    package mutating func passIgnored(_ watch: Int32) -> Bool {
        guard let owed = awaited[watch] else { return false }
        awaited[watch] = owed > 1 ? owed - 1 : nil
        return true
    }

    /// Forgets what is owed: an overflow may have swallowed it.
    package mutating func forgetIgnored() { awaited = [:] }
}

// MARK: - Roots

extension WatchTable {
    mutating func setRoot(_ watch: Int32, of folder: Int64) {
        folders[watch] = folder
        roots[folder] = watch
    }

    mutating func clearRoot(_ watch: Int32) {
        guard let folder = folders.removeValue(forKey: watch) else { return }
        roots[folder] = nil
    }
}
