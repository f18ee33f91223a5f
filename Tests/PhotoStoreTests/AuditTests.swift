import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import PhotoStore

/// What stands under the names of originals, and what is written down of it.
@Suite struct AuditTests {
    private func withAudit(
        _ test: String = #function, _ body: (SimulatedLibrary, isolated PhotoLibrary) throws -> Void
    ) throws {
        // The disk is named after the test.
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            // The inline executor runs it on this very thread.
            nonisolated(unsafe) let body = body
            // As above.
            nonisolated(unsafe) let home = home
            try library.inside { library throws in
                try library.importAssets(["a", "bb", "ccc"])
                try body(home, library)
            }
        }
    }

    private func look(_ text: String, in library: PhotoLibrary, reading: Bool = true) throws -> StoredBytes {
        library.directory.originals.look(at: try Sample.content(text), reading: reading)
    }

    @Test func soundBytesAreNoFinding() throws {
        try withAudit { _, library in
            let content = try Sample.content("a")
            #expect(try look("a", in: library).finding == .sound)
            #expect(try library.record([(content, look("a", in: library))]) == [])
        }
    }

    @Test(arguments: [("bX", true), ("b", false), ("", false)])
    func otherBytesAreCorruptAndThatIsWrittenDown(bytes: String, needsReading: Bool) throws {
        try withAudit { home, library in
            try home.program.write(original("bb"), Array(bytes.utf8))
            #expect(try look("bb", in: library, reading: false).finding == (needsReading ? .sound : .corrupt))
            let findings = try library.record([(Sample.content("bb"), look("bb", in: library))])
            #expect(findings.map(\.finding) == [.corrupt])
            #expect(try library.condition(of: "bb") == .corrupt)
            #expect(try library.read { try $0.unsoundContents(after: nil, limit: 9).count } == 1)
        }
    }

    @Test func whatIsMissingIsSoundAgainWhenItIsBack() throws {
        try withAudit { home, library in
            let content = try Sample.content("a")
            try home.program.rename(original("a"), to: Array("/aside".utf8))
            #expect(try library.record([(content, look("a", in: library))]).map(\.finding) == [.missing])
            #expect(try library.condition(of: "a") == .missing)
            try home.program.rename(Array("/aside".utf8), to: original("a"))
            let findings = try library.record([(content, look("a", in: library))])
            #expect(findings.map(\.finding) == [.sound] && findings.first?.version.condition == .missing)
            #expect(try library.condition(of: "a") == .sound)
        }
    }

    /// Nobody can use it: status says so until it can be read again.
    @Test(arguments: [EIO, EBADMSG, EACCES, ELOOP])
    func whatCannotBeReadIsSaidAndRemembered(code: Int32) throws {
        try withAudit("unreadable \(code)") { home, library in
            let content = try Sample.content("a")
            try home.files.breakNode(at: original("a"), code)
            let broken = try look("a", in: library)
            guard case .unreadable(let error) = broken.finding else {
                Issue.record("\(broken)")
                return
            }
            #expect(error.code == code)
            #expect(try library.record([(content, broken)]).map(\.finding) == [broken.finding])
            #expect(try library.condition(of: "a") == .corrupt)
            try home.files.heal(at: original("a"))
            #expect(try library.record([(content, broken)]).map(\.finding) == [.sound])
            #expect(try library.condition(of: "a") == .sound)
        }
    }

    @Test func aShortageOfDescriptorsSaysNothingOfTheFile() throws {
        try withAudit { home, library in
            let content = try Sample.content("a")
            home.files.failNext(.openForReading, EMFILE)
            let short = try look("a", in: library)
            home.files.failNext(.openForReading, EMFILE)
            home.files.failNext(.openForReading, EMFILE)
            _ = try library.record([(content, short)])
            home.files.forgetFaults()
            #expect(try library.condition(of: "a") == .sound)
        }
    }

    /// What SQLite reads of such a disk looks damaged.
    @Test func aDiskThatCannotBeReadIsToldApartFromADamagedCatalogue() throws {
        try withAudit { home, library in
            #expect(library.directory.diskFailure(home.files) == nil)
            home.files.failNext(.openForReading, EMFILE)
            #expect(library.directory.diskFailure(home.files) == nil)
            home.files.failNext(.openForReading, EIO)
            #expect(library.directory.diskFailure(home.files)?.code == EIO)
        }
    }

    /// The look says corrupt, and before it is written down the bytes are published anew.
    @Test func anOvertakenLookIsTakenAgain() throws {
        try withAudit { home, library in
            try home.program.write(original("bb"), Array("xx".utf8))
            let old = try look("bb", in: library)
            _ = try library.publish([library.stage("bb")], origin: "import") { _ in }
            #expect(try library.record([(Sample.content("bb"), old)]) == [])
            #expect(try library.condition(of: "bb") == .sound)
        }
    }

    @Test func whatWasPurgedMeanwhileIsNoFinding() throws {
        try withAudit { home, library in
            let content = try Sample.content("a")
            let old = StoredBytes(finding: .missing)
            try library.perform(
                .trashAssets(AssetTrashing(assets: [Sample.identifier(1)], reason: .person, runningSeconds: 0)))
            try library.purge([Sample.identifier(1)], origin: "test", reason: .person)
            #expect(try library.record([(content, old)]) == [])
            #expect(try library.orphans() == [])
        }
    }

    @Test func aPaceThatSaysStopEndsTheLook() throws {
        try withAudit { _, library in
            let look = library.directory.originals.look(
                at: try Sample.content("a"), reading: true, pace: { _ in false })
            #expect(look.finding == .stopped)
            #expect(try library.record([(Sample.content("a"), look)]) == [])
        }
    }

    @Test func anOrphanIsListedAndDeletedOnlyByItsOwnVerb() throws {
        try withAudit { home, library in
            let path = try original("orphan")
            try home.program.makeDirectory(Array(path.prefix(21)))
            try home.program.write(path, Array("orphan".utf8))
            let orphans = try library.orphans()
            #expect(orphans.map(\.hash) == [try Sample.content("orphan").hash])
            let orphan = try #require(orphans.first)
            #expect(Array("/library/".utf8) + orphan.path.bytes == path)
            #expect(try library.discard(orphan))
            #expect(try library.orphans() == [])
            #expect(throws: FileError.self) { try home.program.read(path) }
        }
    }

    /// An original that is missing under its own name may be there with another extension.
    @Test func anOrphanThatMayMendAnOriginalIsKept() throws {
        try withAudit { home, library in
            let other = try Array(original("a").dropLast(3)) + Array("png".utf8)
            try home.program.rename(original("a"), to: other)
            let orphan = try #require(try library.orphans().first)
            #expect(try library.discard(orphan) == false)
            #expect(try Repairer(library).mend(Sample.content("a"), isDryRun: false) == .mended(from: PathBytes(other)))
            #expect(try library.discard(orphan))
            #expect(try look("a", in: library).finding == .sound)
        }
    }

    /// It is listed in the moment between its rename and its row.
    @Test func whatIsBeingPublishedIsNoOrphan() throws {
        try withAudit { home, library in
            // Called back on this very thread.
            nonisolated(unsafe) let catalogue = library.catalogue
            let originals = library.directory.originals
            let seen = Monitor<[Orphan]>([])
            home.simulated.onReach { milestone in
                guard milestone == .originalsDurable else { return }
                let found = try originals.unnamed(in: catalogue)
                seen.update { $0 = found }
            }
            try library.importAssets(["dddd"], first: 9)
            home.simulated.onReach(nil)
            #expect(seen.update { $0.count } == 1)
            #expect(try library.orphans(among: seen.update { $0 }) == [])
        }
    }

    /// By the time that it is to be deleted its source has been seen again.
    @Test func anAdoptedOrphanIsKept() throws {
        try withAudit { home, library in
            let path = try original("dddd")
            try home.program.makeDirectory(Array(path.prefix(21)))
            try home.program.write(path, Array("dddd".utf8))
            let orphan = try #require(try library.orphans().first)
            try library.importAssets(["dddd"], first: 9)
            #expect(try library.discard(orphan) == false)
            #expect(try look("dddd", in: library).finding == .sound)
        }
    }
}

extension PhotoLibrary {
    fileprivate func orphans() throws -> [Orphan] {
        try orphans(among: directory.originals.unnamed(in: catalogue))
    }
}

/// Where a text of these tests is stored.
func original(_ text: String) throws -> [UInt8] {
    Array("/library/".utf8) + (try Sample.content(text)).path.bytes
}
