import Glibc
import PhotoModel
import PhotoStore
import Platform

/// What the library's disk does not take: one original alone, or everything for now.
extension ImportEngine {
    /// Their bytes could not be given their place in the library: these wait, and no others.
    func refuse(_ candidates: [Candidate], _ refused: [SourceKey: FileError]) throws {
        var failed: [(candidate: Candidate, source: Source)] = []
        for candidate in candidates {
            guard let error = refused[candidate.key] else { continue }
            machine.log(.error, "an original cannot be stored: \(error)", ["path": printable(candidate.key.path.bytes)])
            let why = "its original cannot be given its place in the library: \(error.ofLibrary)"
            later(candidate, .ioError, why, .backOff, into: &failed)
        }
        for (_, source) in failed { try conclude(source, now: machine.uptime()) }
    }

    /// Nil for what is not the disk's refusal.
    func refusal(_ error: any Error) -> FileError? {
        switch error {
        case let error as FileError: error
        case LibraryError.readOnly: FileError(code: EROFS, verb: "\(error)")
        default: PhotoLibrary.refusal(error)
        }
    }

    /// Every import waits; told once for each pause.
    func beginPause(_ reason: Reason, _ why: String, now: Duration) -> Duration {
        if pause.until <= now { machine.log(.error, "imports are paused: \(why)", [:]) }
        return pause.begin(reason, why, now: now)
    }

    /// What may not be read is logged once an hour for each directory (RULES R14).
    func logDenied(_ key: SourceKey, _ error: FileError?) {
        let directory = SourceKey(folder: key.folder, path: key.path.directory)
        let now = machine.uptime()
        guard denied[directory].map({ now - $0 >= .seconds(3600) }) ?? true else { return }
        denied = denied.filter { now - $0.value < .seconds(3600) }
        denied[directory] = now
        let root = folder(of: key.folder)?.path ?? PathBytes([])
        machine.log(
            .warning,
            "albumd may not read \(error.map { "what lies there: \($0)" } ?? "a file"); albumctl folder check says what mends that",
            ["path": printable(root.appending(key.path.bytes).bytes)])
    }

    func giveBack(_ candidates: [Candidate], _ reason: Reason, because why: String) {
        let now = machine.uptime()
        let pause = beginPause(reason, why, now: now)
        for candidate in candidates {
            board.update { $0.giveBack(candidate.key, reason: reason, detail: why, after: pause, now: now) }
        }
    }
}

/// Whose bytes were refused, and why.
func refusals(of sources: [StagedSource], _ refused: [ContentHash: FileError]) -> [SourceKey: FileError] {
    let keys = sources.compactMap { source in refused[source.staged.content.hash].map { (source.key, $0) } }
    return Dictionary(keys, uniquingKeysWith: { first, _ in first })
}

extension Reason {
    /// Why the library's disk takes nothing.
    init(ofDisk error: FileError) {
        self = error.isReadOnly ? .libraryReadOnly : error.lack
    }
}
