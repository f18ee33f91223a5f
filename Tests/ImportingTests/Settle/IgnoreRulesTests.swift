import Importing
import PhotoModel
import Testing

/// RULES R16e.
@Suite struct IgnoreRulesTests {
    @Test(arguments: [
        "x.jpg.part", "X.PART", "x.partial", "x.filepart", "x.crdownload", "x.Download", "x.tmp", "~lock", "~$x.jpg",
        ".syncthing.x.jpg.tmp", ".x.jpg.Ab3dEf", ".~lock.x.jpg#", ".albumd-folder",
    ])
    func partialNamesArePassedOverWhateverTheRuleSays(name: String) {
        #expect(IgnoreRules([]).ignores(name: Array(name.utf8)))
    }

    @Test(arguments: ["x.jpg", "part", "x.part.jpg", "x~.jpg", "tmp", "a.b", "-rf.jpg", "x.jpg.partly", "$(x).jpg"])
    func otherNamesAreNot(name: String) {
        #expect(!IgnoreRules(["*.part", ".*"]).ignores(name: Array(name.utf8)))
    }

    @Test func dotFilesAreTheRulesMatter() {
        #expect(IgnoreRules(["*.part", ".*"]).ignores(name: Array(".hidden.jpg".utf8)))
        #expect(!IgnoreRules([]).ignores(name: Array(".hidden.jpg".utf8)))
    }

    @Test func patternsAreThoseOfTheShellAndRegardCase() {
        let rules = IgnoreRules(["raw-??.jpg", "[0-9]*"])
        #expect(rules.ignores(name: Array("raw-12.jpg".utf8)))
        #expect(!rules.ignores(name: Array("RAW-12.jpg".utf8)))
        #expect(rules.ignores(name: Array("7 days.jpg".utf8)))
        #expect(!rules.ignores(name: Array("seven.jpg".utf8)))
    }

    @Test func namesAreBytes() {
        let odd: [UInt8] = [0x4A, 0xF1] + Array(".jpg".utf8)
        #expect(!IgnoreRules(["*.part"]).ignores(name: odd))
        #expect(IgnoreRules(["*.part"]).ignores(name: [0x4A, 0xF1] + Array(".part".utf8)))
        #expect(IgnoreRules(["*.jpg"]).ignores(name: odd))
    }

    @Test func whatLiesInAnIgnoredDirectoryIsIgnored() {
        let rules = IgnoreRules([".*"])
        #expect(rules.ignores(path: PathBytes("a/.thumbs/x.jpg")))
        #expect(rules.ignores(path: PathBytes(".thumbs/x.jpg")))
        #expect(!rules.ignores(path: PathBytes("a/thumbs/x.jpg")))
    }
}
