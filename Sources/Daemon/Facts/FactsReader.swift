import Media
import Platform

/// Who reads what files say of themselves: `albumd-media`, or a test in its place.
struct FactsReader: Sendable {
    /// Of the reading, kept with what was read.
    var version = FactsReading.readerVersion
    /// Blocks, for half a minute at most.
    var read: @Sendable (OpenFile, MediaKind) -> FactsReading
    /// The same of an XMP sidecar.
    var readSidecar: @Sendable (OpenFile) -> FactsReading
    /// Lets go of the process until there is something to read again.
    var rest: @Sendable () -> Void
    /// Ends it, whatever it does, from any thread.
    var stop: @Sendable () -> Void
}

extension FactsReader {
    init(_ worker: MediaWorker) {
        self.init(
            read: { worker.readFacts(of: $0, $1) }, readSidecar: { worker.readSidecar($0) }, rest: { worker.rest() },
            stop: { worker.stop() })
    }
}
