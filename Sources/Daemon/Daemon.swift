import Cloud
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

/// The daemon from its arguments to its exit code.
package enum Daemon {
    /// Runs until it is told to stop.
    ///
    /// Returns the exit code (sysexits.h).
    package static func run(arguments: [[UInt8]]) async -> Int32 {
        let options: Options
        do throws(Options.Mistake) {
            options = try Options(arguments)
        } catch {
            return end(EX_USAGE, error.text)
        }
        do {
            return try await run(options)
        } catch let error as ConfigurationError {
            return end(EX_CONFIG, error.description)
        } catch {
            return end(exitCode(of: error), options.completing(sentence(of: error)))
        }
    }

    private static func run(_ options: Options) async throws -> Int32 {
        switch options.action {
        case .help: write(Options.help, to: STDOUT_FILENO)
        case .version: write("albumd \(Release.version)\n", to: STDOUT_FILENO)
        case .checkConfiguration: try check(options)
        case .rebuildLibrary: try rebuild(options)
        case .restoreFromCloud: return try restore(options)
        case .run: return try await serve(options)
        }
        return 0
    }

    private static func check(_ options: Options) throws {
        let places = try ConfigurationPlaces.current()
        write(try ConfigurationCheck(options.configuration, at: places).text, to: STDOUT_FILENO)
    }

    private static func rebuild(_ options: Options) throws {
        umask(0o077)
        let places = try ConfigurationPlaces.current()
        let configuration = try Configuration.load(options.configuration, at: places)
        var rebuild = PhotoLibrary.RebuildOptions()
        (rebuild.isDryRun, rebuild.isPartial) = (options.isDryRun, options.isPartial)
        let machine = Machine.live(log: .standardError(minimum: .warning))
        let command = RebuildCommand(
            library: configuration.library, options: rebuild, isJSON: options.isJSON, machine: machine,
            elsewhere: RebuildCommand.changes(inCloudOf: configuration, machine: machine))
        let (text, refusal) = try command.run()
        write(text, to: STDOUT_FILENO)
        if let refusal { throw refusal }
    }

    /// 3 where not everything came back.
    private static func restore(_ options: Options) throws -> Int32 {
        umask(0o077)
        let places = try ConfigurationPlaces.current()
        let command = RestoreCommand(
            configuration: try Configuration.load(options.configuration, at: places), isPartial: options.isPartial,
            isJSON: options.isJSON, machine: .live(log: .standardError(minimum: .error)))
        let (text, isWhole) = try command.run()
        write(text, to: STDOUT_FILENO)
        return isWhole ? 0 : 3
    }

    private static func serve(_ options: Options) async throws -> Int32 {
        // Before any thread starts: no socket or file of ours is ever open to others for a moment (RULES R47).
        umask(0o077)
        keepMemorySmall()
        raiseDescriptorLimit()
        let places = try ConfigurationPlaces.current()
        let configuration = try Configuration.load(options.configuration, at: places)
        let inherited = try ServiceSockets.takeControlSocket()
        let signals = Signals()
        let log =
            Log.isJournalConnected
            ? Log.journal(atLeast: configuration.logLevel) : Log.standardError(minimum: configuration.logLevel)
        let running = try RunningDaemon(
            configuration: configuration, inherited: inherited, rebuilding: options.rebuilding(),
            machine: Machine.live(log: log),
            load: { () throws(ConfigurationError) in try Configuration.load(options.configuration, at: places) })
        return await running.serve(until: signals)
    }

    /// As many descriptors as the hard limit allows: a batch has two for each of its files.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 8192)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static func exitCode(of error: any Error) -> Int32 {
        switch error {
        case is ConfigurationError: EX_CONFIG
        case LibraryError.inUse: EX_UNAVAILABLE
        // Not for a person alone to mend: the service manager tries again.
        case LibraryError.fileSystemReadOnly, LibraryError.directoryRemoved, LibraryError.originalsGone:
            EX_IOERR
        case is LibraryError, is MirrorError: EX_CONFIG
        case is ObjectStoreError: EX_UNAVAILABLE
        case is MigrationError: EX_CONFIG
        case ControlServerError.alreadyServed: EX_UNAVAILABLE
        case is ControlServerError: EX_CONFIG
        case is DatabaseError, is FileError: EX_IOERR
        default: EX_SOFTWARE
        }
    }

    /// What mends it is said where a disk is at fault.
    static func sentence(of error: any Error) -> String {
        let problem =
            (error as? FileError).flatMap { Problem(ofDisk: $0) }
            ?? (error as? DatabaseError).flatMap { Problem(ofDisk: $0) }
        return (problem?.fix ?? fixOfRestore(error)).map { "\(error); \($0)" } ?? "\(error)"
    }

    private static func end(_ code: Int32, _ message: String) -> Int32 {
        write("albumd: \(message)\n", to: STDERR_FILENO)
        return code
    }

    /// Not through stdio, which is not Sendable.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
