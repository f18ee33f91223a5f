import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport

/// A watched folder of a test, before it is written into the configuration.
struct TestFolder {
    /// Below the scratch folder.
    var name = "inbox"
    var album = "Inbox"
    var settle = "200ms"
    /// Further lines of its `[[folder]]`.
    var lines: [String] = []
}

/// How a test's albumd is started.
struct Setup {
    var folders = [TestFolder()]
    /// Set for the process.
    var environment: [String: String] = [:]
    /// A program and its arguments that runs albumd in its own place (exec), such as `setpriv`.
    var wrapper: [String] = []
    /// Who owns everything in the scratch folder, where that is not this process.
    var owner: UInt32?
    var logLevel = "info"
    var program = builtProgram("albumd")
}

/// One library with its folders, configuration and socket, all below a scratch folder of its own.
struct Installation {
    let scratch: ScratchFolder
    var setup: Setup

    var library: String { scratch.path("library") }
    var socket: String { scratch.path("run/s") }
    var log: String { scratch.path("albumd.log") }
    private var configuration: String { scratch.path("albumd.toml") }

    /// Makes the folders and the configuration (0600).
    init(in scratch: ScratchFolder, _ setup: Setup) throws {
        (self.scratch, self.setup) = (scratch, setup)
        let program = PosixProgram()
        try program.makeDirectory(scratch.path("run"))
        for folder in setup.folders { try program.makeDirectory(scratch.path(folder.name)) }
        try writeConfiguration()
        guard let owner = setup.owner else { return }
        chmod(scratch.path, 0o755)
        for name in ["", "run", "albumd.toml"] + setup.folders.map(\.name) {
            chown(scratch.path(name), owner, owner)
        }
    }

    /// Writes the configuration that `setup` says; a daemon that runs is told by SIGHUP or `reload`.
    func writeConfiguration(_ extra: String = "") throws {
        var text = "library = \"\(library)\"\nsocket = \"\(socket)\"\nlog_level = \"\(setup.logLevel)\"\n"
        for folder in setup.folders {
            text += "[[folder]]\npath = \"\(scratch.path(folder.name))\"\nalbum = \"\(folder.album)\"\n"
            text += "settle = \"\(folder.settle)\"\n" + folder.lines.map { $0 + "\n" }.joined()
        }
        try PosixProgram().write(configuration, text + extra)
        chmod(configuration, 0o600)
    }

    /// The command line of albumd with this configuration.
    func command(_ arguments: [String] = []) -> [String] {
        setup.wrapper + [setup.program, "--config", configuration] + arguments
    }

    var environment: [String: String] {
        // A crash report takes long and is of no use to a test that kills.
        ["SWIFT_BACKTRACE": "enable=no"].merging(setup.environment) { _, new in new }
    }
}
