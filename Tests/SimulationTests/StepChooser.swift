import EngineSupport
import PhotoModel
import Platform
import TestSupport

/// Draws the next step from what is there now.
struct StepChooser {
    private var random: SeededRandom
    private let plan: SimulationPlan
    private static let names =
        [
            "1.jpg", "2.jpg", "3.jpg", "a!b.jpg", "a.jpg", "\u{E9}.jpg", "e\u{301}.jpg", "-rf.jpg", "note.txt",
        ]
        .map { Array($0.utf8) } + [Array("J".utf8) + [0xF1] + Array(".jpg".utf8)]
    private static let sidecarNames = ["1.jpg.xmp", "2.xmp", "a.jpg.xmp", "a.xmp"].map { Array($0.utf8) }
    private static let directories = ["a", "a/b", "z", "a!b"]

    init(_ plan: SimulationPlan) {
        self.plan = plan
        random = SeededRandom(seed: plan.seed)
    }

    mutating func next(_ world: World) -> Step {
        if !world.unmounted.isEmpty { return whileUnmounted(world) }
        if world.isDown { return chance(30) ? act(world) : .start }
        if world.owesInspection, chance(15) { return .inspect }
        if plan.hasCloud, chance(10) { return cloud() }
        if chance(6) { return care(world) }
        if chance(plan.troubles) { return trouble() }
        switch pick(100) {
        case 0..<55: return act(world)
        case 55..<60: return person(world)
        case 60..<92: return .run(.milliseconds([1, 10, 150, 300, 1000, 2500, 5000, 12_000][pick(8)]))
        case 92..<95: return .flush
        case 95..<96: return .scan
        case 96..<98: return .settle
        case 98: return .unmount(folder(world))
        default: return .setClock(seconds: chance(20) ? 400 * 86_400 : Int64(pick(20_000)) - 10_000)
        }
    }

    /// Nothing but the engine works: the files are not where they were.
    private mutating func whileUnmounted(_ world: World) -> Step {
        if world.isDown { return .start }
        switch pick(10) {
        case 0..<3: return .run(.milliseconds([10, 2500, 70_000][pick(3)]))
        case 3: return .flush
        case 4, 5: return .scan
        case 6: return .crash(chance(50) ? .kill : .powerCut)
        case 7: return plan.isWatched ? .overflow : .scan
        default: return .mount
        }
    }

    private mutating func trouble() -> Step {
        let kind: CrashKind = chance(50) ? .kill : .powerCut
        switch pick(20) {
        case 0..<9:
            return .armCrash(kind, StepChooser.milestones[pick(StepChooser.milestones.count)], count: 1 + pick(3))
        case 9..<12: return .crash(kind)
        case 12: return stop()
        case 13, 14: return plan.isWatched ? .overflow : .scan
        case 15: return plan.isWatched ? .restartWatcher : .scan
        case 16: return .failSync(after: pick(4))
        case 17: return .failRead(after: pick(6))
        case 18: return .fillDisk
        default: return .freeDisk
        }
    }

    private mutating func stop() -> Step {
        switch pick(6) {
        case 0: .stop
        case 1, 2: .loseCatalogue
        case 3: .stopInOrder(damaging: nil, .lost)
        default: .stopInOrder(damaging: pick(1000), Damage.allCases[pick(Damage.allCases.count)])
        }
    }

    private mutating func cloud() -> Step {
        switch pick(10) {
        case 0..<4: .evict(pick(20))
        case 4..<6: .fetch(pick(20))
        case 6: .tierRound(keepLocal: chance(50) ? 20_000 : nil)
        default: .cloudFault(pick(World.cloudFaults.count))
        }
    }

    /// What a person does about the library itself, and what befalls it.
    private mutating func care(_ world: World) -> Step {
        switch pick(20) {
        case 0..<6: .undo(pick(12), putsBack: chance(60))
        case 6: .verify(isDeep: chance(50))
        case 7, 8: .repair
        case 9..<12: .damageOriginal(pick(1000), Damage.allCases[pick(Damage.allCases.count)])
        case 12: .damageJournal(pick(1000))
        case 13: .damageHistory(pick(1000))
        case 14..<17: anyFile(world).map { .erase($0) } ?? .repair
        default:
            .saveBytes(content: chance(70) ? pick(12) : 100 + pick(1_000_000), external: chance(70) ? pick(4) : nil)
        }
    }

    private static let milestones = Milestone.allCases

    private mutating func person(_ world: World) -> Step {
        guard let path = anyFile(world) else { return .run(.seconds(1)) }
        switch pick(20) {
        case 0..<7: return .takeOut(path)
        case 7..<11: return .putIn(path)
        case 11..<15: return .delete(path)
        case 15..<17: return .restore(pick(5))
        case 17, 18: return .purge(pick(5))
        default: return .confirm
        }
    }

    /// What other programs do.
    private mutating func act(_ world: World) -> Step {
        if let writer = world.writers.keys.sorted().first, chance(25) { return .finishWriting(writer) }
        guard let path = anyFile(world), !chance(35) else { return drop(world) }
        switch pick(20) {
        case 0..<4: return .write(path, content: content(path))
        case 4..<6: return .save(path, content: content(path))
        case 6..<11: return rename(path, world)
        case 11..<13: return newPath(world).map { .link($0, of: path) } ?? drop(world)
        case 13..<15: return .remove(path)
        case 15: return .touch(path)
        case 16..<18: return moveDirectory(world) ?? drop(world)
        default: return directory(world)
        }
    }

    private mutating func drop(_ world: World) -> Step {
        guard let path = newPath(world) else { return .run(.seconds(1)) }
        return chance(15) ? .beginWriting(path, content: content(path)) : .write(path, content: content(path))
    }

    /// Mostly to a free name; now and then over another file, or out of the folders and back.
    private mutating func rename(_ path: PathBytes, _ world: World) -> Step {
        if chance(15), let other = anyFile(world), other != path, !world.isLinked(path, other) {
            return .rename(path, to: other)
        }
        if chance(20) { return .rename(path, to: world.outside(pick(3), like: path)) }
        if chance(30), let away = world.filesOutside.first, let free = newPath(world) { return .rename(away, to: free) }
        return newPath(world).map { .rename(path, to: $0) } ?? .touch(path)
    }

    private mutating func directory(_ world: World) -> Step {
        let path = folder(world).appending(Array(StepChooser.directories[pick(StepChooser.directories.count)].utf8))
        guard !world.bench.tree.exists(path), world.isDirectory(path.directory) else { return .run(.milliseconds(500)) }
        return .makeDirectory(path)
    }

    private mutating func moveDirectory(_ world: World) -> Step? {
        let known = world.bench.tree.directories(below: folder(world))
        guard !known.isEmpty else { return nil }
        let from = known[pick(known.count)]
        let to = folder(world).appending(Array(StepChooser.directories[pick(StepChooser.directories.count)].utf8))
        guard !world.bench.tree.exists(to), world.isDirectory(to.directory), to != from, !to.isBelow(from),
            !world.hasWriter(below: from)
        else { return nil }
        return .rename(from, to: to)
    }

    private mutating func newPath(_ world: World) -> PathBytes? {
        let folder = folder(world)
        let places = [folder, folder] + world.bench.tree.directories(below: folder)
        let path = places[pick(places.count)].appending(name())
        return world.bench.tree.exists(path) ? nil : path
    }

    private mutating func name() -> [UInt8] {
        let names = plan.hasSidecars && chance(25) ? StepChooser.sidecarNames : StepChooser.names
        return names[pick(names.count)]
    }

    private mutating func anyFile(_ world: World) -> PathBytes? {
        let files = world.quietFiles
        return files.isEmpty ? nil : files[pick(files.count)]
    }

    private mutating func folder(_ world: World) -> PathBytes { world.folders[chance(65) ? 0 : 1] }

    /// Mostly a few contents, so that duplicates come; text under a text's name, and sidecars under theirs.
    private mutating func content(_ path: PathBytes) -> Int {
        if path.name.bytes.suffix(4).elementsEqual(".txt".utf8) { return -1 - pick(5) }
        if path.name.bytes.suffix(4).elementsEqual(".xmp".utf8) { return World.firstSidecar + pick(4) }
        return chance(70) ? pick(12) : 100 + pick(1_000_000)
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private mutating func chance(_ percent: Int) -> Bool { pick(100) < percent }
}
