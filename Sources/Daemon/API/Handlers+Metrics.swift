import Control
import Importing
import PhotoModel
import PhotoStore

/// What a monitoring system wants to know.
extension LibraryService {
    func metrics() async throws -> [UInt8] {
        let unsound = try await read { try $0.unsoundCounts() }
        return Array(Metrics(report: try await status(), engine: importing.status, unsound: unsound).text.utf8)
    }
}

/// Gauges in the Prometheus text format 0.0.4; docs/openapi.yaml lists them.
///
/// Pure.
struct Metrics {
    var report: StatusReport
    var engine: EngineStatus
    var unsound: [Condition: Int]

    private struct Gauge {
        var name: String
        var help: String
        var values: [(labels: String, value: Int64)]

        init(_ name: String, _ help: String, _ value: some BinaryInteger) {
            (self.name, self.help, values) = (name, help, [("", Int64(value))])
        }

        init(_ name: String, _ help: String, by label: String, _ counts: [String: Int]) {
            (self.name, self.help) = (name, help)
            values = counts.sorted { $0.key < $1.key }.map { (#"{\#(label)="\#($0.key)"}"#, Int64($0.value)) }
        }

        var lines: [String] {
            ["# HELP albumd_\(name) \(help)", "# TYPE albumd_\(name) gauge"]
                + values.map { "albumd_\(name)\($0.labels) \($0.value)" }
        }
    }

    var text: String {
        (libraryGauges + factsGauges + cloudGauges + deletionGauges + folderGauges).flatMap(\.lines).joined(
            separator: "\n") + "\n"
    }

    private var libraryGauges: [Gauge] {
        let conditions = [Condition.missing, .corrupt].map { ($0.rawValue, unsound[$0] ?? 0) }
        return [
            Gauge("degraded", "1 where somebody has to act.", report.isDegraded ? 1 : 0),
            Gauge("assets", "Live assets.", report.assetCount),
            Gauge("originals", "Stored originals.", report.originalCount),
            Gauge("original_bytes", "Bytes of the stored originals.", report.originalByteCount),
            Gauge(
                "originals_unsound", "Originals that are missing or corrupt.", by: "condition",
                Dictionary(uniqueKeysWithValues: conditions)),
            Gauge("orphans", "Originals that no row names.", report.orphanCount),
            Gauge("token", "Token of the newest change.", report.token),
            Gauge("journaled_token", "Token of the newest change in the journal.", report.journaledToken),
        ]
    }

    private var factsGauges: [Gauge] {
        [
            Gauge("facts_known", "Assets whose facts are known.", report.facts.knownCount),
            Gauge("facts_waiting", "Assets whose bytes are still to be read.", report.facts.waitingCount),
            Gauge("facts_unreadable", "Originals whose bytes could not be read.", report.facts.unreadableCount),
            Gauge("facts_available", "0 where no facts can be read.", report.facts.unavailable == nil ? 1 : 0),
        ]
    }

    private var cloudGauges: [Gauge] {
        let cloud = report.cloud
        return [
            Gauge(
                "residency_originals", "Originals by where they are.", by: "residency",
                cloud.residencies.mapValues(\.count)),
            Gauge(
                "residency_bytes", "Bytes of originals by where they are.", by: "residency",
                cloud.residencies.mapValues { Int($0.byteCount) }),
            Gauge("transfers", "Originals on their way, by step.", by: "transfer", cloud.transfers),
            Gauge("lost", "Originals on neither the disk nor the cloud.", cloud.lostCount),
            Gauge(
                "cloud_trouble", "1 while something keeps originals or the history from the cloud.",
                cloud.failure == nil ? 0 : 1),
            Gauge("doubts", "Copies that the cloud denied once.", cloud.doubtCount),
            Gauge("unclaimed", "Originals in the cloud that no photo has.", cloud.unclaimedCount),
        ]
    }

    private var deletionGauges: [Gauge] {
        let held = report.deletion.needsConfirmation
        return [
            Gauge("trashed", "Assets in Recently Deleted.", report.deletion.trashedCount),
            Gauge("purged", "Assets that were deleted for good.", report.deletion.purgedCount),
            Gauge(
                "deletions_held", "Deleted files that wait for a confirmation.", held.reduce(0) { $0 + $1.count }),
            Gauge("deletions_to_confirm", "Mass deletions that wait for albumctl confirm.", held.count),
            Gauge(
                "deletions_unknown", "Mirrored folders in which deletions have not been looked for since the start.",
                engine.folders.count(where: \.owesDeletionLook)),
        ]
    }

    private var folderGauges: [Gauge] {
        [
            Gauge("folders_offline", "Folders that are not online.", report.folders.count { $0.standing != "online" }),
            Gauge(
                "folders_to_confirm", "Folders that wait for albumctl folder confirm.",
                engine.folders.count(where: \.waitsForConfirmation)),
            Gauge("scans", "Scans of folders since the start.", engine.folders.reduce(0) { $0 + $1.scanCount }),
            Gauge("inotify_watches", "Directories watched.", report.watches),
            Gauge("inotify_overflows", "Overflows since the start.", report.overflows),
            Gauge("watcher_restarts", "Watcher restarts since the start.", report.watcherRestarts),
            Gauge("waiting", "Candidates by reason.", by: "reason", report.waiting),
            Gauge("sources", "Sources by outcome.", by: "outcome", report.sources),
        ]
    }
}

extension FolderStatus {
    /// Whether it stands still, or does not follow deletions, until a person says that it is the right one.
    fileprivate var waitsForConfirmation: Bool {
        isOtherDirectory && rule.onSourceDeleted == .trash
            || standing.fix(rule.path)?.contains("albumctl folder confirm") == true
    }
}
