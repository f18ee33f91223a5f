import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import PhotoStore

/// Originals that are there and cannot be used: the same bytes take their place, and until then nobody calls them safe
/// (RULES R5, R8, R13).
@Suite struct UnusableOriginalTests {
    /// What may stand under the name of an original.
    enum Obstacle: CaseIterable, CustomTestStringConvertible {
        case badMessage, ioError, noAccess, directory, fullDirectory, fifo, symlink

        var testDescription: String { "\(self)" }

        func put(at path: [UInt8], in home: SimulatedLibrary) throws {
            if let code {
                if (try? home.program.read(path)) == nil { try home.program.write(path, [1]) }
                return try home.files.breakNode(at: path, code)
            }
            try? home.program.unlink(path)
            switch self {
            case .fifo: try home.program.makeFIFO(path)
            case .symlink: try home.program.makeSymlink(path, to: Array("/elsewhere".utf8))
            default: try home.program.makeDirectory(path)
            }
            if self == .fullDirectory { try home.program.write(path + Array("/x".utf8), [1]) }
        }

        private var code: Int32? {
            switch self {
            case .badMessage: EBADMSG
            case .ioError: EIO
            case .noAccess: EACCES
            default: nil
            }
        }
    }

    private func withLibrary(
        _ texts: [String], _ test: String = #function, _ body: (SimulatedLibrary, PhotoLibrary) throws -> Void
    ) throws {
        // The disk is named after the test.
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(texts) }
            try body(home, library)
        }
    }

    private func shard(of text: String) throws -> [UInt8] { Array(try original(text).prefix(21)) }

    private func reopen(_ home: SimulatedLibrary) throws -> PhotoLibrary {
        home.close()
        return try home.open()
    }

    @Test(arguments: Obstacle.allCases) func theSameBytesTakeItsPlace(obstacle: Obstacle) throws {
        try withLibrary(["a"], "place \(obstacle)") { home, library in
            try obstacle.put(at: original("a"), in: home)
            try library.inside { library throws in
                _ = try library.publish([library.stage("a")], origin: "import") { _ in }
                #expect(try library.directory.originals.isSound(try Sample.content("a")))
                #expect(try library.condition(of: "a") == .sound)
            }
            #expect(try home.program.read(original("a")) == Array("a".utf8))
            #expect(try home.names("set-aside").count == 1)
        }
    }

    /// Of the same name, and of no row yet.
    @Test(arguments: Obstacle.allCases) func newBytesTakeItsPlace(obstacle: Obstacle) throws {
        try withLibrary([], "new \(obstacle)") { home, library in
            try home.program.makeDirectory(shard(of: "a"))
            try obstacle.put(at: original("a"), in: home)
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            #expect(try home.program.read(original("a")) == Array("a".utf8))
        }
    }

    @Test func whatCannotBeReplacedIsRefusedAloneAndNotCalledSoundAnyMore() throws {
        try withLibrary(["a"]) { home, library in
            try home.files.breakNode(at: original("a"), EBADMSG)
            // The first rename finds the name taken, the second would set it aside.
            home.files.failNext(.rename, EBADMSG, skipping: 1)
            try library.inside { library throws in
                let (known, other) = (try library.stage("a"), try library.stage("b"))
                let refused = try library.publishEach([known, other], origin: "import") { change, refused in
                    try change.perform(Sample.asset(2, other.content))
                    return refused
                }.value
                #expect(refused.mapValues(\.code) == [known.content.hash: EBADMSG])
                #expect(try library.condition(of: "a") == .corrupt)
                #expect(try library.directory.originals.isSound(other.content))
                // It is in staging still.
                #expect(try library.machine.files.list(library.directory.originals.staging).count == 1)
            }
        }
    }

    @Test func wholeOrNothingIsRefusedWholeAndStillRemembered() throws {
        try withLibrary(["a"]) { home, library in
            try home.files.breakNode(at: original("a"), EBADMSG)
            home.files.failNext(.rename, EBADMSG, skipping: 1)
            try library.inside { library throws in
                #expect(throws: FileError.self) {
                    try library.publish([library.stage("a")], origin: "save") { change in
                        try change.perform(Sample.album(1))
                    }
                }
                #expect(try library.condition(of: "a") == .corrupt)
                #expect(try library.read { try $0.albums(titled: PathBytes("Album 1")).isEmpty })
            }
        }
    }

    @Test(arguments: [EBADMSG, EACCES, EIO])
    func aDirectoryOfOriginalsThatCannotBeEnteredRefusesItsOwnAlone(code: Int32) throws {
        try withLibrary(["a"], "shard \(code)") { home, library in
            try home.files.breakNode(at: shard(of: "a"), code)
            try library.inside { library throws in
                let batch = [try library.stage("a"), try library.stage("b")]
                let refused = try library.publishEach(batch, origin: "import") { change, refused in
                    try change.perform(Sample.asset(9, batch[1].content))
                    return refused
                }.value
                #expect(refused.mapValues(\.code) == [batch[0].content.hash: code])
                #expect(try library.directory.originals.isSound(batch[1].content))
            }
        }
    }

    /// Too many open files say nothing of the one that cannot be opened: nothing is set aside for it.
    @Test func aShortageOfDescriptorsCondemnsNothing() throws {
        try withLibrary(["a"]) { home, library in
            home.files.failNext(.openForReading, EMFILE)
            try library.inside { library throws in
                #expect(throws: FileError.self) {
                    try library.publish([library.stage("a")], origin: "import") { _ in }
                }
                #expect(try library.condition(of: "a") == .sound)
            }
            #expect(try home.names("set-aside") == [])
        }
    }

    @Test(arguments: Obstacle.allCases) func aRepairMendsIt(obstacle: Obstacle) throws {
        try withLibrary(["a"], "repair \(obstacle)") { home, library in
            try home.program.makeDirectory(Array("/in".utf8))
            try home.program.write(Array("/in/a.jpg".utf8), Array("a".utf8))
            let content = try Sample.content("a")
            try library.inside { library throws in
                let evidence = SourceEvidence(
                    fileSystem: nil, inode: 1, handle: nil, born: nil, modified: 1, changed: 1, byteCount: 1,
                    hash: content.hash)
                try library.perform(
                    Sample.registration(path: "/in"),
                    .recordSource(
                        Source(
                            key: Sample.key("a.jpg"), localIdentifier: Sample.identifier(1), outcome: .imported,
                            reason: .newContent, evidence: evidence)))
            }
            try obstacle.put(at: original("a"), in: home)
            let repairer = Repairer(library)
            #expect(try repairer.mend(content, isDryRun: true) == .mendable(from: PathBytes("/in/a.jpg")))
            #expect(try repairer.mend(content, isDryRun: false) == .mended(from: PathBytes("/in/a.jpg")))
            #expect(try home.program.read(original("a")) == Array("a".utf8))
        }
    }

    @Test func aDirectoryThatCannotBeListedIsNotAnEmptyOneAndTheOthersAreServed() throws {
        try withLibrary(["a", "b"]) { home, _ in
            try home.files.breakNode(at: shard(of: "a"), EBADMSG)
            try reopen(home).inside { library throws in
                #expect(library.recovery.newlyMissing == 0)
                #expect(try library.condition(of: "a") == .corrupt)
                #expect(try library.condition(of: "b") == .sound)
                let unlisted = try library.directory.originals.unlisted()
                #expect(unlisted.map { Array("/library/".utf8) + $0.path.bytes } == [try shard(of: "a")])
                #expect(unlisted.map(\.error.code) == [EBADMSG])
            }
            let once = try home.dump()
            _ = try reopen(home)
            #expect(try home.dump() == once)
            try home.files.heal(at: shard(of: "a"))
            try reopen(home).inside { library throws in #expect(try library.condition(of: "a") == .sound) }
        }
    }

    /// An empty library is never made beside what cannot be seen.
    @Test func aLostCatalogueBesideAnUnlistedDirectoryIsNoNewLibrary() throws {
        try withLibrary(["a"]) { home, library in
            let directory = library.directory
            try home.files.breakNode(at: shard(of: "a"), EIO)
            #expect(try directory.hasContents(files: home.files))
        }
    }

    @Test(arguments: Obstacle.allCases) func theStartCallsItNeitherMissingNorSound(obstacle: Obstacle) throws {
        try withLibrary(["a"], "start \(obstacle)") { home, library in
            try library.inside { library throws in
                try library.perform(
                    .setCondition(ConditionChange(hash: try Sample.content("a").hash, condition: .corrupt)))
            }
            try obstacle.put(at: original("a"), in: home)
            try reopen(home).inside { library throws in
                #expect(library.recovery.newlyMissing == 0)
                #expect(try library.condition(of: "a") == .corrupt)
                #expect(library.recovery.orphanFiles.isEmpty)
            }
        }
    }

    @Test(arguments: [Obstacle.directory, .fifo, .symlink])
    func theStartSeesThatItIsNoFile(obstacle: Obstacle) throws {
        try withLibrary(["a"], "kind \(obstacle)") { home, _ in
            try obstacle.put(at: original("a"), in: home)
            try reopen(home).inside { library throws in #expect(try library.condition(of: "a") == .corrupt) }
        }
    }
}
