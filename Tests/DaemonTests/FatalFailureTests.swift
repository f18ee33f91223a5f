import PhotoStore
import SQLite
import Testing

@testable import Daemon

@Suite struct FatalFailureTests {
    /// The daemon ends with 74, which a service manager answers with another start: that one rebuilds.
    @Test func aCatalogueThatACheckFoundDamagedEndsTheDaemonAsOneThatSQLiteMet() {
        let failure = FatalFailure()
        failure.note(ifCatalogueFailed: LibraryError.notALibrary(path: "/library"))
        #expect(failure.error == nil)
        failure.note(ifCatalogueFailed: LibraryError.catalogueDamaged(path: "/library", findings: ["page 7"]))
        #expect((failure.error as? DatabaseError)?.isCorrupt == true)
    }
}
