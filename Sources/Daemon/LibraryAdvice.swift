import Control
import Glibc
import Platform
import SQLite

/// What mends it that something cannot be written into the library: the advice follows the error.
func libraryAdvice(_ error: any Error) -> String {
    switch error {
    case let error as FileError where error.isNoSpace: freeSomeSpace
    case let error as FileError where error.isReadOnly: mountReadWrite
    case let error as FileError where error.isTooManyFiles: Problem.moreOpenFiles
    case let error as FileError where error.isPermission: FileError.permissionAdvice
    case let error as DatabaseError where error.isFull: freeSomeSpace
    case let error as DatabaseError where error.isReadOnly: mountReadWrite
    default: "look at dmesg and at the disk's health; journalctl -u albumd says more"
    }
}

/// The same of what cannot be removed: EPERM is an attribute (unlink(2)).
func removalAdvice(_ error: FileError) -> String {
    error.code == EPERM
        ? "lsattr -d tells whether its directory in originals is immutable or append-only: then chattr -i -a"
        : libraryAdvice(error)
}

/// What mends it that an original cannot be opened, where it is not the disk that keeps it from that; nil where it may be.
func fixOfOriginal(_ error: FileError) -> String? {
    switch error.code {
    case EXDEV: "something is mounted inside the library's originals: umount it, then albumctl verify"
    case ELOOP:
        "a symlink stands where an original, or its directory, should be: put the file itself there, or remove the symlink, "
            + "then albumctl repair"
    default: nil
    }
}

let freeSomeSpace = "free some space on the library's disk"
private let mountReadWrite = "look at dmesg, mend the library's file system, and mount it read-write"
