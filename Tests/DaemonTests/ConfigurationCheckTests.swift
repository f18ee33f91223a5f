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
}
