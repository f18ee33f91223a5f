import Cloud
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

    /// The cloud that the configuration names, which may have what is lost here.
    var elsewhere: PhotoLibrary.ChangesElsewhere = { _, _ in [] }

    /// Does it; returns what is to be printed, and why it would not be done, after a dry run.
    func run() throws -> (text: String, refusal: LibraryError?) {
        guard isThere(PathBytes(library)) else {
            throw ConfigurationError(
                file: "albumd",
                "there is no library at '\(printable(library))'; name the configuration of yours with --config FILE")
        }
        let outcome = try PhotoLibrary.rebuild(
            library, machine: machine, options: options, elsewhere: elsewhere, progress: progress)
        if isJSON {
            return (String(decoding: JSON.encode(RebuildAnswer(outcome)), as: UTF8.self) + "\n", outcome.refusal)
        }
        let lines = source(of: outcome.plan) + loss(outcome.plan) + self.lines(outcome)
        return (lines.joined(separator: "\n") + "\n", outcome.refusal)
    }

    private func source(of plan: RebuildPlan) -> [String] {
        let begin = plan.snapshot.map { "the snapshot \($0), at token \(plan.snapshotToken)" } ?? "an empty catalogue"
        let lines = counted(plan.lineCount, "change")
        return ["From \(begin), and \(lines) of the journal, up to token \(plan.newestToken)."]
    }

    private func loss(_ plan: RebuildPlan) -> [String] {
        if plan.isBlank { return ["There is neither a snapshot nor a journal: identifiers and albums are lost."] }
        let torn = plan.isTorn ? ["The journal ends in half a line: the change in it is lost."] : []
        let places = Set(plan.brought.map(\.place)).sorted().prefix(5).joined(separator: ", ")
        let count = plan.brought.count
        let brought = count == 0 ? [] : ["From \(places): \(counted(count, "change")) that the journal lost."]
        guard plan.missingTokens > 0 else { return torn + brought }
        return torn + brought + [
            "\(counted(Int(clamping: plan.missingTokens), "change", one: "is", many: "are")) in neither, and lost: "
                + "\(plan.missingText)."
        ]
    }

    private func lines(_ outcome: PhotoLibrary.RebuildOutcome) -> [String] {
        let (report, contents) = (outcome.report, outcome.report.contents)
        let (orphans, unsound) = (outcome.recovery.orphans.count, outcome.recovery.unsound)
        let back =
            outcome.refusal != nil ? "With --partial would come back" : outcome.isDryRun ? "Would come back" : "Back"
        return [
            "\(back): \(counted(contents.assets, "asset")), \(contents.recentlyDeleted) in Recently Deleted, "
                + "\(counted(contents.albums, "album")), \(counted(contents.mappings, "mapping")), "
                + "\(counted(contents.tombstones, "tombstone")).",
            outcome.isDryRun
                ? nil
                : "Originals: \(unsound) missing or damaged; \(counted(orphans, "orphan"))"
                    + (orphans == 0 ? "." : ", each taken again when its source is seen again."),
            report.lostChanges + report.skippedRequests == 0 ? nil : "Given up: \(report.loss).",
            report.setAside.map { "The catalogue that was there is kept as \($0)." },
            outcome.isDryRun ? "Nothing was changed." : nil,
        ].compactMap { $0 }
    }

    /// On stderr, so that the report stays readable to a program.
    private var progress: RebuildProgress {
        { [isJSON] done, all in
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
    /// Of a dry run: what would be, with `--partial` where it is not complete.
    let skippedRequests: Int
    let lostChanges: Int
    let contents: CatalogueContents
    let newlyMissing: Int?
    let unsound: Int?
    let orphans: [String]?

    init(_ outcome: PhotoLibrary.RebuildOutcome) {
        let (plan, report, recovery) = (outcome.plan, outcome.report, outcome.recovery)
        isDryRun = outcome.isDryRun
        snapshot = plan.snapshot
        (lineCount, newestToken) = (plan.lineCount, plan.newestToken)
        (missingTokens, isComplete) = (plan.missingTokens, plan.isComplete)
        setAside = report.setAside
        (skippedRequests, lostChanges, contents) = (report.skippedRequests, report.lostChanges, report.contents)
        newlyMissing = isDryRun ? nil : recovery.newlyMissing
        unsound = isDryRun ? nil : recovery.unsound
        orphans = isDryRun ? nil : recovery.orphans.map(\.hexadecimal)
    }
}

extension RebuildCommand {
    /// Changes as the configuration's cloud has them; nothing is made for the question.
    static func changes(
        inCloudOf configuration: Configuration, machine: Machine
    ) -> PhotoLibrary.ChangesElsewhere {
        { tokens, directory in
            guard configuration.cloud.engine != .none else { return [] }
            let store = try CloudService.simulatedStore(
                configuration.cloud, library: configuration.library, machine: machine, isExpected: true)
            let reader = JournalReader(files: machine.files, directory: directory.journal)
            return try LibraryMirror(store: store, library: directory.identifier)
                .changes(tokens, agreeingWith: reader.history)
        }
    }
}
