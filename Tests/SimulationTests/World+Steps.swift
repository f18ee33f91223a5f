import Cloud
import EngineSupport
import FoundationEssentials
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport

extension World {
    func perform(_ step: Step) throws {
        trace.note("\(step)")
        forgetErasures()
        switch step {
        case .write, .beginWriting, .finishWriting, .save, .rename, .link, .remove, .makeDirectory, .touch:
            try withRoom { try act(step) }
        case .takeOut(let path): try person(path, isOut: true)
        case .putIn(let path): try person(path, isOut: false)
        case .delete(let path): try delete(path)
        case .restore(let number): try withTrashed(number) { change, asset in try change.restore([asset]) }
        case .purge(let number): try purge(number)
        case .confirm: try confirm()
        case .undo(let number, let putsBack): try undo(number, putsBack: putsBack)
        case .erase(let path): try erase(path)
        case .saveBytes(let content, let external): try save(content: content, external: external)
        case .verify(let isDeep): try verify(isDeep: isDeep)
        case .repair: try repair()
        case .damageOriginal(let number, let damage): try damageOriginal(number, damage)
        case .damageJournal(let number): try damageJournal(number)
        case .damageHistory(let number): try damageHistory(number)
        case .unmount(let folder): try unmount(folder)
        case .mount: try mount()
        case .run(let time): try engineRuns { try bench.run(for: time) }
        case .flush: try flush()
        case .scan: try engineRuns { try bench.scan() }
        case .settle: try settle()
        case .armCrash(let kind, let milestone, let count): bench.crashes.arm(kind, at: milestone, count: count)
        case .crash(let kind): crash(kind)
        case .stop: end()
        case .stopInOrder(let number, let damage): try stopInOrder(damaging: number, damage)
        case .start: start()
        case .inspect: try inspect()
        case .loseCatalogue: try loseCatalogue()
        case .evict(let number):
            try withOriginal(number) { tier, content in try tier.evict(content, requestedBy: .person) }
        case .fetch(let number):
            try withOriginal(number) { tier, content in try tier.fetch(content, requestedBy: .person) }
        case .tierRound(let limit): try goRound(keepLocal: limit)
        case .cloudFault(let number): cloud?.store.faults = World.cloudFaults[number]
        case .overflow: bench.watcher.overflow()
        case .restartWatcher: bench.watcher.restart()
        case .setClock(let seconds): jump(by: seconds)
        case .failSync(let skipped): bench.simulation.files.failNext(.sync, EIO, skipping: skipped)
        case .failRead(let skipped): bench.simulation.files.failNext(.read, EIO, skipping: skipped)
        case .fillDisk: try fillDisk()
        case .freeDisk: bench.simulation.files.configure { $0.capacity = 1 << 40 }
        }
    }

    private func crash(_ kind: CrashKind) {
        guard !isDown else { return }
        bench.crashes.crash(kind)
        end()
    }

    /// What the journal had all of comes back (RULES R49), crashes meanwhile or not.
    private func loseCatalogue() throws {
        // The journal is to have all of it.
        guard !damage.isJournalDamaged, !damage.isHistoryDamaged, try engineRuns({}) else { return }
        end()
        let path = String(decoding: bench.libraryPath, as: UTF8.self) + "/catalogue.sqlite"
        let before = try dumpCatalogue(at: path, vfs: bench.vfsName).filter(isJournaled)
        try bench.removeCatalogue()
        start()
        guard !isDown else { return }
        let after = try dumpCatalogue(at: path, vfs: bench.vfsName).filter(isJournaled)
        // What the start itself found is news.
        let isNews = Set(after).subtracting(before).contains { $0.hasPrefix("history: ") }
        if !isNews, let difference = firstDifference(before, after) {
            throw Violation(rule: "R49", "the rebuilt catalogue differs: \(difference)")
        }
    }

    /// To an odd nanosecond, so that no time comes twice.
    private func jump(by seconds: Int64) {
        let now = Int64(bench.machine.now().timeIntervalSince1970 * 1_000_000) * 1000
        bench.simulation.setWallClock(now + seconds * 1_000_000_000 + Int64(trace.lines.count))
    }

    private func fillDisk() throws {
        let root = try bench.simulation.files.openDirectory(Array("/".utf8))
        let free = try bench.simulation.files.fileSystem(of: root).freeBytes
        bench.simulation.files.configure { $0.capacity -= free - 4096 }
    }

    /// The programs' own files lie on a disk that has room.
    func withRoom(_ body: () throws -> Void) throws {
        let capacity = bench.simulation.files.settings.capacity
        bench.simulation.files.configure { $0.capacity = 1 << 41 }
        defer { bench.simulation.files.configure { $0.capacity = capacity } }
        try body()
    }

    private func act(_ step: Step) throws {
        switch step {
        case .write(let path, let content): try write(path, bytes(content))
        case .beginWriting(let path, let content): try beginWriting(path, bytes(content))
        case .finishWriting(let path): try finishWriting(path)
        case .save(let path, let content): try save(path, bytes(content))
        case .rename(let from, let to): try rename(from, to)
        case .link(let path, let existing):
            try bench.link(path, of: existing)
            otherNamesChange(of: path)
        case .remove(let path):
            otherNamesChange(of: path)
            try bench.remove(path)
        case .makeDirectory(let path): try bench.makeDirectory(path)
        case .touch(let path):
            try bench.touch(path, modified: Int64(trace.lines.count))
            unsignalled.formUnion(bench.tree.links(of: path))
        default: break
        }
    }

    /// Contents from here on are sidecars.
    static let firstSidecar = 10_000_000

    func bytes(_ content: Int) -> [UInt8] {
        if content >= World.firstSidecar { return SampleMedia.sidecar(content) }
        return content < 0
            ? SampleMedia.text(-content) : SampleMedia.picture(content, byteCount: 50 + content * 7919 % 9000)
    }

    private func write(_ path: PathBytes, _ bytes: [UInt8]) throws {
        try bench.write(path, bytes)
        changed(path)
    }

    /// Said of the name that was used; the other names of the file are told by nobody.
    private func changed(_ path: PathBytes) {
        noteClosed(path)
        unsignalled.remove(path)
        unsignalled.formUnion(bench.tree.links(of: path))
    }

    private func beginWriting(_ path: PathBytes, _ bytes: [UInt8]) throws {
        let half = bytes.count / 2
        try bench.write(path, Array(bytes.prefix(half)), isClosed: false)
        writers[path] = (try bench.program.openWriter(path.bytes), Array(bytes.dropFirst(half)))
        // Without leases a long rest is taken for the end (R16d).
        if !plan.disk.hasLeases { noteClosed(path) }
    }

    private func finishWriting(_ path: PathBytes) throws {
        guard let writer = writers.removeValue(forKey: path), let half = bench.tree.bytes(at: path) else { return }
        try bench.write(path, half + writer.rest)
        try bench.program.closeWriter(writer.descriptor)
        changed(path)
    }

    /// The file has a new status under its other names, too, and nobody tells of those.
    func otherNamesChange(of path: PathBytes) { unsignalled.formUnion(bench.tree.links(of: path)) }

    private func save(_ path: PathBytes, _ bytes: [UInt8]) throws {
        let partial = path.directory.appending(Array("saving.part".utf8))
        try bench.write(partial, bytes)
        otherNamesChange(of: path)
        try bench.rename(partial, to: path)
        noteClosed(path)
        unsignalled.remove(path)
    }

    private func rename(_ from: PathBytes, _ to: PathBytes) throws {
        guard bench.tree.exists(from), !isLinked(from, to) || bench.tree.files[to] == nil else { return }
        otherNamesChange(of: from)
        otherNamesChange(of: to)
        try bench.rename(from, to: to)
        unsignalled.subtract([from, to])
    }

    /// A person acts by the API, on the asset that a path is mapped to, in the album of its folder.
    private func person(_ path: PathBytes, isOut: Bool) throws {
        guard !isDown, let (album, asset) = try membership(of: path) else { return }
        try engineRuns {
            let request: ChangeRequest =
                isOut
                ? .removeAssets(AlbumRemoval(album: album, assets: [asset], removedBy: .person))
                : .addAssets(AlbumAddition(album: album, assets: [asset], addedBy: .person))
            try bench.perform(request)
        }
    }

    func membership(of path: PathBytes) throws -> (album: LocalIdentifier, asset: LocalIdentifier)? {
        guard let key = try bench.key(path), let asset = try bench.catalogue().source(key)?.localIdentifier,
            let rule = bench.rules.first(where: { path.isBelow(PathBytes($0.path)) })
        else { return nil }
        let albums = AlbumRule(folder: key.folder, rule: rule)
        let binding = try bench.catalogue().albumBinding(
            folder: key.folder, directory: albums.directory(of: key.path))
        guard let album = binding?.album, try bench.catalogue().hasAlbum(album) else { return nil }
        return (album, asset)
    }
}
