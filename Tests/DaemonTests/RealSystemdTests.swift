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
        let lines = answer.output.split(separator: "\n")
        if let reason = lines.first(where: { $0.hasPrefix("skipped: ") }) {
            print(reason)
        }
        #expect(lines.filter { $0.hasPrefix("FAILED") } == [])
        #expect(answer.status == 0, "\(answer.output)")
    }
}
