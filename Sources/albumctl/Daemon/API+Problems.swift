import Control
import HTTPClient
import Platform

/// What to say and to advise where the daemon did not answer.
extension API {
    func problem(of error: HTTPClientError) -> Problem {
        switch error {
        case .noSocket:
            let looked = place.places.map { "'\(printable($0))'" }.joined(separator: " and ")
            return .unreachable("there is no socket; looked at \(looked)", fix: Self.start)
        case .nobodyListening(let path):
            return .unreachable("nobody answers on '\(printable(path))': albumd is not running", fix: Self.start)
        case .permission(let path):
            return SocketAccess.problem(at: path)
        case .timeout:
            return .unreachable("albumd did not answer within a minute", fix: "systemctl status albumd")
        case .broken(let message):
            return .unreachable(
                "the connection to albumd broke (\(printable(message))); what was asked may have been done, or not",
                fix: "albumctl status, then try again")
        case .file(let error):
            return .failed("\(error)")
        }
    }

    private static let start = """
        sudo systemctl start albumd       (the service)
        systemctl --user start albumd     (your own)
        make run                          (the demo, in a clone; it prints the --socket to use)
        """
}
