import Control
import Glibc
import PhotoModel
import PhotoStore
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

/// The same of an original that cannot be removed: EPERM is an attribute, its own or its directory's (unlink(2)).
func removalAdvice(_ original: UnremovedOriginal, in library: [UInt8]) -> String {
    guard original.error.code == EPERM else { return libraryAdvice(original.error) }
    let file = PathBytes(library).appending(original.path.bytes)
    let both = "\(shellWord(path: file.directory.bytes)) \(shellWord(path: file.bytes))"
    return "lsattr -d \(both) shows an i or an a on what keeps it there: then chattr -i -a on that"
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

extension StatusProblem {
    /// Originals that were deleted for good and are still there; nil where none is.
    init?(unremoved: [UnremovedOriginal], in library: [UInt8]) {
        guard let first = unremoved.first else { return nil }
        let count = counted(unremoved.count, "original", one: "was", many: "were")
        self.init(
            what:
                "\(count) deleted for good and cannot be removed, '\(printable(first.path.bytes))' first: \(first.error)",
            fix: removalAdvice(first, in: library)
                + ", then albumctl repair; albumd tries by itself within the hour, too")
    }
}
