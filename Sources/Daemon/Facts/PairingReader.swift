import Importing
import Media

/// The reader of media for files that are being imported: a process of its own, so that no import waits for what is
/// read in the background.
struct PairingReader: Sendable {
    private let worker: MediaWorker

    init(uptime: @escaping @Sendable () -> Duration) {
        // What takes longer is read later, and is an asset of its own.
        worker = MediaWorker(patience: .seconds(5), uptime: uptime)
    }

    var port: FactsPort {
        FactsPort(
            read: { [worker] in worker.readFacts(of: $0, $1) }, readSidecar: { [worker] in worker.readSidecar($0) },
            rest: { [worker] in worker.rest() })
    }

    /// Ends what is being read, from any thread.
    func stop() { worker.stop() }
}
