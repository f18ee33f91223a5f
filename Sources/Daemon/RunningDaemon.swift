import Control
import ControlServer
import FoundationEssentials
import Glibc
import Importing
import Media
import PhotoModel
import PhotoStore
import Platform
import SQLite
import Synchronization

/// Everything that runs, put together in the order in which it may fail: lock and library, socket, services.
final class RunningDaemon: Sendable {
    private let service: LibraryService
    private let server: ControlServer
    private let background: BackgroundVerify
    private let check: CatalogueCheck
    /// Reads what the pairing of files depends on while they are imported.
    private let pairing: PairingReader
    private let notifier = ServiceNotifier()
    private let machine: Machine
    private let failure: FatalFailure
    private let isEnding = Monitor(false)
    private let beatThread = BlockingPool(name: "albumd-beat", threadCount: 1)

    init(
        configuration: Configuration, inherited: Int32?, rebuilding: String, machine: Machine,
        load: @escaping @Sendable () throws(ConfigurationError) -> Configuration
    ) throws {
        let courtesy = Courtesy(uptime: machine.uptime)
        var machine = machine
        machine.giveWay = courtesy.giveWay
        self.machine = machine
        let failure = FatalFailure()
        self.failure = failure
        // Both files are read again at the end; what is wrong in them now is said before anything is touched.
        let whole = try configuration.adding(FoldersFile(besideLibrary: configuration.library))
        try whole.checkFolders()
        let socket = String(decoding: configuration.socket, as: UTF8.self)
        // A daemon that is refused has made no library.
        if inherited == nil { try patiently(machine) { try ControlSocket.requireFree(socket) } }
        try requireLibraryOfFolders(whole, machine: machine)
        let executor = ThreadExecutor(name: "albumd-library")
        let progress: RebuildProgress = { [notifier] done, all in
            notifier.status("rebuilding the catalogue: \(done) of \(counted(all, "change"))")
        }
        let library = try notifier.extendingTimeout {
            try patiently(machine) {
                try PhotoLibrary.open(configuration.library, machine: machine, executor: executor, progress: progress)
            }
        }
        let recovery = library.onThread { $0.recovery }
        let importing = ImportService(machine: machine)
        pairing = PairingReader(uptime: machine.uptime)
        let listener =
            try inherited.map { (descriptor: Int32) throws(ControlServerError) in try ControlSocket.adopt(descriptor) }
            ?? patiently(machine) { try ControlSocket.make(at: socket, group: clientsGroup()) }
        // A directory of the daemon's own, for the watcher's cookies.
        let cookies = PathBytes(configuration.socket).directory.appending(Array("cookies".utf8))
        let watcher = try FolderWatcher(machine: machine, cookieDirectory: cookies.bytes) { importing.post(.watch($0)) }
        let readers = try LibraryReaders(of: library, count: 2)
        let (cloud, cloudFailure) = try CloudService.open(
            configuration.cloud, library: library, readers: readers, machine: machine)
        let rules = FolderRules(
            library: configuration.library, socket: configuration.socket, cloud: configuration.cloud, load: load,
            applyCloud: { cloud?.adopt($0) }
        ) { importing.setFolders($0) }
        let knownFaults = KnownFaults(of: library.directory, machine: machine)
        let service = LibraryService(
            library: library, readers: readers, importing: importing,
            watcher: watcher, journal: JournalService(machine: machine, fatal: failure),
            snapshots: SnapshotService(machine: machine, fatal: failure), uploads: Uploads(machine: machine),
            verification: Verification(machine: machine), cloud: cloud, cloudFailure: cloudFailure,
            facts: FactsService(
                library: library, readers: readers, reader: FactsReader(MediaWorker(uptime: machine.uptime)),
                tier: cloud?.tier, fatal: failure),
            recogniser: try MediaRecogniser(), folderRules: rules, recovery: recovery,
            knownOrphans: Orphans([]), knownFaults: knownFaults, rebuilding: rebuilding,
            fatal: failure, machine: machine,
            access: AccessRule(owner: geteuid(), readers: socketGroup(of: listener, path: socket)),
            started: machine.uptime(), pool: BlockingPool(name: "albumd-work", threadCount: 4))
        self.service = service
        check = CatalogueCheck(library: library, readers: readers, knownFaults: knownFaults, fatal: failure)
        background = BackgroundVerify(
            library: library, readers: service.readers, verification: service.verification,
            knownFaults: knownFaults, machine: machine, fatal: failure)
        var limits = Limits()
        limits.largeBodyPaths = Set(
            [Operation.performChanges, .checkSafety, .releaseSources].map(\.route.path))
        limits.uploadPaths = [Operation.upload.route.path]
        server = try ControlServer(
            listening: listener, limits: limits, uptime: machine.uptime, log: machine.log,
            respond: { await service.respond($0) }, upload: { await service.acceptUpload($0) }, courtesy: courtesy)
    }

    /// Says READY, then works until a signal; returns the exit code.
    func serve(until signals: Signals) async -> Int32 {
        failure.whenNoted { [importing = service.importing] in
            importing.requestStop()
            signals.stop()
        }
        do { try start() } catch { failure.note(error) }
        notifier.ready("watching \(counted(service.importing.status.folders.count, "folder"))")
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followFeed() }
            group.addTask { await self.beat() }
            for await signal in signals.stream {
                if signal == .stop { break }
                await self.reload()
            }
            // In this order: a beat that is woken and not yet cancelled would go round without a pause, and fill the
            // service manager's socket, on which it then blocks for ever if nobody reads.
            group.cancelAll()
            isEnding.update { $0 = true }
        }
        return await stop()
    }

    private func start() throws {
        try service.journal.start(library: service.library)
        try service.snapshots.start(library: service.library)
        if let rebuilt = service.recovery.rebuilt { machine.log(.warning, rebuilt.sentence) }
        let watcher = service.watcher
        let port = WatchPort(
            addFolder: { id, root, ignoring in watcher.addFolder(id, root: root, ignoring: ignoring) },
            removeFolder: { watcher.removeFolder($0) }, dropCookie: { watcher.dropCookie($0) })
        try service.importing.start(
            library: service.library, recogniser: service.recogniser, watch: port, facts: pairing.port,
            failed: { self.note($0) })
        try service.folderRules.reload()
        background.start()
        check.start { [service] in
            service.noteOrphans()
            service.importing.post(.catalogueChecked)
            service.cloud?.start()
            service.facts.start()
        }
        service.importing.whenFirstScansEnd { [check] in check.want() }
        machine.log(
            .notice, "albumd \(Release.version) is ready",
            ["library": printable(service.library.directory.path)])
    }

    /// What ends the engine; a row that breaks its format is the check's to tell, where that is still to come.
    private func note(_ error: any Error) {
        if error is LibraryError, !service.library.inspection.awaitPass() { return }
        failure.note(error)
    }

    private func followFeed() async {
        for await token in service.library.feed.tokens() {
            service.journal.noticed(token)
            service.facts.wake()
        }
    }

    /// Keeps the watchdog quiet and the status line true; both come from the control loop alone (RULES R52).
    private func beat() async {
        let interval = ServiceNotifier.watchdogInterval().map { $0 / 2 } ?? .seconds(30)
        // What READY said holds for a moment, in which the first scans have the machine to themselves.
        notifier.alive()
        await pause(min(interval, .seconds(1)))
        while !Task.isCancelled {
            do { notifier.status(try await service.status().summary) } catch { _ = service.problem(error) }
            notifier.alive()
            await pause(interval)
        }
    }

    /// Waits for that long, or until the daemon ends.
    private func pause(_ interval: Duration) async {
        await withCheckedContinuation { continuation in
            beatThread.add { [isEnding] in
                isEnding.wait(for: interval) { $0 ? () : nil }
                continuation.resume()
            }
        }
    }

    private func reload() async {
        notifier.reloading()
        do {
            _ = try await service.pool.run { [service] in try service.folderRules.reload() }
            machine.log(.notice, "the configuration was read again")
        } catch {
            machine.log(.error, "the configuration was not taken over: \(error)")
        }
        notifier.ready(service.folderRules.failure?.what ?? "reloaded")
    }

    /// No new work, copies abandoned, what is begun committed, the log written back (RULES R51).
    private func stop() async -> Int32 {
        notifier.stopping("ending")
        check.stop()
        service.verification.requestStop()
        service.cloud?.requestStop()
        service.facts.requestStop()
        await server.stop()
        await service.watcher.stop()
        service.verification.stop()
        background.awaitEnd()
        service.cloud?.stop()
        service.facts.stop()
        // Blocks for at most one batch; nothing else runs any more. What pairs its files is read to the end, or halves of
        // one photo would be two for ever.
        service.importing.stop()
        pairing.stop()
        service.cloud?.bringLastHistory()
        service.journal.stop()
        service.snapshots.stop()
        service.readers.close()
        if let error = failure.error { service.library.doubtCatalogue(because: error) }
        guard let error = failure.error else {
            service.library.onThread { $0.closeInOrder() }
            return 0
        }
        service.library.onThread { $0.close() }
        let isConfiguration = error is ConfigurationError
        machine.log(
            isConfiguration ? .error : .fault,
            isConfiguration ? "\(error)" : "albumd ends, the next start decides from the disk: \(error)")
        return Daemon.exitCode(of: error)
    }
}
