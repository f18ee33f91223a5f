import Cloud
import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// A library and its cloud on one simulated disk, in one thread.
final class TierBench {
    let simulated: SimulatedMachine
    let disk: SimulatedVFS
    private(set) var library: PhotoLibrary
    private(set) var store: SimulatedStore
    /// Kept over restarts of the daemon, as the simulated store's faults are not.
    private let seed: UInt64
    var seconds: [String: SimulatedVFS] = [:]

    init(_ name: String, seed: UInt64) throws {
        self.seed = seed
        simulated = SimulatedMachine(seed: seed)
        disk = SimulatedVFS(name: "tier-\(name)-\(seed)")
        simulated.files.configure { $0.owner = geteuid() }
        disk.follow(simulated.files, library: "/library")
        try simulated.program.makeDirectory(Array("/cloud".utf8))
        store = try StoreBench.open(simulated, seed: seed)
        library = try Self.open(simulated, disk)
        // As the history's keeper leaves it before anything is moved.
        _ = try store.put(
            try key("library/identity"), body(library.directory.identifier.uuidString + "\n"))
    }

    private static func open(_ simulated: SimulatedMachine, _ disk: SimulatedVFS) throws -> PhotoLibrary {
        try PhotoLibrary.open(
            Array("/library".utf8), machine: simulated.machine, executor: .inline(), vfs: disk.name)
    }

    /// Without retries: what the store does is what the tier sees.
    private(set) lazy var tier = CloudTier(library: library, store: store)

    /// The power goes, and comes back.
    func cutPower() throws {
        simulated.onReach(nil)
        simulated.files.cutPower(.seeded)
        disk.cutPower(seed: seed)
        library.onThread { $0.close() }
        simulated.files.restart()
        try begin()
    }

    /// The daemon ends, and starts again.
    func restart() throws {
        library.onThread { $0.close() }
        try begin()
    }

    private func begin() throws {
        store = try StoreBench.open(simulated, seed: seed)
        library = try Self.open(simulated, disk)
        tier = CloudTier(library: library, store: store)
    }

    fileprivate func end() {
        library.onThread { $0.close() }
        disk.remove()
        for second in seconds.values { second.remove() }
    }

    /// Imports one asset with these bytes.
    @discardableResult
    func add(_ text: String, _ number: UInt8) throws -> Content {
        let content = try Self.content(text)
        try library.onThread { library in
            let staged = try library.directory.originals.stage()
            try writeBytes(staged.file, Array(text.utf8), files: library.machine.files, at: 0)
            _ = try library.publish([StagedContent(content: content, staged: staged)], origin: "import") { change in
                let creation = AssetCreation(
                    localIdentifier: Self.identifier(number), mediaType: .image, creationDate: change.date,
                    creationDateSource: .added, resourceType: .photo, originalFilename: PathBytes("\(number).jpg"),
                    content: content)
                try change.perform(.createAsset(creation))
            }
        }
        return content
    }

    static func identifier(_ number: UInt8) -> LocalIdentifier {
        LocalIdentifier(UUID(uuid: (0xC1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }

    static func content(_ text: String) throws -> Content {
        let body = ObjectBody(Array(text.utf8))
        return Content(hash: body.sha256, byteCount: body.byteCount, contentType: "image/jpeg", fileExtension: "jpg")
    }

    func perform(_ requests: ChangeRequest...) throws {
        try library.onThread { try $0.perform(requests, origin: "test") }
    }

    func version(_ content: Content) throws -> Version {
        try #require(try library.onThread { try $0.version(of: content.hash) })
    }

    func stagedNames() throws -> [[UInt8]] {
        try simulated.files.list(try simulated.files.openDirectory(Array("/library/staging".utf8))).map(\.name)
    }

    func isOnDisk(_ content: Content) throws -> Bool { try library.directory.originals.isSound(content) }

    func isInStore(_ content: Content) throws -> Bool {
        let faults = store.faults
        store.faults = SimulatedFaults()
        defer { store.faults = faults }
        do {
            return try store.head(.original(content.hash)).sha256 == content.hash
        } catch  where error.kind == .notFound {
            return false
        }
    }

    /// What is never broken: the bytes of each content are where its residency says (RULES I1, I18).
    func check(_ contents: Content..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        for content in contents {
            let version = try version(content)
            if version.residency != .inCloud { #expect(try isOnDisk(content), sourceLocation: sourceLocation) }
            if version.residency != .local { #expect(try isInStore(content), sourceLocation: sourceLocation) }
            let copy = try library.onThread { try $0.cloudCopy(of: content.hash) }
            #expect((copy == nil) == (version.residency == .local), sourceLocation: sourceLocation)
        }
    }
}

func withTier(_ name: String = #function, seed: UInt64 = 1, _ body: (TierBench) throws -> Void) throws {
    let bench = try TierBench(name, seed: seed)
    defer { bench.end() }
    try body(bench)
}
