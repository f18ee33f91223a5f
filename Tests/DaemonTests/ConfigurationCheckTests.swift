import Glibc
import Testing

@testable import Daemon

/// What `--check-config` says it looked at.
@Suite struct ConfigurationCheckTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func check(_ named: String?) throws -> String {
        var places = ConfigurationPlaces.system
        places.file = Array((scratch.path + "/usual.toml").utf8)
        places.library = Array((scratch.path + "/library").utf8)
        return try ConfigurationCheck(named.map { Array($0.utf8) }, at: places).text
    }

    @Test func theUsualFilesAreNamedThoughNobodyNamedThem() throws {
        let text = try check(nil)
        #expect(text.contains("'\(scratch.path)/usual.toml', which is not there: the defaults hold"))
        #expect(text.contains("'\(scratch.path)/folders.toml', which is not there"))
        try scratch.write("[[folder]]\npath = \"/in\"\nalbum = \"A\"\n", to: "usual.toml")
        #expect(try check(nil).contains("'\(scratch.path)/usual.toml'\n"))
        #expect(try check(nil).contains("1 folder."))
    }

    @Test func aNamedFileIsNamedToo() throws {
        let file = try scratch.write("", to: "mine.toml")
        #expect(try check(file).contains("Checked   '\(file)'\n"))
    }

    private func fault(_ text: String) throws -> String {
        let file = try scratch.write(text, to: "albumd.toml")
        do throws(ConfigurationError) {
            _ = try ConfigurationCheck(Array(file.utf8), at: .system)
            return ""
        } catch {
            return error.description.replacing(scratch.path + "/", with: "")
        }
    }

    @Test(arguments: [
        ("library = \"/proc/x\"", "albumd.toml:1:11: the library would be on a file system of the kernel (proc)"),
        ("library = \"/sys/a/b/c\"", "albumd.toml:1:11: the library would be on a file system of the kernel (sysfs)"),
        ("library = \"/dev/x\"", "albumd.toml:1:11: the library would be on a file system of the kernel (devtmpfs)"),
        ("socket = \"/proc/control.sock\"", "albumd.toml:1:10: the socket would be on a file system of the kernel"),
        ("[cloud]\ndirectory = \"/proc/x\"", "albumd.toml:2:13: the cloud's directory would be on a file system"),
    ])
    func aPlaceThatKeepsNoFilesIsRefusedBeforeTheStart(text: String, expected: String) throws {
        let fault = try fault(text)
        #expect(fault.hasPrefix(expected), "\(fault)")
    }

    @Test func aLinkIntoTheKernelsFilesIsFollowed() throws {
        #expect(symlink("/proc", scratch.path + "/link") == 0)
        #expect(try fault("library = \"\(scratch.path)/link/x\"").contains("the kernel (proc)"))
        #expect(try fault("library = \"\(scratch.path)/new/x\"").isEmpty)
    }
}
