import EngineSupport
import PhotoModel
import Platform

/// One thing that happens in a simulated run.
///
/// Everything it needs is in it, so that a list of steps is the run.
enum Step: Sendable {
    /// Written and closed: a new file, or the same one in place.
    case write(PathBytes, content: Int)
    /// The first half is written, and the writer keeps the file open.
    case beginWriting(PathBytes, content: Int)
    /// The rest comes, and the file is closed.
    case finishWriting(PathBytes)
    /// Written under a partial name, then renamed over whatever stands there.
    case save(PathBytes, content: Int)
    case rename(PathBytes, to: PathBytes)
    case link(PathBytes, of: PathBytes)
    case remove(PathBytes)
    case makeDirectory(PathBytes)
    case touch(PathBytes)
    /// A person takes what this path is mapped to out of its folder's album, or puts it in.
    case takeOut(PathBytes)
    case putIn(PathBytes)
    /// A person deletes what this path is mapped to, or acts on the nth asset of Recently Deleted.
    case delete(PathBytes)
    case restore(Int)
    case purge(Int)
    /// A person confirms what waits for that.
    case confirm
    /// A person undoes the nth newest change, and has files put back that albumd had removed.
    case undo(Int, putsBack: Bool)
    /// A person asks whether the file may be erased, and erases it then.
    case erase(PathBytes)
    /// A person saves a content by command, under the nth identifier of their own.
    case saveBytes(content: Int, external: Int?)
    case verify(isDeep: Bool)
    case repair
    /// The nth original, line of the journal or change of the catalogue's history is damaged.
    case damageOriginal(Int, Damage)
    case damageJournal(Int)
    case damageHistory(Int)
    /// The folder's volume goes, and an empty directory is left; and comes back.
    case unmount(PathBytes)
    case mount

    case run(Duration)
    case flush
    case scan
    /// Every file is to have its outcome now, and everything is checked.
    case settle

    /// The engine dies where it next reaches the point for the nth time.
    case armCrash(CrashKind, Milestone, count: Int)
    case crash(CrashKind)
    case stop
    /// As the daemon ends by itself; then, where it is given, the nth original is damaged before the next start.
    case stopInOrder(damaging: Int?, Damage)
    case start
    /// The check that a start owes after that is made.
    case inspect
    /// The engine stops, and somebody removes its catalogue.
    case loseCatalogue

    /// The nth original goes to the cloud, or comes back; the tier goes round, with or without room on the disk.
    case evict(Int)
    case fetch(Int)
    case tierRound(keepLocal: Int64?)
    /// The cloud misbehaves in the nth way; zero is not at all.
    case cloudFault(Int)

    case overflow
    case restartWatcher
    /// The wall clock jumps.
    case setClock(seconds: Int64)
    case failSync(after: Int)
    case failRead(after: Int)
    case fillDisk
    case freeDisk
}

extension Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .write(let path, let content): "write \(show(path)) content \(content)"
        case .beginWriting(let path, let content): "begin writing \(show(path)) content \(content)"
        case .finishWriting(let path): "finish writing \(show(path))"
        case .save(let path, let content): "save \(show(path)) content \(content)"
        case .rename(let from, let to): "rename \(show(from)) to \(show(to))"
        case .link(let path, let existing): "link \(show(path)) of \(show(existing))"
        case .remove(let path): "remove \(show(path))"
        case .makeDirectory(let path): "make directory \(show(path))"
        case .touch(let path): "touch \(show(path))"
        case .takeOut(let path): "a person takes \(show(path)) out"
        case .putIn(let path): "a person puts \(show(path)) in"
        case .delete(let path): "a person deletes \(show(path))"
        case .restore(let number): "a person restores number \(number)"
        case .purge(let number): "a person purges number \(number)"
        case .confirm: "a person confirms"
        case .undo(let number, let putsBack): "a person undoes change -\(number)\(putsBack ? ", files put back" : "")"
        case .erase(let path): "a person erases \(show(path)) if that is safe"
        case .saveBytes(let content, let external):
            "a person saves content \(content) as \(external.map { "phone:\($0)" } ?? "nothing of theirs")"
        case .verify(let isDeep): "verify\(isDeep ? " deep" : "")"
        case .repair: "repair"
        case .damageOriginal(let number, let damage): "original number \(number) is \(damage)"
        case .damageJournal(let number): "line \(number) of the journal is damaged"
        case .damageHistory(let number): "change \(number) of the history is damaged"
        case .unmount(let path): "\(show(path)) is unmounted"
        case .mount: "all is mounted"
        case .run(let time): "run for \(time)"
        case .armCrash(let kind, let milestone, let count): "arm \(kind) at \(milestone.rawValue), time \(count)"
        case .crash(let kind): "\(kind)"
        case .setClock(let seconds): "the clock jumps by \(seconds) s"
        case .failSync(let skipped): "a sync fails after \(skipped)"
        case .failRead(let skipped): "a read fails after \(skipped)"
        case .flush: "flush"
        case .scan: "scan"
        case .settle: "settle"
        case .stop: "stop"
        case .stopInOrder(let number, let damage):
            "stop in order\(number.map { ", and original number \($0) is \(damage)" } ?? "")"
        case .start: "start"
        case .inspect: "the catalogue is checked"
        case .loseCatalogue: "the catalogue is lost"
        case .evict(let number): "original number \(number) is evicted"
        case .fetch(let number): "original number \(number) is fetched"
        case .tierRound(let limit): "the tier goes round, keeping \(limit.map(String.init) ?? "all")"
        case .cloudFault(let number): "the cloud misbehaves in way \(number)"
        case .overflow: "overflow"
        case .restartWatcher: "the watcher restarts"
        case .fillDisk: "the disk is full"
        case .freeDisk: "the disk has room"
        }
    }

    private func show(_ path: PathBytes) -> String { printable(path.bytes) }
}
