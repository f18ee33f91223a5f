import Cloud
import PhotoStore
import Platform
import Testing

@testable import Daemon

/// A changed `[cloud]` while the tier is at work.
@Suite struct CloudReloadTests {
    @Test func rulesAndFaultsHoldFromTheReloadOn() throws {
        let scratch = try Scratch()
        let machine = Machine.live(log: .standardError(minimum: .fault))
        let library = try PhotoLibrary.open(
            Array((scratch.path + "/library").utf8), machine: machine, executor: .inline())
        defer { library.onThread { $0.close() } }
        let readers = try LibraryReaders(of: library, count: 1)
        defer { readers.close() }
        var settings = CloudSettings()
        let (opened, _) = try CloudService.open(settings, library: library, readers: readers, machine: machine)
        let cloud = try #require(opened)
        defer { cloud.stop() }
        // What a person simulates stays, until the configuration says something else of it.
        cloud.store.faults.isOffline = true
        settings.policy.keepLocal = 20
        settings.policy.deletesPurged = .seconds(60)
        cloud.adopt(settings)
        #expect(cloud.policy() == settings.policy)
        #expect(cloud.store.faults.isOffline)
        settings.faults.errorRate = 0.5
        cloud.adopt(settings)
        #expect(cloud.store.faults == settings.faults)
    }
}
