import Glibc
import Platform

/// The disk of `SimulatedFiles`: what programs see, what would outlive a power cut, and what is open.
struct SimulatedVolume: Sendable {
    static let root: UInt64 = 2

    var nodes: [UInt64: SimulatedNode]
    /// Changes of directories that are not durable yet, oldest first.
    var pending: [PendingEntries] = []
    var descriptors: [Int32: SimulatedDescriptor] = [:]
    var settings = SimulatedSettings()
    var faults: [SimulatedFault] = []
    var callCounts: [SimulatedFiles.Verb: Int] = [:]
    var generator: SeededRandom
    /// Nanoseconds since the epoch.
    let now: @Sendable () -> Int64
    /// False after a crash or a power cut: nobody is there to call a verb.
    var isUp = true
    var usedBytes: Int64 = 0
    /// Whether another program acts now.
    var isForeignAct = false
    private var nextDescriptor: Int32 = 1000
    private var nextInode: UInt64 = 100
    private var nextGeneration: UInt64 = 1
    private var freeInodes: [UInt64] = []

    init(seed: UInt64, now: @escaping @Sendable () -> Int64) {
        self.now = now
        generator = SeededRandom(seed: seed)
        var root = SimulatedNode(kind: .directory, mode: 0o755, owner: 0, generation: 0, time: now())
        // No directory names the root, and yet it is never unused.
        (root.linkCount, root.durableLinkCount) = (1, 1)
        nodes = [SimulatedVolume.root: root]
    }

    mutating func addNode(_ kind: FileStatus.Kind, mode: UInt32, target: [UInt8] = []) -> UInt64 {
        var inode = nextInode
        if settings.reusesInodes, let free = freeInodes.popLast() { inode = free } else { nextInode += 1 }
        var node = SimulatedNode(
            kind: kind, mode: mode, owner: settings.owner, generation: nextGeneration, time: now())
        node.target = target
        nextGeneration += 1
        nodes[inode] = node
        return inode
    }

    /// Frees what no name and no descriptor holds any more; the disk may still name it, and show it after a power cut.
    mutating func dropIfUnused(_ inode: UInt64) {
        // The root has no name, and stays.
        guard inode != SimulatedVolume.root, let node = nodes[inode], node.linkCount == 0,
            !descriptors.values.contains(where: { $0.inode == inode })
        else { return }
        if !node.isFreed { usedBytes -= Int64(node.content.count) }
        nodes[inode]?.isFreed = true
        let isPending = pending.contains { $0.changes.contains { $0.inode == inode } }
        guard node.durableLinkCount == 0, !isPending else { return }
        nodes[inode] = nil
        freeInodes.append(inode)
    }

    mutating func open(_ inode: UInt64, isWritable: Bool) -> Int32 {
        defer { nextDescriptor += 1 }
        descriptors[nextDescriptor] = SimulatedDescriptor(
            inode: inode, isWritable: isWritable, isForeign: isForeignAct)
        return nextDescriptor
    }

    mutating func close(_ descriptor: Int32) throws(FileError) {
        guard let closed = descriptors.removeValue(forKey: descriptor) else { throw failure(EBADF, "close") }
        dropIfUnused(closed.inode)
    }

    func descriptor(_ number: Int32, _ verb: String) throws(FileError) -> SimulatedDescriptor {
        guard let descriptor = descriptors[number] else { throw failure(EBADF, verb) }
        return descriptor
    }

    /// The node, unless it was made to fail.
    func node(_ inode: UInt64, _ verb: String) throws(FileError) -> SimulatedNode {
        guard let node = nodes[inode] else { throw failure(ESTALE, verb) }
        if let code = node.faultCode { throw failure(code, verb) }
        return node
    }

    /// Counts the call and lets it fail where the machine is down or a test asked for it.
    mutating func begin(_ verb: SimulatedFiles.Verb) throws(FileError) {
        guard isUp else { throw failure(ESHUTDOWN, verb.rawValue) }
        callCounts[verb, default: 0] += 1
        guard let index = faults.firstIndex(where: { $0.verb == verb }) else { return }
        guard faults[index].skipped == 0 else {
            faults[index].skipped -= 1
            return
        }
        throw failure(faults.remove(at: index).code, verb.rawValue)
    }

    func requireWritable(_ verb: String) throws(FileError) {
        if settings.isReadOnly { throw failure(EROFS, verb) }
    }
}

/// A file, directory, symlink or FIFO, in the cache and on the disk.
struct SimulatedNode: Sendable {
    var kind: FileStatus.Kind
    var mode: UInt32
    var durableMode: UInt32
    var owner: UInt32
    /// What a symlink points to.
    var target: [UInt8] = []
    var content: [UInt8] = []
    var durableContent: [UInt8] = []
    var entries: [[UInt8]: UInt64] = [:]
    var durableEntries: [[UInt8]: UInt64] = [:]
    var linkCount: UInt32 = 0
    var durableLinkCount: UInt32 = 0
    var modified: Int64
    var changed: Int64
    var born: Int64
    /// Tells two files apart that had the same inode number one after the other.
    var generation: UInt64
    /// Whether a sync failed: what was written until then never reaches the disk, and no later sync says so.
    var hasLostWrites = false
    var faultCode: Int32?
    /// Whether its bytes no longer count as used.
    var isFreed = false

    init(kind: FileStatus.Kind, mode: UInt32, owner: UInt32, generation: UInt64, time: Int64) {
        self.kind = kind
        self.mode = mode
        durableMode = mode
        self.owner = owner
        self.generation = generation
        modified = time
        changed = time
        born = time
    }

    mutating func makeDurable() {
        durableMode = mode
        if !hasLostWrites { durableContent = content }
    }
}

struct SimulatedDescriptor: Sendable {
    enum Lease: Sendable {
        case none
        case held
        case broken
    }

    var inode: UInt64
    var isWritable: Bool
    /// Whether another program opened it.
    var isForeign: Bool
    var lease = Lease.none
    var isLocked = false
}

struct SimulatedFault: Sendable {
    var verb: SimulatedFiles.Verb
    var code: Int32
    /// How many calls still succeed.
    var skipped: Int
}

func failure(_ code: Int32, _ verb: String, _ path: [UInt8] = []) -> FileError {
    FileError(code: code, verb: verb, path: path)
}
