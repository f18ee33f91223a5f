import Control
import Glibc
import PhotoModel
import PhotoStore
import Platform

/// `albumd --rebuild-library`: the catalogue made anew, with the daemon stopped.
struct RebuildCommand {
    let library: [UInt8]
    let options: PhotoLibrary.RebuildOptions
    let isJSON: Bool
    let machine: Machine

    /// Does it; returns what is to be printed.
    func run() throws -> String {
        guard isThere(PathBytes(library)) else {
            throw ConfigurationError(
                file: "albumd",
                "there is no library at '\(printable(library))'; name the configuration of yours with --config FILE")
        }
        let (plan, report, recovery) = try PhotoLibrary.rebuild(
            library, machine: machine, options: options, progress: progress)
        if isJSON {
            let answer = RebuildAnswer(plan: plan, report: report, recovery: recovery)
            return String(decoding: JSON.encode(answer), as: UTF8.self) + "\n"
        }
        let outcome = report.map { lines($0, recovery) } ?? ["Nothing was changed."]
        return (source(of: plan) + loss(plan) + outcome).joined(separator: "\n") + "\n"
    }

    private func source(of plan: RebuildPlan) -> [String] {
        let begin = plan.snapshot.map { "the snapshot \($0), at token \(plan.snapshotToken)" } ?? "an empty catalogue"
        let lines = counted(plan.lineCount, "change")
        return ["From \(begin), and \(lines) of the journal, up to token \(plan.newestToken)."]
    }

    private func loss(_ plan: RebuildPlan) -> [String] {
        if plan.isBlank { return ["There is neither a snapshot nor a journal: identifiers and albums are lost."] }
        let torn = plan.isTorn ? ["The journal ends in half a line: the change in it is lost."] : []
        guard plan.missingTokens > 0 else { return torn }
        return torn + [
            "\(counted(Int(clamping: plan.missingTokens), "change", one: "is", many: "are")) in neither, and lost."
        ]
    }

    private func lines(_ report: RebuildReport, _ recovery: RecoveryReport) -> [String] {
        let contents = report.contents
        let (orphans, skipped) = (recovery.orphans.count, report.skippedRequests)
        return [
            "Back: \(counted(contents.assets, "asset")), \(contents.recentlyDeleted) in Recently Deleted, "
                + "\(counted(contents.albums, "album")), \(counted(contents.mappings, "mapping")), "
                + "\(counted(contents.tombstones, "tombstone")).",
            "Originals: \(recovery.unsound) missing or damaged; \(counted(orphans, "orphan"))"
                + (orphans == 0 ? "." : ", each taken again when its source is seen again."),
            skipped == 0 ? nil : "\(counted(skipped, "request")) could not be applied: what they build on is lost.",
            report.setAside.map { "The catalogue that was there is kept as \($0)." },
        ].compactMap { $0 }
    }

    /// On stderr, so that the report stays readable to a program.
    private var progress: RebuildProgress {
        { done, all in
            guard !isJSON, done == all || done.isMultiple(of: 10_000) else { return }
            Daemon.write("albumd: \(done) of \(counted(all, "change")) applied\n", to: STDERR_FILENO)
        }
    }
}

/// What `--json` prints.
struct RebuildAnswer: Encodable {
    let isDryRun: Bool
    let snapshot: String?
    let lineCount: Int
    let newestToken: Int64
    let missingTokens: Int64
    let isComplete: Bool
    let setAside: String?
    let skippedRequests: Int?
    let contents: CatalogueContents?
    let newlyMissing: Int?
    let unsound: Int?
    let orphans: [String]?

    init(plan: RebuildPlan, report: RebuildReport?, recovery: RecoveryReport) {
        isDryRun = report == nil
        snapshot = plan.snapshot
        (lineCount, newestToken) = (plan.lineCount, plan.newestToken)
        (missingTokens, isComplete) = (plan.missingTokens, plan.isComplete)
        setAside = report?.setAside
        skippedRequests = report?.skippedRequests
        contents = report?.contents
        newlyMissing = report == nil ? nil : recovery.newlyMissing
        unsound = report == nil ? nil : recovery.unsound
        orphans = report == nil ? nil : recovery.orphans.map(\.hexadecimal)
    }
}
