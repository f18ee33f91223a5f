import Glibc
import Testing

/// The daemon under a real systemd, in a container made of this machine's own root: Tests/Systemd says what is tried.
@Suite(.enabled(if: isInstalled("systemd-nspawn")))
struct RealSystemdTests {
    @Test(.enabled(if: getuid() == 0, "a container needs root"))
    func albumdIsAGoodService() throws {
        let answer = try shell(
            "\(quoted(packageRoot + "Tests/Systemd/run-in-nspawn")) \(quoted(packageRoot + ".build/debug"))")
        // Where mount(2) is not allowed the script ends well and says so.
        if let reason = answer.output.split(separator: "\n").first(where: { $0.hasPrefix("skipped: ") }) {
            print(reason)
        }
        #expect(answer.status == 0, "\(answer.output)")
    }
}
