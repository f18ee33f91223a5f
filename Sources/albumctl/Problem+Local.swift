import Control

/// Problems that `albumctl` itself has; those of the daemon come as they are.
extension Problem {
    static func usage(_ detail: String, fix: String = howToCall) -> Problem {
        Problem(
            "usage", title: "The command line is not understood", status: 400, detail: detail, fix: fix, exitCode: 2)
    }

    static let howToCall = "\(help(of: nil)) shows what it takes"

    static func help(of command: Command?) -> String { "albumctl \(command?.name ?? "COMMAND") --help" }

    /// The help that mends it is that of the command that was typed.
    func naming(_ command: Command?) -> Problem {
        guard fix == Problem.howToCall, let command else { return self }
        var problem = self
        problem.fix = "\(Problem.help(of: command)) shows what it takes"
        return problem
    }

    /// What the daemon advises to whoever sends requests is of no use to who types commands.
    var forTyping: Problem {
        guard fix == Problem.howToAsk else { return self }
        var problem = self
        problem.fix = Problem.howToCall
        return problem
    }

    static func failed(_ detail: String, fix: String? = nil) -> Problem {
        var problem = Problem("failed", title: "albumctl failed", status: 500, detail: detail, fix: "")
        // What the disk says of a file that a person named says it all.
        problem.fix = fix
        return problem
    }

    static func unreachable(_ detail: String, fix: String) -> Problem {
        Problem(
            "unreachable", title: "albumd cannot be reached", status: 503, detail: detail, fix: fix,
            exitCode: Int(ExitCode.unreachable.rawValue))
    }
}
