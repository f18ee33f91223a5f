import Control
import Glibc
import PhotoStore
import Platform
import SQLite
import Testing

@testable import Daemon

/// A disk that refuses is told in sentences, with what mends it, and never in the words of a library.
@Suite struct DiskProblemTests {
    @Test(arguments: [
        (ENOSPC, "notEnoughSpace", "free some space"), (EDQUOT, "notEnoughSpace", "free some space"),
        (EROFS, "libraryReadOnly", "read-write"), (EMFILE, "unavailable", "LimitNOFILE"),
        (ENFILE, "unavailable", "LimitNOFILE"), (EIO, "ioError", "dmesg"), (EPERM, "unavailable", "lsattr"),
        (EACCES, "unavailable", "chown"),
    ])
    func aFileThatCannotBeWritten(code: Int32, type: String, fix: String) throws {
        let problem = try #require(Problem(ofDisk: FileError(code: code, verb: "openat2", path: Array("d6/x".utf8))))
        #expect(problem.type == "albumd:" + type)
        #expect(problem.fix?.contains(fix) == true)
    }

    @Test(arguments: [
        (13, 0, "notEnoughSpace"), (778, EDQUOT, "notEnoughSpace"), (8, 0, "libraryReadOnly"),
        (778, EROFS, "libraryReadOnly"), (778, EIO, "ioError"), (10, 0, "ioError"), (11, 0, "catalogueDamaged"),
        (779, 0, "catalogueDamaged"), (26, 0, "catalogueDamaged"), (14, 0, "unavailable"),
    ])
    func aCatalogueThatCannotBeWritten(code: Int32, systemError: Int32, type: String) throws {
        let error = DatabaseError(code: code, message: "m", sql: "COMMIT", systemError: systemError)
        let problem = try #require(Problem(ofDisk: error))
        #expect(problem.type == "albumd:" + type)
        #expect(!problem.detail.contains("SQLite") && !problem.detail.contains("COMMIT"))
        #expect(error.isIOError == (type == "ioError"))
    }

    /// What status says of the snapshots and the journal.
    @Test(arguments: [
        (ENOSPC, "free some space"), (EROFS, "read-write"), (EACCES, "chown"), (EPERM, "lsattr"),
        (EMFILE, "LimitNOFILE"), (EIO, "dmesg"), (ENOENT, "dmesg"),
    ])
    func theAdviceFollowsTheError(code: Int32, words: String) {
        let advice = libraryAdvice(FileError(code: code, verb: "openat2"))
        #expect(advice.contains(words) && advice.contains("space") == (code == ENOSPC), "\(advice)")
    }

    @Test(arguments: [
        (13, 0, "free some space"), (8, 0, "read-write"), (778, EIO, "dmesg"), (778, EROFS, "read-write"),
    ])
    func theAdviceFollowsTheCataloguesError(code: Int32, systemError: Int32, words: String) {
        let error = DatabaseError(code: code, message: "m", sql: "COMMIT", systemError: systemError)
        #expect(libraryAdvice(error).contains(words))
    }

    /// The disk is well, and what stands in an original's place is not its file.
    @Test(arguments: [(EXDEV, "umount"), (ELOOP, "symlink"), (EIO, nil)])
    func whatStandsInAnOriginalsPlaceIsNamed(code: Int32, word: String?) {
        let fix = fixOfOriginal(FileError(code: code, verb: "openat2"))
        #expect(word.map { fix?.contains($0) == true } ?? (fix == nil))
    }

    @Test func whatIsNotTheDisksFaultIsNone() {
        #expect(Problem(ofDisk: FileError(code: ENOENT, verb: "open")) == nil)
        #expect(Problem(ofDisk: DatabaseError(code: 19, message: "constraint")) == nil)
    }

    /// RULES R10, R49: I/O errors, SQLITE_CORRUPT, SQLITE_CORRUPT_INDEX, SQLITE_NOTADB, SQLITE_READONLY_DBMOVED.
    @Test(arguments: [
        (10, true), (266, true), (11, true), (779, true), (26, true), (1032, true), (13, false), (8, false), (5, false),
        (19, false),
    ])
    func whatOnlyANewStartCanJudgeEndsTheDaemon(code: Int32, isFatal: Bool) {
        let fatal = FatalFailure()
        fatal.note(ifCatalogueFailed: DatabaseError(code: code, message: "m"))
        #expect((fatal.error != nil) == isFatal)
        #expect(fatal.error.map { Daemon.exitCode(of: $0) == EX_IOERR } ?? true)
    }

    /// 78 would keep the service manager from trying again (RULES R52).
    @Test func aStartOnADiskThatRefusesSaysWhatMendsItAndIsTriedAgain() {
        let readOnly = LibraryError.fileSystemReadOnly(path: "/srv/library")
        #expect(Daemon.exitCode(of: readOnly) == EX_IOERR)
        #expect(Daemon.sentence(of: readOnly).contains("mount it read-write"))
        for code in [EIO, EBADMSG, EUCLEAN, EROFS] {
            let error = FileError(code: code, verb: "openat2", path: Array("59".utf8))
            #expect(Daemon.exitCode(of: error) == EX_IOERR)
            #expect(Daemon.sentence(of: error).contains("dmesg"))
        }
        #expect(Daemon.sentence(of: DatabaseError(code: 10, message: "disk I/O error")).contains("dmesg"))
    }

    @Test func aCommandToPasteIsAboutTheLibraryOfThisConfiguration() throws {
        let sentence = Daemon.sentence(of: LibraryError.journalIncomplete(upTo: 7))
        #expect(sentence.contains("albumctl library rebuild --partial"))
        var options = try Options([])
        options.configuration = Array("/srv/my photos.toml".utf8)
        let whole = options.completing(sentence, user: nil)
        #expect(whole.contains("albumctl library rebuild --config '/srv/my photos.toml' --partial"))
        let rebuilding = options.rebuilding(user: "albumd")
        #expect(rebuilding.contains("; sudo -u albumd albumctl library rebuild --config '/srv/my photos.toml'; "))
    }

    @Test(arguments: [true, false]) func aFatalFailureEndsTheDaemonWheneverItIsMet(isEarly: Bool) {
        let fatal = FatalFailure()
        let ended = Monitor(0)
        let error = DatabaseError(code: 10, message: "disk I/O error")
        if isEarly { fatal.note(error) }
        fatal.whenNoted { ended.update { $0 += 1 } }
        if !isEarly { fatal.note(error) }
        #expect(ended.update { $0 } == 1)
        #expect(fatal.error.map(Daemon.exitCode) == EX_IOERR)
        fatal.note(FileError(code: EROFS, verb: "open"))
        #expect(fatal.error as? DatabaseError == error)
    }
}
