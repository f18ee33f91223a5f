import Testing

@testable import Daemon

@Suite struct ConfigurationErrorTests {
    private static let folder = "[[folder]]\npath = \"/in\"\nalbum = \"A\"\n"

    @Test(arguments: [
        (
            "settle = \"2 parsecs\"",
            "f.toml:4:10: settle = \"2 parsecs\" is no duration; write a whole number with ms, s, m or h, such as \"500ms\", \"2s\" or \"1m\""
        ),
        ("settle = 2", "f.toml:4:10: settle = 2 is no duration; write a whole number with ms, s, m or h, such as"),
        ("settle = \"2d\"", "f.toml:4:10: settle = \"2d\" is no duration; write a whole number with ms, s, m or h,"),
        ("settle = \"2h\"", "f.toml:4:10: settle = \"2h\" is out of range; allowed is from 0ms to 1h"),
        ("mode = \"steal\"", "f.toml:4:8: mode = \"steal\" is not allowed; allowed are \"copy\", \"move\""),
        ("mode = \"\u{1b}[31m\"", "f.toml:4:"),
        ("watch = true", "f.toml:4:9: watch = true is not allowed; allowed are \"auto\", \"inotify\", \"poll\""),
        ("ignore = \"*.x\"", "f.toml:4:10: ignore = \"*.x\" is no list; write for example [\"*.part\", \".*\"]"),
        ("ignore = [\"é\", 1]", "f.toml:4:16: ignore = 1 is no text; write for example [\"*.part\", \".*\"]"),
        (
            "ignore = [\"a\", \"sub/x*\"]",
            "f.toml:4:16: ignore = \"sub/x*\" holds a slash; allowed are patterns of single names"
        ),
        ("setle = \"1s\"", "f.toml:4:1: unknown key setle; did you mean settle?"),
        ("  on_source_delete = 1", "f.toml:4:3: unknown key on_source_delete; did you mean on_source_deleted?"),
        ("\"é\".x = 1", "f.toml:4:1: unknown key é; known here are path, album"),
    ])
    func aFaultInAFolderIsSaidWithItsPlaceAndTheRemedy(line: String, expected: String) {
        #expect(message(Self.folder + line).hasPrefix(expected), "\(message(Self.folder + line))")
    }

    @Test func aTitleHasAtMostAsManyBytesAsTheAPITakes() {
        let long = "[[folder]]\npath = \"/in\"\nalbum = \"\(String(repeating: "x", count: 1025))\"\n"
        #expect(message(long).hasPrefix("f.toml:3:9: album = "))
        #expect(message(long).contains("is longer than 1,024 bytes"))
    }

    @Test(arguments: [
        ("library = \"photos\"", "f.toml:1:11: library = \"photos\" is not absolute; write the whole path from /"),
        ("library = \"~/photos\"", "f.toml:1:11: library = \"~/photos\" is not absolute, and ~ is not expanded;"),
        ("library = \"/a/../b\"", "f.toml:1:11: library = \"/a/../b\" is the root, holds .."),
        ("library = \"/\"", "f.toml:1:11: library = \"/\" is the root"),
        ("library = \"\"", "f.toml:1:11: library = \"\" is empty"),
        ("library = \"/a\\u0000b\"", "f.toml:1:11: library = \"/a\\x5cu0000b\" is empty or holds a zero byte"),
        ("library = 7", "f.toml:1:11: library = 7 is no text; write for example \"/var/lib/albumd/library\""),
        ("log_level = \"loud\"", "f.toml:1:13: log_level = \"loud\" is not allowed; allowed are \"fault\", \"error\""),
        ("folder = 3", "f.toml:1:10: folder is no list of tables; write [[folder]]"),
        ("[folder]\npath = \"/in\"", "f.toml:1:1: folder is no list of tables; write [[folder]]"),
        ("[[folder]]\npath = \"/in\"", "f.toml:1:1: this folder has no album; write for example album = \"Inbox\""),
        ("[clouds]\nx = 1", "f.toml:1:1: unknown key clouds; did you mean cloud?"),
        ("[zebra]\nx = 1", "f.toml:1:1: unknown key zebra; known here are library, socket, log_level, folder, cloud"),
        ("a = \n", "f.toml:1:5: "),
        ("a = 1 b = 2", "f.toml:1:7: "),
        ("x = \"\"\n\"", "f.toml:2:"),
    ])
    func aFaultAtTheTopIsSaidWithItsPlaceAndTheRemedy(text: String, expected: String) {
        #expect(message(text).hasPrefix(expected), "\(message(text))")
    }

    @Test func aSocketPathThatTheKernelCannotHoldIsRefused() throws {
        let longest = "/" + String(repeating: "s", count: 106)
        #expect(try parse("socket = \"\(longest)\"").socket.count == 107)
        #expect(message("socket = \"\(longest)x\"").contains("is 108 bytes long; a Unix socket's path has at most 107"))
    }

    @Test func everyFaultIsSaidAtOnceInTheOrderOfTheFile() {
        let text = "log_level = 1\nlibary = \"/x\"\nsocket = \"s\"\n[[folder]]\nalbum = 2\nmode = \"x\"\n"
        let lines = message(text).split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(lines == ["f.toml:1:13:", "f.toml:2:1:", "f.toml:3:10:", "f.toml:4:1:", "f.toml:5:9:", "f.toml:6:8:"])
    }

    @Test func aFolderThatComesTwiceIsRefused() {
        let again = "\n[[folder]]\npath = \"/in/\"\nalbum = \"B\"\n"
        let expected = "f.toml:6:8: path = \"/in\" is already a folder, in line 2; a directory can be one folder only"
        #expect(message(Self.folder + again) == expected)
    }

    @Test func bytesThatAreNotTextAreRefusedWithTheirPlace() {
        let text = Array("# é\nlibrary = \"/".utf8) + [0xFF] + Array("\"\n".utf8)
        #expect(message(text).hasPrefix("f.toml:2:13: these bytes are not UTF-8"))
    }

    @Test func deepNestingIsRefusedAndEndsNothing() {
        let text = "x = [\n" + String(repeating: "[", count: 100_000)
        #expect(message(text) == "f.toml:2:32: more than 32 brackets stand inside each other")
    }

    /// Whatever the text, the parser answers with a configuration or with an error.
    @Test func noTextEndsTheProcess() {
        let seed = Array((Self.folder + "ignore = [\"a\", 'b']\nx.y = { z = 1979-05-27T07:32:00Z }\n").utf8)
        let spices: [UInt8] = Array("\"'[]{}=.\n\r\\#,u0".utf8) + [0, 0x80, 0xFF]
        for position in seed.indices {
            for spice in spices {
                var text = seed
                text[position] = spice
                _ = message(text)
                _ = message(Array(text[...position]))
            }
        }
    }
}

/// What is said of a configuration that cannot be.
func message(_ text: String) -> String { message(Array(text.utf8)) }

func message(_ text: [UInt8]) -> String {
    do throws(ConfigurationError) {
        _ = try Configuration(parsing: text, file: "f.toml", at: .system)
        return "no error"
    } catch {
        return error.description
    }
}
