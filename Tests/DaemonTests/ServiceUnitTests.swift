import FoundationEssentials
import Glibc
import Testing

@testable import Daemon

/// The units as systemd judges them, offline: they are valid, and as closed as RULES S4 asks.
@Suite(.enabled(if: isInstalled("systemd-analyze")))
struct ServiceUnitTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for binary in ["albumd", "albumctl"] {
            let file = try scratch.write("#!/bin/sh\n", to: binary, mode: 0o755)
            try FileManager.default.createDirectory(atPath: scratch.path + "/bin", withIntermediateDirectories: true)
            #expect(rename(file, scratch.path + "/bin/" + binary) == 0)
        }
    }

    @Test(arguments: ["albumd.service", "albumd.socket", "albumd.user.service"])
    func aUnitIsValid(name: String) throws {
        try install("albumd.service")
        try install("albumd.socket")
        let path = try install(name)
        let scope = name.contains("user") ? "--user" : "--system"
        let answer = try shell("systemd-analyze verify \(scope) --man=no \(path)")
        // A sandbox without a manager makes systemd-analyze talk about other things.
        let complaints = answer.output.split(separator: "\n").filter { $0.contains("albumd") }
        #expect(complaints.isEmpty, "\(answer.output)")
    }

    /// Exposure times ten: the unit alone, then with each of its drop-ins.
    @Test(arguments: [("", 8), ("read-all.conf", 10), ("move.conf", 12)])
    func aUnitIsAsClosedAsItsRuleAsks(dropIn: String, threshold: Int) throws {
        let path = try install("albumd.service", with: dropIn)
        let answer = try shell("systemd-analyze security --offline=yes --no-pager --threshold=\(threshold) \(path)")
        #expect(answer.status == 0, "\(answer.output.suffix(200))")
    }

    /// The gate itself can fail.
    @Test func anOpenUnitIsAboveTheThreshold() throws {
        let path = try scratch.write("[Service]\nExecStart=/bin/true\n", to: "open.service", mode: 0o644)
        #expect(try shell("systemd-analyze security --offline=yes --no-pager --threshold=12 \(path)").status != 0)
    }

    @Test(arguments: ["albumd.sysusers", "albumd.tmpfiles"])
    func usersAndDirectoriesAreUnderstood(name: String) throws {
        let root = scratch.path + "/root"
        let users = packageRoot + "systemd/albumd.sysusers"
        try FileManager.default.createDirectory(atPath: root + "/etc", withIntermediateDirectories: true)
        let made = try shell("systemd-sysusers --root=\(root) \(quoted(users))")
        #expect(made.status == 0, "\(made.output)")
        let groups = try scratch.read("root/etc/group")
        #expect(groups.contains("albumd-clients:"))
        // Only root can give a directory to the daemon's user.
        guard name == "albumd.tmpfiles", getuid() == 0 else { return }
        let put = try shell("systemd-tmpfiles --create --root=\(root) \(quoted(packageRoot + "systemd/" + name))")
        #expect(put.status == 0, "\(put.output)")
        #expect(try shell("stat -c %a \(root)/run/albumd").output == "2750\n")
    }

    /// Copies a unit as `make install` does, here with a drop-in at its end.
    @discardableResult
    private func install(_ name: String, with dropIn: String = "") throws -> String {
        let names = [name, dropIn].filter { !$0.isEmpty }
        let texts = try names.map { try Data(contentsOf: URL(filePath: packageRoot + "systemd/" + $0)) }
        let text = texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        return try scratch.write(text.replacing("@PREFIX@", with: scratch.path), to: name, mode: 0o644)
    }
}
