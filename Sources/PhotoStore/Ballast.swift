import Platform
import SQLite

/// 1 MiB that is given up when the disk is full, so that the catalogue can still write down that it is (RULES R11).
struct Ballast {
    static let byteCount: Int64 = 1 << 20

    private let files: any FileVerbs
    private let root: OpenFile
    private let name = Array(".ballast".utf8)
    private var isHeld = false

    init(files: any FileVerbs, root: OpenFile) {
        self.files = files
        self.root = root
    }

    /// Takes the room, if the reserve stays free; what is held already stays.
    mutating func fill() {
        guard !isHeld else { return }
        do throws(FileError) {
            isHeld = try isWhole()
            if !isHeld { isHeld = try write() }
        } catch {
            // Without ballast all works until the disk is full; half of one is not worth keeping.
            _ = giveUp()
        }
    }

    /// Runs `body`, and a second time with the room freed where it fails for want of room.
    mutating func givenUp<Value>(
        where isFull: (DatabaseError) -> Bool, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError where isFull(error) {
            guard giveUp() else { throw error }
            return try body()
        }
    }

    /// Frees the room; false where none was held.
    private mutating func giveUp() -> Bool {
        isHeld = false
        do throws(FileError) {
            try files.unlink(name, in: root)
            return true
        } catch {
            return false
        }
    }

    private func isWhole() throws(FileError) -> Bool {
        try files.statusIfPresent(at: name, in: root)?.byteCount == Ballast.byteCount
    }

    /// Synced, since a delayed allocation is no room; and no zeros, which a compressing file system would not store.
    private mutating func write() throws(FileError) -> Bool {
        let facts = try files.fileSystem(of: root)
        guard facts.freeBytes - Ballast.byteCount >= Originals.reserve(of: facts) else { return false }
        _ = giveUp()
        let file = try files.create(name, in: root)
        try writeBytes(file, Ballast.noise, files: files, at: 0)
        try files.sync(file)
        return true
    }

    /// Knuth's MMIX generator: its numbers look random enough to a compressor.
    private static var noise: [UInt8] {
        var value: UInt64 = 1
        var words: [UInt64] = []
        for _ in 0..<byteCount / 8 {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words.append(value)
        }
        return words.withUnsafeBytes { Array($0) }
    }
}
