import Control
import FoundationEssentials
import Importing
import PhotoModel
import Testing

@testable import Daemon

/// What a monitoring system is told.
@Suite struct MetricsTests {
    private static let date = Date(timeIntervalSince1970: 0)

    private var metrics: Metrics {
        var status = FolderStatus(
            rule: FolderRule(path: Array("/in".utf8), album: "Inbox"), folder: nil, standing: .online,
            watching: .inotify, isScanning: false, isScanOwed: false, lastScan: nil, isMarked: true, unreadable: [:])
        status.rule.onSourceDeleted = .trash
        (status.isOtherDirectory, status.scanCount) = (true, 5)
        let row = FolderRow(rule: status.rule, standing: "online", watching: "inotify", isFromCommand: false)
        let held = (1...2).map { HeldRow(token: "\($0)", folder: "/in", since: Self.date, count: 25, paths: []) }
        var cloud = CloudReport(engine: "simulated")
        cloud.residencies = ["local": CountAndBytes(count: 2, byteCount: 5)]
        (cloud.transfers, cloud.failure) = (["uploading": 3], "quotaExceeded: no room")
        let report = StatusReport(
            summary: "", isDegraded: true, problems: [], version: "1", library: "/l",
            libraryIdentifier: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), uptimeSeconds: 1,
            assetCount: 3, originalCount: 4, originalByteCount: 5, orphanCount: 6, token: 7, journaledToken: 7,
            waiting: ["settling": 1], sources: ["imported": 3], isScanning: false, watches: 1, overflows: 0,
            watcherRestarts: 0, deletion: DeletionStatus(needsConfirmation: held),
            cloud: CloudStatus(cloud), folders: [row])
        return Metrics(report: report, engine: EngineStatus(folders: [status]), unsound: [.missing: 2])
    }

    @Test(arguments: [
        #"originals_unsound{condition="missing"} 2"#, #"originals_unsound{condition="corrupt"} 0"#,
        "deletions_held 50", "deletions_to_confirm 2", "deletions_unknown 1", "folders_to_confirm 1", "scans 5",
        #"waiting{reason="settling"} 1"#, "degraded 1", "lost 0",
        "cloud_trouble 1", #"transfers{transfer="uploading"} 3"#, #"residency_originals{residency="local"} 2"#,
        #"residency_bytes{residency="local"} 5"#,
    ])
    func whatNeedsAPersonIsANumber(line: String) {
        #expect(metrics.text.split(separator: "\n").contains("albumd_\(line)"))
    }

    @Test func theDocumentNamesEachGaugeAndNoOther() throws {
        let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/openapi.yaml")
        let text = try String(contentsOf: document, encoding: .utf8)
        let start = try #require(text.firstRange(of: "  /v1/metrics:")?.upperBound)
        let end = try #require(text[start...].firstRange(of: "  /v1/flush:")?.lowerBound)
        let documented = text[start..<end].matches(of: /albumd_[a-z_]+/).map { String($0.output) }
        let said = metrics.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
            .compactMap { $0.split(separator: " ").dropFirst(2).first.map(String.init) }
        #expect(documented.sorted() == said.sorted())
    }
}
