import Control
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct AbsolutePathTests {
    private func path(_ text: String) throws -> String {
        String(decoding: try absolutePath(Array(text.utf8)).bytes, as: UTF8.self)
    }

    @Test func theDirectoryIsResolvedAndTheLastComponentKept() throws {
        try withScratchFolder { folder in
            let other = PosixProgram()
            try other.makeDirectory(folder.path("real"))
            try other.makeSymlink(folder.path("link"), to: folder.path("real"))
            try other.makeSymlink(folder.path("real/a.jpg"), to: "/elsewhere")
            let root = try path(folder.path + "/.")
            #expect(try path(folder.path("link/a.jpg")) == root + "/real/a.jpg")
            #expect(try path(folder.path("link")) == root + "/link")
            #expect(try path(folder.path("link//")) == root + "/link")
            #expect(try path(folder.path("link/.")) == root + "/real")
            #expect(try path(folder.path("link/..")) == root)
        }
    }

    @Test func aGoneDirectoryKeepsItsName() throws {
        try withScratchFolder { folder in
            let root = try path(folder.path + "/.")
            #expect(try path(folder.path("gone/deeper/a.jpg")) == root + "/gone/deeper/a.jpg")
        }
    }

    @Test func bytesThatAreNoTextSurvive() throws {
        let path = try absolutePath([0x2F, 0x4A, 0xF1])
        #expect(path.bytes == [0x2F, 0x4A, 0xF1])
    }

    @Test func aRelativePathBeginsInTheCurrentDirectory() throws {
        let here = try path(".")
        #expect(try path("a.jpg") == (here == "/" ? "/a.jpg" : here + "/a.jpg"))
        #expect(try path("./-rf.jpg").hasSuffix("/-rf.jpg"))
    }

    @Test func theRootIsItself() throws { #expect(try path("///") == "/") }

    @Test func aSubjectIsAnIdentifierWhereItLooksLikeOne() throws {
        #expect(try subject(of: Array("\(Sample.identifier)".utf8)).localIdentifier == Sample.identifier)
        #expect(try subject(of: Array("\(Sample.identifier.uuid)".utf8)).localIdentifier == Sample.identifier)
        #expect(try subject(of: Array("./\(Sample.identifier.uuid)".utf8)).localIdentifier == nil)
        #expect(try subject(of: [0x2F, 0xF1]).pathBase64 == "L/E=")
    }
}
