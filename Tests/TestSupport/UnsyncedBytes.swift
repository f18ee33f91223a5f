import Platform

/// The bytes of a file as programs see them, and what the disk would still hold of them after a power cut.
struct UnsyncedBytes: Sendable {
    /// A disk writes these whole, in any order.
    private static let blockSize = 512

    private(set) var bytes: [UInt8] = []
    /// The durable content of every block that was changed since the last sync; shorter or empty at the durable end.
    private var durableBlocks: [Int: [UInt8]] = [:]
    private var durableCount = 0

    func read(_ count: Int, at offset: Int) -> [UInt8] {
        let start = min(offset, bytes.count)
        return Array(bytes[start..<min(start + count, bytes.count)])
    }

    mutating func write(_ new: [UInt8], at offset: Int) {
        let end = offset + new.count
        keepDurable(min(offset, bytes.count)..<end)
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.withUnsafeMutableBytes { old in
            let target = UnsafeMutableRawBufferPointer(rebasing: old[offset..<end])
            new.withUnsafeBytes { target.copyMemory(from: $0) }
        }
    }

    mutating func truncate(to count: Int) {
        guard count < bytes.count else { return }
        keepDurable(count..<bytes.count)
        bytes.removeSubrange(count...)
    }

    mutating func sync() {
        durableBlocks.removeAll()
        durableCount = bytes.count
    }

    /// Goes back to what the disk holds: of each unsynced change nothing, or by chance the change.
    mutating func cutPower(_ random: inout SeededRandom?) {
        let count = Self.isKept(&random) ? bytes.count : durableCount
        let lost = durableBlocks.sorted { $0.key < $1.key }.filter { !Self.isKept(&random) || isCutOff($0.key) }
        bytes += [UInt8](repeating: 0, count: max(0, durableCount - bytes.count))
        for (block, content) in lost { restore(block, content) }
        bytes.removeSubrange(count...)
        sync()
    }

    /// Whether a truncation took durable bytes of this block, which only the disk has now.
    private func isCutOff(_ block: Int) -> Bool { bytes.count < min((block + 1) * Self.blockSize, durableCount) }

    private mutating func restore(_ block: Int, _ content: [UInt8]) {
        let start = block * Self.blockSize
        let end = min(start + Self.blockSize, bytes.count)
        let padded = content + repeatElement(0, count: Self.blockSize - content.count)
        bytes.replaceSubrange(start..<end, with: padded.prefix(end - start))
    }

    private mutating func keepDurable(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        for block in range.lowerBound / Self.blockSize...(range.upperBound - 1) / Self.blockSize
        where durableBlocks[block] == nil {
            let start = block * Self.blockSize
            let end = min(start + Self.blockSize, durableCount)
            durableBlocks[block] = start < end ? Array(bytes[start..<end]) : []
        }
    }

    private static func isKept(_ random: inout SeededRandom?) -> Bool {
        random?.next().isMultiple(of: 2) ?? false
    }
}
