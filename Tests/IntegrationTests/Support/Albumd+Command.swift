import TestSupport

extension Albumd {
    /// Runs `albumctl` against this daemon, and gives its exit code and what it said.
    func albumctl(_ arguments: String..., wrapper: [String] = []) throws -> (code: Int32, output: String) {
        let command = wrapper + [builtProgram("albumctl"), "--socket", installation.socket] + arguments
        let (end, output) = try run(command, in: scratch, deadline: Albumd.patience)
        guard case .code(let code) = end else { throw Failure("albumctl \(arguments) ended by \(end): \(output)") }
        return (code, output)
    }
}
