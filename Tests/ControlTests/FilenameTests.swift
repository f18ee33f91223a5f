import Control
import PhotoModel
import Testing

/// Which names may be kept with a photo.
@Suite struct FilenameTests {
    @Test(arguments: ["a.jpg", "...", ".a", "日本.jpg", "new\nline", String(repeating: "x", count: 255)])
    func aNameThatAFileCanHaveIsGood(name: String) { #expect(fault(ofFilename: PathBytes(name)) == nil) }

    @Test(arguments: ["", ".", "..", "a/b", "/", "a/", "a\0b", String(repeating: "ä", count: 128)])
    func aNameThatNoFileCanHaveIsNot(name: String) { #expect(fault(ofFilename: PathBytes(name)) != nil) }

    @Test func bytesThatAreNoTextAreGood() { #expect(fault(ofFilename: PathBytes([0x4A, 0xF1])) == nil) }
}
