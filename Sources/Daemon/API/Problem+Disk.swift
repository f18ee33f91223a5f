import Control
import Platform
import SQLite

/// A disk that refuses, as the API tells it: what, why, and what to do.
extension Problem {
    /// Nil where the disk is not at fault.
    init?(ofDisk error: FileError) {
        switch error {
        case _ where error.isNoSpace: self = .noRoom
        case _ where error.isReadOnly: self = .readOnly
        case _ where error.isTooManyFiles: self = .tooManyOpenFiles
        case _ where error.isPermission:
            self = .unavailable("albumd may not: \(error)", fix: "\(FileError.permissionAdvice), then try again")
        case _ where error.isUnreachable: self = .brokenDisk(error.description)
        default: return nil
        }
    }

    /// Nil where the disk is not at fault.
    init?(ofDisk error: DatabaseError) {
        switch error {
        case _ where error.isFull: self = .noRoom
        case _ where error.isReadOnly: self = .readOnly
        case _ where error.isUnopened: self = .unopenedCatalogue
        case _ where error.isCorrupt: self = .damagedCatalogue
        case _ where error.isIOError: self = .brokenDisk("the catalogue could not be read or written")
        default: return nil
        }
    }

    /// What was met by another request: nothing is written any more.
    static var ending: Problem {
        .unavailable("the library's disk or its catalogue failed, and albumd ends", fix: "try again in a minute")
    }

    private static var noRoom: Problem {
        Problem(
            "notEnoughSpace", title: "No room", status: 507,
            detail: "the library's disk is full, or its quota or size limit is reached: nothing was changed",
            code: 3305, fix: "free some space on the library's disk, then try again")
    }

    static let moreOpenFiles =
        "raise LimitNOFILE (systemctl edit albumd; elsewhere ulimit -n) to some thousands, then start albumd again"

    private static var tooManyOpenFiles: Problem {
        .unavailable(
            "a file could not be opened: albumd, or the machine, has as many open as are allowed", fix: moreOpenFiles)
    }

    /// SQLite does not say why.
    private static var unopenedCatalogue: Problem {
        .unavailable(
            "a file of the catalogue cannot be opened: it is away, or albumd has as many open as are allowed",
            fix: "see that the library's disk is mounted; else \(moreOpenFiles)")
    }

    private static var readOnly: Problem {
        Problem(
            "libraryReadOnly", title: "The library cannot be written", status: 503,
            detail: "the library's file system is read-only: nothing was changed",
            fix: "look at dmesg, mend the file system, mount it read-write, then try again")
    }

    private static var damagedCatalogue: Problem {
        Problem(
            "catalogueDamaged", title: "The catalogue is damaged", status: 503,
            detail: "the catalogue is damaged: albumd ends, and rebuilds it at its next start",
            fix: "try again in a minute; without a service manager, start albumd again")
    }

    private static func brokenDisk(_ what: String) -> Problem {
        Problem(
            "ioError", title: "The disk failed", status: 500, detail: "the library's disk failed: \(what)",
            fix: "look at dmesg and at the disk's health; journalctl -u albumd says more")
    }
}
