import Glibc
import Platform

/// The command line of `albumd`.
struct Options: Equatable {
    enum Action: Equatable {
        case run
        case checkConfiguration
        case rebuildLibrary
        case restoreFromCloud
        case version
        case help
    }

    var action = Action.run
    /// As given by `--config`, bytes.
    var configuration: [UInt8]?
    /// For `--rebuild-library`.
    var isDryRun = false
    /// For that and `restore`.
    var isPartial = false
    var isJSON = false

    static let help = """
        albumd - a photo library: files dropped into folders become assets of albums

        usage: albumd [--config FILE] [--check-config | --rebuild-library [--dry-run] [--partial] [--json]]
               albumd [--config FILE] restore --from-cloud [--partial] [--json]

          --config FILE     the configuration; /etc/albumd/albumd.toml where it is not given,
                            ~/.config/albumd/albumd.toml for a user's own albumd
          --check-config    say whether the configuration is right, and end
          --rebuild-library make the catalogue anew from the journal and, if need be, a snapshot, and end; a running
                            albumd has the library, so stop it first
          --dry-run         only say what a rebuild would do
          --partial         rebuild, or restore, although something is lost, and say what
          restore --from-cloud
                            make the library that the cloud has, and end: the store is the [cloud] of the
                            configuration, the library its `library`, which must not be there or be empty. Every
                            photo, identifier and album is back then, and its original stays in the cloud until
                            it is fetched (albumctl cloud fetch). One that was broken off goes on when it is
                            given again; a running albumd has the library, so stop it first
          --json            report the rebuild, or the restore, in JSON: of a restore lines that say how far it is,
                            the last of them {"end": …} with the report
          --version         print the version
          --help            print this

        It runs in the foreground until SIGTERM or SIGINT; SIGHUP reads the configuration again.
        albumctl speaks to it. Exit codes: 0 ended well, 3 a restore is done and not everything came
        back, 64 wrong usage, 69 the library or the socket is another albumd's, or the cloud of a
        restore does not answer, 74 the disk or the catalogue failed, 78 the configuration or the
        library cannot be used.

        """

    /// A sentence whose advice is to rebuild or to restore says it with the options that were given, and the latter as the
    /// `user` of a service: pasted, it is the same library, and albumd may write in it.
    func completing(_ sentence: String, user: String? = serviceUser()) -> String {
        let file = configurationOption
        let rebuild = "albumctl library rebuild"
        let sentence = sentence.replacing(rebuild, with: rebuild + file)
        let restore = "albumd restore --from-cloud"
        guard let start = sentence.firstRange(of: restore)?.lowerBound else { return sentence }
        let sudo = user.map { "sudo -u \(shellWord($0)) " } ?? ""
        let isOwnPartial = isPartial && !sentence[start...].contains("--partial")
        let options = (isOwnPartial ? " --partial" : "") + (isJSON ? " --json" : "")
        return sentence.replacing(restore, with: "\(sudo)albumd\(file) restore --from-cloud\(options)")
            .replacing(": mv ", with: ": \(sudo)mv ")
    }

    /// What a person gives to make the catalogue anew with the options that were given, as the `user` of a service.
    func rebuilding(user: String? = serviceUser()) -> String {
        let sudo = user.map { "sudo -u \(shellWord($0)) " } ?? ""
        return "systemctl stop albumd; \(sudo)albumctl library rebuild\(configurationOption); systemctl start albumd"
    }

    private var configurationOption: String { configuration.map { " --config \(shellWord(path: $0))" } ?? "" }

    /// What is wrong with the arguments, in a sentence.
    struct Mistake: Error, Equatable {
        var text: String
    }

    init(_ arguments: [[UInt8]]) throws(Mistake) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch String(decoding: argument, as: UTF8.self) {
            case "--check-config": action = .checkConfiguration
            case "--rebuild-library": action = .rebuildLibrary
            case "--dry-run": isDryRun = true
            case "--partial": isPartial = true
            case "--json": isJSON = true
            case "restore":
                // What follows is the help.
                if rest.first.map({ ["--help", "-h"].contains(String(decoding: $0, as: UTF8.self)) }) == true { break }
                guard rest.popFirst().map({ $0.elementsEqual("--from-cloud".utf8) }) == true else {
                    throw Mistake(text: "it is: albumd restore --from-cloud")
                }
                action = .restoreFromCloud
            case "--version": action = .version
            case "--help", "-h": action = .help
            case "--config":
                guard let path = rest.popFirst() else { throw Mistake(text: "--config needs a file") }
                configuration = path
            case let text where text.hasPrefix("--config="):
                configuration = Array(argument.dropFirst("--config=".utf8.count))
            case let text: throw Mistake(text: "albumd has no option '\(text)'; see albumd --help")
            }
        }
        guard action == .rebuildLibrary || !isDryRun else {
            throw Mistake(text: "--dry-run belongs to --rebuild-library")
        }
        guard !(isPartial || isJSON) || action == .rebuildLibrary || action == .restoreFromCloud else {
            throw Mistake(text: "--partial and --json belong to --rebuild-library and restore")
        }
    }
}

extension Daemon {
    /// The arguments as bytes, without the program's name: a path need not be UTF-8.
    package static func commandLine() -> [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { start in
                UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
            }
        }
    }
}

/// The name of the system user that albumd runs as; nil for root, and for a person's own albumd.
private func serviceUser() -> String? {
    guard geteuid() != 0, ConfigurationPlaces.isSystem(geteuid()) else { return nil }
    return getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
}
