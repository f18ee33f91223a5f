import Control

/// One command of `albumctl`: what help and completion say of it, and what it does.
struct Command: Sendable {
    struct Example: Sendable {
        let line: String
        let meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// One word, or two: `status`, `folder add`.
    let name: String
    /// One line, beginning with a verb.
    let summary: String
    /// The operands as the usage line shows them.
    var operands = ""
    /// How many operands it takes.
    var operandCount: ClosedRange<Int> = 0...0
    var options: [Option] = []
    /// What a reader should know before using it.
    let about: String
    let examples: [Example]
    let run: @Sendable (Invocation) throws(Problem) -> ExitCode

    /// The word of its name that stands after `words`; nil where it begins otherwise or ends there.
    func word(after words: [String]) -> String? {
        let own = name.split(separator: " ").map(String.init)
        return own.starts(with: words) && own.count > words.count ? own[words.count] : nil
    }

    /// Every command, in the order of the help.
    static let all: [Command] = [
        .status, .flush, .reconcile, .pending, .retry, .why, .plan,
        .safe, .verify, .repair,
        .folderList, .folderAdd, .folderRemove, .folderCheck, .folderConfirm,
        .albumList, .albumEnsure, .albumExists, .albumRename, .albumGet, .albumAdd, .albumRemove,
        .assetList, .assetGet, .assetTier, .mapGet, .mapCheck, .save, .original,
        .dateRepair,
        .delete, .trashList, .trashRestore, .trashPurge, .confirm,
        .cloudStatus, .cloudPlan, .cloudEvict, .cloudFetch, .cloudPin, .cloudUnpin, .cloudRule, .cloudAdopt,
        .cloudRecover,
        .cloudVerify,
        .cloudDrill, .cloudSimulate,
        .history, .undo, .watch, .metrics, .libraryRebuild, .configCheck, .reload, .version, .completionBash,
    ]
}

/// A command with all it works with.
struct Invocation: Sendable {
    let arguments: Arguments
    let output: Output
    let host: Host
    let api: API
}

/// How `albumctl` ends; the numbers are part of its interface.
enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case degraded = 3
    case notFound = 4
    case refused = 5
    /// EX_UNAVAILABLE of sysexits.h.
    case unreachable = 69
}
