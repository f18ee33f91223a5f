import Control

/// Problems that `albumctl` itself has; those of the daemon come as they are.
extension Problem {
    static func usage(_ detail: String, fix: String? = nil) -> Problem {
        Problem(
            "usage", title: "The command line is not understood", status: 400, detail: detail, fix: fix, exitCode: 2)
    }

    static func failed(_ detail: String, fix: String? = nil) -> Problem {
        Problem("failed", title: "albumctl failed", status: 500, detail: detail, fix: fix)
    }

    static func unreachable(_ detail: String, fix: String) -> Problem {
        Problem(
            "unreachable", title: "albumd cannot be reached", status: 503, detail: detail, fix: fix,
            exitCode: Int(ExitCode.unreachable.rawValue))
    }
}
