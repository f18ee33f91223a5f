package import Platform
import Synchronization

/// A disk in memory that forgets what was not synced, with the same verbs as the machine's own.
///
/// A file's bytes are durable after `sync` of the file, a name after `sync` of its directory (a rename: of either), and
/// both after `syncFileSystem`; nothing else is, as POSIX has it. One seed makes one disk: it decides which unsynced
/// changes a power cut keeps. Other programs act on it through `SimulatedProgram`. There is one file system, and its
/// root is a directory; paths are absolute from there.
package final class SimulatedFiles: FileVerbs {
    /// The names of the verbs, for `failNext` and `callCount`.
    package enum Verb: String, CaseIterable, Sendable {
        case openDirectory
        case openForReading
        case openForUpdating
        case create
        case makeDirectory
        case removeDirectory
        case status
        case list
        case read
        case write
        case clone
        case setMode
        case setModified
        case sync
        /// The sync of a file, or of a directory: counted and failed beside `sync`.
        case syncOfFile
        case syncOfDirectory
        case syncFileSystem
        case rename
        case unlink
        case takeLease
        case lock
        case fileSystem
        case close
    }

    /// What a power cut takes.
    package enum Loss: Sendable {
        /// For each unsynced change the seed decides: names undone or kept, bytes old, new, torn or zero.
        case seeded
        /// All of it: a disk that writes only when told.
        case everythingUnsynced
        /// None of it: a disk that happened to have written everything.
        case nothing
    }

    private let volume: Mutex<SimulatedVolume>
    private let renamed = Mutex<(@Sendable (_ name: [UInt8], _ newName: [UInt8]?) -> Void)?>(nil)

    /// An empty disk.
    ///
    /// `now` is the clock for its files, in nanoseconds since the epoch.
    package init(seed: UInt64, now: @escaping @Sendable () -> Int64) {
        volume = Mutex(SimulatedVolume(seed: seed, now: now))
    }

    /// One verb, or one act of another program, at a time.
    func withVolume<Result: Sendable>(
        _ body: (inout SimulatedVolume) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        try volume.withLock { (volume) throws(FileError) in try body(&volume) }
    }

    /// The same for what cannot fail.
    func always<Result: Sendable>(_ body: (inout SimulatedVolume) -> Result) -> Result {
        volume.withLock { volume in body(&volume) }
    }
}

/// What a test does to the disk.
extension SimulatedFiles {
    /// Changes what kind of disk this is.
    package func configure(_ change: (inout SimulatedSettings) -> Void) { always { change(&$0.settings) } }

    package var settings: SimulatedSettings { always { $0.settings } }

    /// Tells what the engine renames, and with nil what it unlinks: a `SimulatedVFS` has the bytes of the databases.
    package func onRename(_ body: (@Sendable (_ name: [UInt8], _ newName: [UInt8]?) -> Void)?) {
        renamed.withLock { $0 = body }
    }

    func tellRenamed(_ name: [UInt8], _ newName: [UInt8]?) { renamed.withLock { $0 }?(name, newName) }

    /// Lets one call of `verb` fail, after `skipped` more that do not.
    ///
    /// Several add up, in order.
    ///
    /// A failed sync loses the bytes for good, and the next one succeeds all the same (RULES R10).
    package func failNext(_ verb: Verb, _ code: Int32, skipping skipped: Int = 0) {
        always { $0.faults.append(SimulatedFault(verb: verb, code: code, skipped: skipped)) }
    }

    /// Takes back the faults that have not come yet.
    package func forgetFaults() { always { $0.faults = [] } }

    /// Makes every look into the file or directory at an absolute path fail, until `heal`.
    package func breakNode(at path: [UInt8], _ code: Int32) throws(FileError) { try setFault(at: path, code) }

    package func heal(at path: [UInt8]) throws(FileError) { try setFault(at: path, nil) }

    /// A bit of a file becomes another one, in the cache and on the disk: no time tells of it.
    package func rot(at path: [UInt8], byte place: Int) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            let inode = try volume.find(absolute: path, follows: false, "rot")
            guard var node = volume.nodes[inode], node.content.indices.contains(place) else { return }
            node.content[place] ^= 1
            if node.durableContent.indices.contains(place) { node.durableContent[place] ^= 1 }
            volume.nodes[inode] = node
        }
    }

    private func setFault(at path: [UInt8], _ code: Int32?) throws(FileError) {
        try withVolume { (volume) throws(FileError) in
            let (parent, name) = try volume.split(absolute: path, "break")
            let inode = try volume.entry(name, in: parent, "break")
            volume.nodes[inode]?.faultCode = code
        }
    }

    /// How often the engine called a verb.
    package func callCount(_ verb: Verb) -> Int { always { $0.callCounts[verb] ?? 0 } }

    /// How many descriptors the engine has open.
    package var openCount: Int { always { $0.descriptors.values.count { !$0.isForeign } } }

    /// The process is killed: nothing is forgotten, but descriptors, leases and locks are gone.
    ///
    /// Until `restart` every verb fails with ESHUTDOWN: the dead make no calls. Other programs live on.
    package func crash() { always { $0.crash() } }

    /// The power goes: what was not durable is lost, as `loss` says.
    ///
    /// Then as after `crash`.
    package func cutPower(_ loss: Loss = .seeded) { always { $0.cutPower(loss) } }

    /// The engine may be started again.
    ///
    /// Descriptors from before stay dead (EBADF).
    package func restart() { always { $0.isUp = true } }
}
