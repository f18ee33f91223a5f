import PhotoStore
import Platform
import TestSupport
import Testing

@testable import Daemon

/// `albumd --rebuild-library` where there is nothing to rebuild.
@Suite struct RebuildCommandTests {
    @Test(arguments: [true, false]) func withoutALibraryItAsksForTheConfigurationThatNamesIt(isDryRun: Bool) throws {
        var options = PhotoLibrary.RebuildOptions()
        options.isDryRun = isDryRun
        let command = RebuildCommand(
            library: Array("/nowhere/library".utf8), options: options, isJSON: false,
            machine: SimulatedMachine(seed: 1).machine)
        do {
            _ = try command.run()
            Issue.record("it ran")
        } catch let error as ConfigurationError {
            #expect(error.description.contains("'/nowhere/library'") && error.description.contains("--config FILE"))
        }
    }
}
