import Platform
import Testing

/// Counts as a person says them.
@Suite struct CountTextTests {
    @Test(arguments: [
        (0, "file", "0 files"), (1, "file", "1 file"), (2, "file", "2 files"), (1, "entry", "1 entry"),
        (2, "entry", "2 entries"), (2, "watch", "2 watches"), (1, "directory", "1 directory"),
    ])
    func aNounAgreesWithItsCount(count: Int, noun: String, text: String) { #expect(counted(count, noun) == text) }

    @Test(arguments: [(0, "0 files wait"), (1, "1 file waits"), (2, "2 files wait")])
    func aVerbDoesToo(count: Int, text: String) {
        #expect(counted(count, "file", one: "waits", many: "wait") == text)
    }
}
