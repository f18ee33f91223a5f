import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A new directory of originals is durable before a name stands in it (RULES R1, R10, R11).
@Suite struct NewDirectoryTests {
    /// The next publish would take a directory that stayed for durable, and be wrong.
    @Test(arguments: [EIO, ENOSPC])
    func aNewDirectoryWhoseSyncFailedIsMadeAnew(code: Int32) throws {
        try withSimulatedLibrary("anew \(code)") { home in
            let library = try home.open()
            home.files.failNext(.syncOfDirectory, code)
            try importTwice(["a"], into: library)
            try expectSound(["a"], afterAPowerCutOf: home)
        }
    }

    /// The directories before the one that there was no room for were never synced.
    @Test func newDirectoriesOfAFullDiskAreMadeAnew() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            home.files.failNext(.makeDirectory, ENOSPC, skipping: 1)
            try importTwice(["a", "b"], into: library)
            try expectSound(["a", "b"], afterAPowerCutOf: home)
        }
    }

    @Test(arguments: [EIO, ENOSPC])
    func aNewDirectoryThatStaysAfterItsSyncFailedEndsImportsAtOnce(code: Int32) throws {
        try withSimulatedLibrary("stays \(code)") { home in
            let library = try home.open()
            home.files.failNext(.syncOfDirectory, code)
            home.files.failNext(.removeDirectory, code)
            try library.inside { library throws in
                #expect(throws: FileError.self) { try library.importAssets(["a"]) }
                #expect(throws: LibraryError.self) { try library.importAssets(["a"]) }
            }
        }
    }

    /// The first time fails, the second does not.
    private func importTwice(_ texts: [String], into library: PhotoLibrary) throws {
        try library.inside { library throws in
            #expect(throws: FileError.self) { try library.importAssets(texts) }
            let isReadOnly = library.isReadOnly
            #expect(!isReadOnly)
            _ = try library.importAssets(texts)
        }
    }

    private func expectSound(_ texts: [String], afterAPowerCutOf home: SimulatedLibrary) throws {
        home.cutPower()
        let reopened = try home.open()
        for text in texts {
            #expect(try reopened.onThread { try $0.directory.originals.isSound(try Sample.content(text)) })
        }
    }
}
