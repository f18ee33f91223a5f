import Platform

/// Syncing, and what is left when there was none.
extension SimulatedVolume {
    /// A file's bytes, or a directory's names.
    mutating func sync(_ inode: UInt64) {
        if nodes[inode]?.kind == .directory {
            settle { $0.changes.contains { $0.directory == inode } }
        }
        nodes[inode]?.makeDurable()
    }

    mutating func syncAll() {
        settle { _ in true }
        for inode in nodes.keys { nodes[inode]?.makeDurable() }
    }

    /// After a failed sync the kernel takes the pages for clean: they are on no disk, and nothing says so again (RULES R10).
    mutating func loseWrites(_ inode: UInt64) {
        for (index, change) in pending.enumerated() where change.changes.contains(where: { $0.directory == inode }) {
            pending[index].isLost = true
        }
        guard let node = nodes[inode], node.content != node.durableContent else { return }
        nodes[inode]?.hasLostWrites = true
    }

    /// The process is gone: its descriptors, leases and locks with it.
    mutating func crash() {
        isUp = false
        close { !$0.isForeign }
    }

    mutating func cutPower(_ loss: SimulatedFiles.Loss) {
        isUp = false
        close { _ in true }
        var coin = loss.coin(&generator)
        settle { _ in coin.toss() }
        pending = []
        for inode in nodes.keys.sorted() { nodes[inode]?.loseUnsynced(&coin) }
        if loss == .seeded { generator = coin.generator }
        forgetUnreachable()
    }

    private mutating func close(_ isClosed: (SimulatedDescriptor) -> Bool) {
        let closed = descriptors.filter { isClosed($0.value) }
        for number in closed.keys { descriptors[number] = nil }
        for inode in Set(closed.values.map(\.inode)).sorted() { dropIfUnused(inode) }
    }

    /// Frees what no directory on the disk leads to, as a journal replay or fsck does.
    private mutating func forgetUnreachable() {
        var reached: Set<UInt64> = []
        var front = [SimulatedVolume.root]
        while let inode = front.popLast() {
            guard reached.insert(inode).inserted, let node = nodes[inode] else { continue }
            front += node.entries.values
        }
        for inode in nodes.keys where !reached.contains(inode) { nodes[inode] = nil }
        usedBytes = nodes.values.reduce(0) { $0 + Int64($1.content.count) }
    }
}

/// Decides for one unsynced change after the other whether it was on the disk after all.
private struct Coin {
    /// Of ten.
    let chance: Int
    var generator: SeededRandom

    /// Whether the change is kept.
    mutating func toss() -> Bool { Int.random(in: 0..<10, using: &generator) < chance }
}

extension SimulatedFiles.Loss {
    /// A seeded cut is now and then total or harmless: both happen, and neither shows the other's faults.
    fileprivate func coin(_ generator: inout SeededRandom) -> Coin {
        switch self {
        case .everythingUnsynced: Coin(chance: 0, generator: generator)
        case .nothing: Coin(chance: 10, generator: generator)
        case .seeded: Coin(chance: [0, 2, 5, 8, 10].randomElement(using: &generator) ?? 5, generator: generator)
        }
    }
}

extension SimulatedNode {
    fileprivate mutating func loseUnsynced(_ coin: inout Coin) {
        entries = durableEntries
        linkCount = durableLinkCount
        isFreed = false
        if !coin.toss() { mode = durableMode }
        durableMode = mode
        if content != durableContent { content = hasLostWrites ? durableContent : torn(&coin) }
        durableContent = content
        hasLostWrites = false
    }

    /// The old length or the new one or one between, and in it block by block the new bytes or the old ones; zeros only
    /// where there were none: a block that is written again does not lose what was on the disk.
    private func torn(_ coin: inout Coin) -> [UInt8] {
        let length = coin.toss() ? content.count : shortened(&coin)
        return stride(from: 0, to: length, by: 4096).flatMap { start in
            let source = coin.toss() ? content : durableContent
            return (start..<min(start + 4096, length)).map { $0 < source.count ? source[$0] : 0 }
        }
    }

    private func shortened(_ coin: inout Coin) -> Int {
        guard coin.toss() else { return durableContent.count }
        let sizes = [content.count, durableContent.count].sorted()
        return Int.random(in: sizes[0]...sizes[1], using: &coin.generator)
    }
}
