import PhotoModel
import Testing

@testable import Cloud
@testable import Daemon

/// `[cloud]` of the configuration.
@Suite struct CloudSettingsTests {
    @Test func everyKeyIsTaken() throws {
        let cloud = try parse(
            """
            [cloud]
            engine = "none"
            directory = "/srv/cloud/"
            upload = "all"
            keep_local = "20GB"
            free_disk_floor = "1.5TB"
            older_than = "365d"
            delete_purged = "12h"
            [cloud.simulator]
            latency = "200ms"
            bandwidth = "5MB/s"
            quota = "10GB"
            seed = 7
            error_rate = 0.1
            throttle_rate = 0.2
            break_rate = 0.3
            lie_rate = 0.4
            truncate_rate = 0.5
            corrupt_rate = 1
            outage_every = "10m"
            outage_for = "30s"
            list_delay = "2s"
            versions = false
            """
        ).cloud
        #expect(cloud.engine == .none && cloud.directory == Array("/srv/cloud".utf8) && cloud.seed == 7)
        #expect(cloud.policy.uploadsAll && cloud.policy.keepLocal == 20_000_000_000)
        #expect(cloud.policy.freeDiskFloor == 1_500_000_000_000)
        #expect(cloud.policy.olderThan == .seconds(365 * 86_400) && cloud.policy.deletesPurged == .seconds(43_200))
        let faults = cloud.faults
        #expect(faults.latency == .milliseconds(200) && faults.listDelay == .seconds(2) && !faults.keepsVersions)
        #expect(faults.bytesPerSecond == 5_000_000 && faults.quotaBytes == 10_000_000_000)
        #expect(faults.outage == SimulatedFaults.Outage(up: .seconds(600), down: .seconds(30)))
        #expect([faults.errorRate, faults.throttleRate, faults.breakRate] == [0.1, 0.2, 0.3])
        #expect([faults.lieRate, faults.truncateRate, faults.corruptRate] == [0.4, 0.5, 1])
    }

    /// Beside the library, works, and moves nothing by itself.
    @Test func withNothingSaidItIsSimulated() throws {
        let cloud = try parse("").cloud
        #expect(cloud == CloudSettings())
        #expect(cloud.engine == .simulator && cloud.directory == nil && cloud.policy == CloudPolicy())
    }

    @Test(arguments: [
        ("engine = \"s3\"", "f.toml:2:10: engine = \"s3\" is not allowed; allowed are \"simulator\", \"none\""),
        ("directory = \"cloud\"", "f.toml:2:13: directory = \"cloud\" is not absolute; write the whole path from /"),
        ("upload = true", "f.toml:2:10: upload = true is not allowed; allowed are \"needed\", \"all\""),
        (
            "keep_local = \"20 GB\"",
            "f.toml:2:14: keep_local = \"20 GB\" is no number of bytes; write a number with B, kB, MB, GB, TB or PB, such "
                + "as \"20GB\", or \"all\""
        ),
        ("keep_local = 20", "f.toml:2:14: keep_local = 20 is no number of bytes"),
        ("free_disk_floor = \"all\"", "f.toml:2:19: free_disk_floor = \"all\" is no number of bytes"),
        (
            "older_than = \"1y\"",
            "f.toml:2:14: older_than = \"1y\" is no age; write a whole number with d, h, m, s or ms, such as \"365d\" or "
                + "\"12h\", or \"never\""
        ),
        ("delete_purged = \"-1d\"", "f.toml:2:17: delete_purged = \"-1d\" is no age"),
        ("keep_locl = \"1GB\"", "f.toml:2:1: unknown key keep_locl; did you mean keep_local?"),
        ("simulator = 1", "f.toml:2:13: simulator = 1 is no table; write [cloud.simulator] above its keys"),
    ])
    func aFaultIsSaidWithItsPlaceAndTheRemedy(line: String, expected: String) {
        let told = message("[cloud]\n" + line)
        #expect(told.hasPrefix(expected), "\(told)")
    }

    @Test(arguments: [
        ("latency = \"soon\"", "f.toml:2:11: latency = \"soon\" is no duration"),
        ("latency = \"25h\"", "f.toml:2:11: latency = \"25h\" is out of range; allowed is from 0ms to 24h"),
        (
            "bandwidth = \"5MB/h\"",
            "f.toml:2:13: bandwidth = \"5MB/h\" is no number of bytes; write a number with B, kB, MB,"
        ),
        ("error_rate = 1.5", "f.toml:2:14: error_rate = 1.5 is no number from 0.0 to 1.0"),
        ("error_rate = \"0.1\"", "f.toml:2:14: error_rate = \"0.1\" is no number from 0.0 to 1.0"),
        ("corrupt_rate = nan", "f.toml:2:16: corrupt_rate = nan is no number from 0.0 to 1.0"),
        ("seed = -1", "f.toml:2:8: seed = -1 is no whole number that is at least 0"),
        ("seed = 1.5", "f.toml:2:8: seed = 1.5 is no whole number that is at least 0"),
        ("versions = 1", "f.toml:2:12: versions = 1 is neither true nor false"),
        ("eror_rate = 1", "f.toml:2:1: unknown key eror_rate; did you mean error_rate?"),
    ])
    func aFaultOfTheSimulatorIsSaidToo(line: String, expected: String) {
        let told = message("[cloud.simulator]\n" + line)
        #expect(told.hasPrefix(expected), "\(told)")
    }

    @Test func aCloudThatIsNoTableIsRefused() {
        #expect(message("cloud = 3").hasPrefix("f.toml:1:9: cloud = 3 is no table; write [cloud] above its keys"))
    }
}
