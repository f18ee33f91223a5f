import PhotoStore
import Platform
import TestSupport
import Testing

@testable import Daemon

/// An albumd that was killed a moment ago is waited for, one that lives is not.
@Suite struct PatienceTests {
    private let simulation = SimulatedMachine()
    private struct Other: Error {}

    @Test func whatIsLetGoAMomentLaterIsTaken() throws {
        var attempts = 0
        let value = try patiently(simulation.machine) {
            attempts += 1
            guard attempts > 2 else { throw LibraryError.inUse(path: "/library", holder: "pid 1") }
            return attempts
        }
        #expect(value == 3)
    }

    @Test func whatIsHeldForTwoSecondsIsRefused() {
        #expect(throws: LibraryError.self) {
            try patiently(simulation.machine) {
                simulation.advance(by: .seconds(1))
                throw LibraryError.inUse(path: "/library", holder: "pid 1")
            }
        }
    }

    @Test func anotherErrorIsThrownAtOnce() {
        var attempts = 0
        #expect(throws: Other.self) {
            try patiently(simulation.machine) {
                attempts += 1
                throw Other()
            }
        }
        #expect(attempts == 1)
    }
}
