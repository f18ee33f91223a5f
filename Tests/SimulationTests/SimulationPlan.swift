import EngineSupport
import PhotoModel
import Platform
import TestSupport

/// What kind of world a seed makes: drawn once, before the first step.
struct SimulationPlan: Sendable {
    let seed: UInt64
    var stepCount = 200
    /// False where inotify is off.
    var isWatched: Bool
    var manners = WatcherManners()
    /// Whether the second folder is emptied by the import.
    var movesCards: Bool
    var isTree: Bool
    /// Whether deletions in the first folder are followed.
    var mirrors: Bool
    /// Whether a deleted asset's file in the first folder is removed.
    var removesDeleted: Bool
    /// Whether originals go to a cloud and come back.
    var hasCloud: Bool { seed.isMultiple(of: 3) }
    /// Whether what pictures say of themselves is read while they are imported.
    var reads: Bool { seed.isMultiple(of: 2) }
    /// Whether there are files that speak of others.
    var hasSidecars: Bool { seed % 4 < 2 }
    var disk = SimulatedSettings()
    /// Of a hundred steps, so many are a crash or a fault.
    var troubles = 8

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed &* 0x9E37_79B9)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        self.seed = seed
        isWatched = chance(80)
        manners.delay = chance(50) ? .milliseconds(Int.random(in: 1...3000, using: &random)) : .zero
        manners.duplicates = chance(50) ? 20 : 0
        manners.losses = chance(40) ? 10 : 0
        movesCards = chance(30)
        isTree = chance(30)
        mirrors = chance(50)
        removesDeleted = chance(25)
        disk.canClone = chance(30)
        disk.hasLeases = chance(80)
        disk.hasHandles = chance(80)
        disk.reusesInodes = chance(50)
        disk.listsKinds = chance(80)
        disk.syncsWhole = chance(70)
    }
}
