import PhotoStore
import Platform

/// Checks a catalogue that an orderly stop vouched for, while it is in use.
///
/// When the first scans have ended, or when somebody waits for it. What it finds ends the daemon as damage does that is
/// met anywhere else.
final class CatalogueCheck: Sendable {
    private static let longestPause = Duration.seconds(10)

    private let library: PhotoLibrary
    private let fatal: FatalFailure
    private let ended = Monitor(true)

    init(library: PhotoLibrary, fatal: FatalFailure) { (self.library, self.fatal) = (library, fatal) }

    /// Starts the thread; `passed` is called on it, at once where nothing is owed.
    func start(passed: @escaping @Sendable () -> Void) {
        let inspection = library.inspection
        if inspection.hasPassed { return passed() }
        ended.update { $0 = false }
        NamedThread.start("albumd-check") { [self] in
            takeLongTurns()
            inspection.awaitWanted(within: CatalogueCheck.longestPause)
            do {
                try library.inspect()
                passed()
                giveBackFreedMemory()
            } catch {
                if !inspection.hasEnded { fatal.note(ofCatalogue: error) }
            }
            ended.update { $0 = true }
        }.detach()
    }

    /// Ends it, finished or not.
    ///
    /// Blocks.
    func stop() {
        library.inspection.end()
        ended.wait { $0 ? () : nil }
    }
}
