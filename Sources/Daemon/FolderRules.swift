import Control
import FoundationEssentials
import Importing
import PhotoModel
import Platform
import Synchronization

/// The rules in force: the configuration's folders and those added by command, checked together and given to the engine.
final class FolderRules: Sendable {
    private struct State {
        var configured: [FolderRule] = []
        var added: [FolderRule] = []
        /// As the engine was given them.
        var given: [FolderRule]?
        /// Why the newest reload was not taken over.
        var failure: StatusProblem?
    }

    private let state = Mutex(State())
    /// Commands and reloads one after the other.
    private let turn = Mutex(())
    private let file: FoldersFile
    private let library: [UInt8]
    /// As the configuration had it at the start.
    private let socket: [UInt8]
    /// The same; what of it a reload takes over goes to `applyCloud`.
    private let cloud: CloudSettings
    private let load: @Sendable () throws(ConfigurationError) -> Configuration
    private let applyCloud: @Sendable (CloudSettings) -> Void
    private let apply: @Sendable ([FolderRule]) -> Void

    init(
        library: [UInt8], socket: [UInt8], cloud: CloudSettings = CloudSettings(),
        load: @escaping @Sendable () throws(ConfigurationError) -> Configuration,
        applyCloud: @escaping @Sendable (CloudSettings) -> Void = { _ in },
        apply: @escaping @Sendable ([FolderRule]) -> Void
    ) {
        file = FoldersFile(besideLibrary: library)
        self.library = library
        self.socket = socket
        self.cloud = cloud
        self.load = load
        self.applyCloud = applyCloud
        self.apply = apply
    }

    /// The paths that a command added, symlinks resolved as the engine has them.
    var addedPaths: Set<PathBytes> {
        Set(state.withLock { $0.added }.map { PathBytes(resolvedPath($0.path)) })
    }

    /// The rules that the engine was given; nil before the first.
    var given: [FolderRule]? { state.withLock { $0.given } }

    /// Why the newest reload was not taken over, line and column included; nil where it was.
    var failure: StatusProblem? { state.withLock { $0.failure } }

    /// Reads both files again and applies them.
    ///
    /// On an error everything stays as it was, and status says so until a reload succeeds.
    @discardableResult
    func reload() throws -> ReloadResult {
        try turn.withLock { _ in
            do {
                try takeOver()
            } catch {
                state.withLock { $0.failure = StatusProblem(notTakenOver: error) }
                throw error
            }
            return state.withLock { state in
                state.failure = nil
                return ReloadResult(folders: state.configured.count + state.added.count)
            }
        }
    }

    private func takeOver() throws {
        let configuration = try load()
        try requireSame(configuration)
        let (added, addedPlaces) = try file.loadPlaced()
        var places = configuration.pathPlaces
        places.add(addedPlaces)
        try adopt(configured: configuration.folders, added: added, places: places)
        applyCloud(configuration.cloud)
    }

    /// Refuses what only a new start can take over.
    private func requireSame(_ configuration: Configuration) throws(Problem) {
        guard let name = whatDiffers(configuration) else { return }
        throw .conflict(
            "configuration", "the \(name) cannot be changed while albumd runs", fix: "systemctl restart albumd")
    }

    private func whatDiffers(_ configuration: Configuration) -> String? {
        if configuration.library != library { return "library" }
        if configuration.socket != socket { return "socket" }
        if configuration.cloud.engine != cloud.engine { return "engine of the [cloud]" }
        let directories = [configuration.cloud, cloud].map { $0.directory(besideLibrary: library) }
        if cloud.engine != .none, directories[0] != directories[1] { return "directory of the [cloud]" }
        return configuration.cloud.seed == cloud.seed ? nil : "seed of the [cloud.simulator]"
    }

    /// Watches one more folder, and remembers it; one that is not there only where it `isOffline` by intention.
    func add(_ rule: FolderRule, isOffline: Bool = false) throws {
        try turn.withLock { _ in
            let (configured, added) = state.withLock { ($0.configured, $0.added) }
            if let refusal = folderRefusal(of: rule.path, configured: configured, added: added, library: library) {
                throw refusal
            }
            if !isOffline, let refusal = absence(of: rule.path) { throw refusal }
            // A file that is wrong already is told as such.
            _ = try file.load()
            do throws(ConfigurationError) { try file.add(rule) } catch { throw notWritten(error) }
            try adopt(configured: configured, added: added + [rule])
        }
    }

    /// Stops watching a folder that a command added; its assets and mappings stay.
    func remove(_ path: PathBytes) throws {
        try turn.withLock { _ in
            let (configured, added) = state.withLock { ($0.configured, $0.added) }
            // It may be named as it was added, or as `folder list` shows it.
            let real = resolvedPath(path.bytes)
            let rule = added.first { $0.path == path.bytes } ?? added.first { resolvedPath($0.path) == real }
            guard let rule, try file.remove(rule.path) else {
                let isConfigured = configured.contains { resolvedPath($0.path) == real }
                throw Problem.notFound(
                    "no command added '\(printable(path.bytes))'",
                    fix: isConfigured
                        ? "remove its [[folder]] from the configuration, then albumctl reload"
                        : "albumctl folder list shows the folders")
            }
            try adopt(configured: configured, added: added.filter { $0.path != rule.path })
        }
    }

    private func adopt(configured: [FolderRule], added: [FolderRule], places: PathPlaces = PathPlaces()) throws {
        let rules = try checked(configured + added, places)
        state.withLock { ($0.configured, $0.added, $0.given) = (configured, added, rules) }
        apply(rules)
    }

    /// Symlinked roots resolved once, and no folder within another or round the library.
    private func checked(_ rules: [FolderRule], _ places: PathPlaces) throws(ConfigurationError) -> [FolderRule] {
        try refuseOverlaps(of: rules.map(\.path), library: library, places: places)
        try refuseSocket(socket, in: rules.map(\.path), library: library, places: places)
        return rules.map { rule in
            var rule = rule
            rule.path = resolvedPath(rule.path)
            return rule
        }
    }
}

struct ReloadResult: Codable, Sendable {
    var folders: Int
}

extension StatusProblem {
    /// A configuration that is in the file and not in force.
    init(notTakenOver error: any Error) {
        let problem = error as? Problem
        let text = (problem?.detail ?? "\(error)").split(separator: "\n").joined(separator: "; ")
        let fix = (error as? ConfigurationError)?.fix ?? problem?.fix ?? "albumctl reload tries it again"
        self.init(what: "the configuration was not taken over, and the one before is in force: \(text)", fix: fix)
    }
}
