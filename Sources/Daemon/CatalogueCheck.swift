import PhotoModel
import PhotoStore
import Platform

/// Checks a catalogue that an orderly stop vouched for, while it is in use, and then, after any start, whether every
/// original has its size.
///
/// When the first scans have ended, or when somebody waits for it. What it finds of the catalogue ends the daemon as
/// damage does that is met anywhere else.
final class CatalogueCheck: Sendable {
    private static let longestPause = Duration.seconds(10)

    private enum Turn {
        case waiting
        case wanted
        case ending
    }

    private let library: PhotoLibrary
    private let readers: LibraryReaders
    private let knownFaults: KnownFaults
    private let fatal: FatalFailure
    private let turn = Monitor(Turn.waiting)
    private let ended = Monitor(true)

    init(library: PhotoLibrary, readers: LibraryReaders, knownFaults: KnownFaults, fatal: FatalFailure) {
        (self.library, self.readers, self.knownFaults, self.fatal) = (library, readers, knownFaults, fatal)
    }

    /// Starts the thread; `passed` is called on it, at once where nothing is owed.
    func start(passed: @escaping @Sendable () -> Void) {
        let isOwed = !library.inspection.hasPassed
        if !isOwed { passed() }
        ended.update { $0 = false }
        NamedThread.start("albumd-check") { [self] in
            takeLongTurns()
            if !isOwed || inspect() {
                if isOwed { passed() }
                turn.wait(for: CatalogueCheck.longestPause) { $0 == .waiting ? nil : () }
                checkSizes()
                giveBackFreedMemory()
            }
            ended.update { $0 = true }
        }.detach()
    }

    /// The first scans have ended: the machine has time.
    func want() {
        turn.update { if $0 == .waiting { $0 = .wanted } }
        library.inspection.want()
    }

    /// Ends it, finished or not.
    ///
    /// Blocks.
    func stop() {
        turn.update { $0 = .ending }
        library.inspection.end()
        ended.wait { $0 ? () : nil }
    }

    private func inspect() -> Bool {
        library.inspection.awaitWanted(within: CatalogueCheck.longestPause)
        do {
            try library.inspect()
            return true
        } catch {
            if !library.inspection.hasEnded { fatal.note(ofCatalogue: error) }
            return false
        }
    }

    private func checkSizes() {
        let check = SizeCheck(library) { [readers] after in
            try readers.readNow { try $0.contents(after: after, limit: 500) }
        }
        do {
            try check.run(isEnding: { turn.update { $0 == .ending } }) { finding in
                knownFaults.note(finding)
                library.machine.log(
                    .error, finding.sentence, ["original": printable(finding.version.content.path.bytes)])
            }
        } catch {
            fatal.note(ifCatalogueFailed: error)
            library.machine.log(.error, "the sizes of the originals could not be looked at: \(error)")
        }
    }
}
