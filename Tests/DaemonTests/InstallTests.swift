import FoundationEssentials
import Glibc
import Testing

@Suite(.enabled(if: isInstalled("make")))
struct InstallTests {
    private let scratch: Scratch
    private var root: String { scratch.path + "/root with space" }

    init() throws {
        scratch = try Scratch()
        for binary in ["albumd", "albumctl"] { try scratch.write("#!/bin/sh\n", to: binary, mode: 0o755) }
    }

    @Test func everythingIsInItsPlaceWithThePrefixWritten() throws {
        let answer = try make("install PREFIX=/usr/local")
        #expect(answer.status == 0, "\(answer.output)")
        let files = try installed()
        for file in [
            "/usr/local/bin/albumd", "/usr/local/bin/albumctl", "/etc/albumd/albumd.toml",
            "/usr/local/lib/systemd/system/albumd.service", "/usr/local/lib/systemd/system/albumd.socket",
            "/usr/local/lib/systemd/user/albumd.service", "/usr/local/lib/sysusers.d/albumd.conf",
            "/usr/local/lib/tmpfiles.d/albumd.conf", "/usr/local/share/albumd/read-all.conf",
            "/usr/local/share/albumd/move.conf",
        ] {
            #expect(files.contains(file), "\(file) is missing")
        }
        let unit = try scratch.read("root with space/usr/local/lib/systemd/system/albumd.service")
        #expect(unit.contains("\nExecStart=/usr/local/bin/albumd --config /etc/albumd/albumd.toml\n"))
        #expect(try shell("grep -rl '@PREFIX@' \(quoted(root))").output == "")
    }

    @Test func aPrefixWhereSystemdDoesNotLookPutsTheUnitsIntoEtc() throws {
        #expect(try make("install PREFIX=/opt/albumd").status == 0)
        let unit = try scratch.read("root with space/etc/systemd/system/albumd.service")
        #expect(unit.contains("\nExecStart=/opt/albumd/bin/albumd "))
    }

    @Test func aConfigurationThatIsThereStays() throws {
        #expect(try make("install").status == 0)
        let config = root + "/etc/albumd/albumd.toml"
        #expect(try shell("echo '# mine' > \(quoted(config))").status == 0)
        #expect(try make("install").output.contains("Kept /etc/albumd/albumd.toml"))
        #expect(try scratch.read("root with space/etc/albumd/albumd.toml") == "# mine\n")
        #expect(try scratch.read("root with space/etc/albumd/albumd.toml.new").contains("library = "))
    }

    @Test(arguments: ["/usr/local", "/usr", "/opt/albumd"])
    func uninstallLeavesTheConfigurationAlone(prefix: String) throws {
        #expect(try make("install PREFIX=\(prefix)").status == 0)
        // The second puts the new example beside it.
        #expect(try shell("echo '# mine' > \(quoted(root + "/etc/albumd/albumd.toml"))").status == 0)
        #expect(try make("install PREFIX=\(prefix)").status == 0)
        #expect(try make("uninstall PREFIX=\(prefix)").status == 0)
        #expect(try installed() == ["/etc/albumd/albumd.toml"])
    }

    @Test func withoutBinariesNothingIsInstalledOrBuilt() throws {
        #expect(unlink(scratch.path + "/albumctl") == 0)
        let answer = try make("install")
        #expect(answer.status != 0)
        #expect(answer.output.contains("Run 'make release' first"))
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    /// albumd-media needs libraries that albumd does not.
    @Test func theWorkerIsInstalledBesideTheDaemonWhereItWasBuilt() throws {
        let without = try make("install PREFIX=/usr/local")
        #expect(without.status == 0 && without.output.contains("albumd-media was not built"))
        #expect(try !installed().contains("/usr/local/bin/albumd-media"))
        let file = try scratch.write("#!/bin/sh\n", to: "albumd-media", mode: 0o755)
        #expect(try !make("install PREFIX=/usr/local").output.contains("was not built"))
        #expect(try installed().contains("/usr/local/bin/albumd-media"))
        // One that is no longer built does not stay, for it would be of another version.
        #expect(unlink(file) == 0)
        #expect(try make("install PREFIX=/usr/local").status == 0)
        #expect(try !installed().contains("/usr/local/bin/albumd-media"))
    }

    private func make(_ words: String) throws -> ShellAnswer {
        try shell(
            "unset MAKEFLAGS MAKELEVEL; make -C \(quoted(packageRoot)) \(words) BINARIES=\(quoted(scratch.path))"
                + " DESTDIR=\(quoted(root))")
    }

    private func installed() throws -> [String] {
        let found = try shell("cd \(quoted(root)) && find . -type f").output
        return found.split(separator: "\n").map { String($0.dropFirst()) }.sorted()
    }
}
