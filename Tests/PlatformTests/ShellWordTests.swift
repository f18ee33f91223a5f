import Glibc
import Platform
import Testing

/// What is pasted into a shell names the very bytes, and runs nothing.
@Suite struct ShellWordTests {
    @Test(arguments: [
        ("/srv/photos/IMG_1.jpg", "/srv/photos/IMG_1.jpg"),
        ("u:albumd:rX", "u:albumd:rX"),
        ("", "''"),
        ("-rf", "'-rf'"),
        ("=ls", "'=ls'"),
        ("~", "'~'"),
        ("#54321", "'#54321'"),
        ("a b", "'a b'"),
        ("a'b", #"'a'\''b'"#),
        ("a'$(touch INJECTED)'b.jpg", #"'a'\''$(touch INJECTED)'\''b.jpg'"#),
        ("back\\slash", #"'back\slash'"#),
        ("\u{e9} \u{1F4F7}", "'\u{e9} \u{1F4F7}'"),
        ("two\nlines", #"$'two\x0alines'"#),
        ("\nbeef", #"$'\x0a'$'beef'"#),
        ("a'\\\r", #"$'a\'\\\x0d'"#),
        ("\u{202E}gpj.exe", #"$'\xe2\x80\xaegpj.exe'"#),
        ("\u{9B}31m", #"$'\xc2\x9b'$'31m'"#),
    ])
    func aWordIsPlainWhereItCanBe(name: String, word: String) { #expect(shellWord(name) == word) }

    @Test func bytesThatAreNoTextAreEscaped() { #expect(shellWord([0x4A, 0xF1, 0x2E, 0x6A]) == #"$'J\xf1.j'"#) }

    @Test(arguments: [("-rf", "./-rf"), ("-", "./-"), ("/-a", "/-a"), ("a-", "a-"), ("-a b", "'./-a b'")])
    func aPathIsNoOption(path: String, word: String) { #expect(shellWord(path: Array(path.utf8)) == word) }

    @Test func bashReadsEveryNameBackAsItIs() throws { try expectReadBack(names, by: "bash") }

    /// What is printable needs no shell of today.
    @Test func everyShellReadsPrintableNamesBackAsTheyAre() throws {
        let printables = names.filter { !shellWord($0).hasPrefix("$") }
        #expect(printables.count > 30)
        try expectReadBack(printables, by: "sh")
    }

    @Test func aWordHoldsNothingThatATerminalObeys() {
        for name in names { #expect(printable(sentence: shellWord(name)) == shellWord(name)) }
    }

    /// Names of all bytes but zero, many of them of what means something to a shell.
    private let names: [[UInt8]] = {
        var random = SeededRandom(seed: 7)
        let pieces: [[UInt8]] =
            ["'", "\"", "\\", "$(touch INJECTED)", "`id`", "$'", "\n", "!!", "~", "*", ";", " ", "-", "a", "7f", "é"]
            .map { Array($0.utf8) } + [[0xF1], [0xC3], [0xE2, 0x80, 0xAE], [0x7F], [0x1B], [0xC2, 0x9B]]
        let single = (1...255).map { [UInt8($0)] }
        let pairs = (1...255).map { [UInt8($0), UInt8(ascii: "a")] }
        let mixed = (0..<400).map { _ in
            (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
        }
        return single + pairs + pieces + mixed
    }()

    private func expectReadBack(_ names: [[UInt8]], by shell: String) throws {
        let words = names.map { shellWord($0) }
        for word in words { try #require(!word.contains("\n"), "\(word)") }
        let script = "printf '%s\\0' \(words.joined(separator: " "))"
        let pipe = try #require(popen("\(shell) <<'END OF WORDS'\n\(script)\nEND OF WORDS\n", "re"))
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { output += chunk[..<count] }
        #expect(pclose(pipe) == 0)
        let read = output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
        #expect(read.count == names.count)
        for (name, back) in zip(names, read) { #expect(name == back, "\(shellWord(name))") }
    }
}
