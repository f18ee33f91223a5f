import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import PhotoStore

/// Originals come back from what still has their bytes.
@Suite struct RepairTests {
    /// A library with one asset, "a", and its source at /in/a.jpg.
    private func withSource(
        _ test: String = #function, _ body: (SimulatedLibrary, PhotoLibrary) throws -> Void
    ) throws {
        // The disk is named after the test.
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try home.program.makeDirectory(Array("/in".utf8))
            try home.program.write(Array("/in/a.jpg".utf8), Array("a".utf8))
            try library.inside { library throws in
                try library.importAssets(["a"])
                let evidence = SourceEvidence(
                    fileSystem: nil, inode: 1, handle: nil, born: nil, modified: 1, changed: 1, byteCount: 1,
                    hash: try Sample.content("a").hash)
                try library.perform(
                    Sample.registration(path: "/in"),
                    .recordSource(
                        Source(
                            key: Sample.key("a.jpg"), localIdentifier: Sample.identifier(1), outcome: .imported,
                            reason: .newContent, evidence: evidence)))
            }
            try body(home, library)
        }
    }

    private func mend(_ library: PhotoLibrary, isDryRun: Bool = false) throws -> Mending {
        try Repairer(library).mend(try Sample.content("a"), isDryRun: isDryRun)
    }

    private let source = PathBytes("/in/a.jpg")

    @Test func aMissingOriginalComesFromItsSource() throws {
        try withSource { home, library in
            try home.program.unlink(original("a"))
            #expect(try mend(library) == .mended(from: source))
            #expect(try home.program.read(original("a")) == Array("a".utf8))
            #expect(try home.program.read(source.bytes) == Array("a".utf8))
            #expect(try home.names("staging") == [])
        }
    }

    @Test func aCorruptOriginalIsSetAside() throws {
        try withSource { home, library in
            try home.program.write(original("a"), Array("X".utf8))
            try library.inside { library throws in
                let content = try Sample.content("a")
                _ = try library.record([
                    (content, library.directory.originals.look(at: content, reading: true))
                ])
            }
            #expect(try mend(library) == .mended(from: source))
            #expect(try home.program.read(original("a")) == Array("a".utf8))
            let aside = try #require(try home.names("set-aside").first)
            #expect(try home.program.read(Array("/library/set-aside/\(aside)".utf8)) == Array("X".utf8))
            try library.inside { library throws in #expect(try library.condition(of: "a") == .sound) }
        }
    }

    @Test func aDryRunChangesNothing() throws {
        try withSource { home, library in
            try home.program.unlink(original("a"))
            let token = library.feed.newest
            #expect(try mend(library, isDryRun: true) == .mendable(from: source))
            #expect(library.feed.newest == token)
            #expect(throws: FileError.self) { try home.program.read(original("a")) }
        }
    }

    /// Its size is the same, and its name, and its time could be.
    @Test func aSourceThatHasOtherBytesNowIsNotTaken() throws {
        try withSource { home, library in
            try home.program.unlink(original("a"))
            try home.program.write(source.bytes, Array("b".utf8))
            #expect(try mend(library) == .lost(lastSeen: [source]))
            #expect(try home.names("staging") == [])
        }
    }

    @Test func whatWasSetAsideInErrorIsTakenBack() throws {
        try withSource { home, library in
            let aside = try Array("/library/set-aside/\(Sample.content("a").hash.hexadecimal).jpg-1".utf8)
            try home.program.rename(original("a"), to: aside)
            try home.program.unlink(source.bytes)
            #expect(try mend(library) == .mended(from: PathBytes(aside)))
            #expect(try home.program.read(original("a")) == Array("a".utf8))
        }
    }

    @Test func nothingIsThereAnyMoreAndThatIsSaid() throws {
        try withSource { home, library in
            try home.program.unlink(original("a"))
            try home.program.unlink(source.bytes)
            #expect(try mend(library) == .lost(lastSeen: [source]))
            #expect(try mend(library, isDryRun: true) == .lost(lastSeen: [source]))
        }
    }

    @Test func aSymlinkInTheSourcesPlaceIsNotFollowed() throws {
        try withSource { home, library in
            try home.program.unlink(original("a"))
            try home.program.rename(source.bytes, to: Array("/elsewhere".utf8))
            try home.program.makeSymlink(source.bytes, to: Array("/elsewhere".utf8))
            #expect(try mend(library) == .lost(lastSeen: [source]))
        }
    }

    @Test func aFullDiskFailsItAndItIsTriedAgain() throws {
        try withSource { home, library in
            try home.program.unlink(original("a"))
            home.files.configure { $0.capacity = 0 }
            guard case .failed(source, _) = try mend(library) else {
                Issue.record("a full disk took the bytes")
                return
            }
            home.files.configure { $0.capacity = 1 << 40 }
            #expect(try mend(library) == .mended(from: source))
        }
    }

    @Test func aPowerCutAfterwardsLosesNothing() throws {
        try withSource { home, library in
            try home.program.unlink(original("a"))
            #expect(try mend(library) == .mended(from: source))
            home.cutPower()
            let reopened = try home.open()
            #expect(try mend(reopened) == .sound)
            try reopened.inside { library throws in #expect(try library.condition(of: "a") == .sound) }
        }
    }
}
