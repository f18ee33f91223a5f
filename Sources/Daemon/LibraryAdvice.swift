import Control
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

private let freeSomeSpace = "free some space on the library's disk"
private let mountReadWrite = "look at dmesg, mend the library's file system, and mount it read-write"
