import Glibc
import Platform
import TestSupport
import Testing

@testable import Daemon

/// `folder check` names what mends the very fault it has found.
@Suite struct FolderCheckTests {
    @Test(arguments: [(EROFS, "remount,rw", "setfacl"), (EPERM, "chattr -i", "setfacl"), (EACCES, "setfacl", "chattr")])
    func whatKeepsFilesFromBeingRemovedIsMendedByItsOwnRemedy(code: Int32, word: String, other: String) throws {
        let machine = SimulatedMachine(seed: 1).machine
        let checker = FolderChecker(machine: machine, library: machine.makeUUID(), polling: [:])
        let fix = checker.removalFix(Array("/in".utf8), code)
        #expect(fix.contains(word) && !fix.contains(other) && fix.contains("'/in'"))
    }
}
