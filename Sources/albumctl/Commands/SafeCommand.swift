import Control
import FoundationEssentials
import PhotoModel
import Platform

extension Command {
    static let safe = Command(
        name: "safe", summary: "say whether files may be erased: a card, a directory, a file",
        operands: "PATH…", operandCount: 1...Int.max,
        options: [
            .value("ignore", "PATTERN", isRepeatable: true, "leave out what has such a name: '*.THM', '.Trashes'"),
            .flag("release", "mark the files first: that they disappear deletes no photo"),
            .flag("all", "list the files, too, that are safe"),
            .value("report", "FILE", "write what was found to FILE, a .csv or a .json"),
            .flag("force", "replace the report if it is there"),
        ],
        about: """
            Every file is read to its end with your rights, and the library is asked for exactly these bytes: names and
            sizes count for nothing. The answer is yes only if albumd has read the stored original again just now, and
            its hash is right, and if the erasing would not delete the photo, as it does in a folder with
            on_source_deleted = "trash": --release takes that away for these files. Everything else is a no: what
            cannot be read, a symlink, a file that is no photo, an albumd that does not answer. Exit status 0 means
            that there was a file, and that every one may be erased.
            """,
        examples: [
            Example("albumctl safe /media/card && rm -r /media/card/DCIM/*", "empty a card, if all of it is safe"),
            Example("albumctl safe /media/card --ignore '*.THM' --report ~/card.csv", "with a list for later"),
            Example("albumctl safe --release ~/inbox/trip", "from a folder that mirrors deletions"),
        ],
        run: askWhetherSafe)
}

private func askWhetherSafe(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, machine) = (invocation.arguments, invocation.host.machine)
    // Before a card is read for an hour: is anybody there?
    let library = try invocation.api.ask(.status, as: StatusReport.self).value.library
    var report: SafetyReport?
    if let path = arguments.bytes("report") {
        report = try SafetyReport(at: path, replaces: arguments.has("force"), machine: machine)
    }
    let desk = SafetyDesk(invocation, report)
    var walk = SafeWalk(
        machine.files, ignoring: arguments.options["ignore"] ?? [], own: report?.status, reading: desk.show,
        each: desk.take)
    defer { desk.line.clear() }
    for argument in arguments.operands { try walk.walk(argument) }
    try desk.ask()
    try report?.finish(library: library, safe: desk.safe, now: machine.now())
    desk.sumUp(ignored: walk.ignoredCount)
    return desk.total > 0 && desk.safe == desk.total ? .done : .failed
}

/// Collects files, asks the daemon for many at once, and tells the answers in order.
final class SafetyDesk {
    /// How `--json` ends.
    private struct End: Encodable {
        let isSafe: Bool
        let files: Int
        let safe: Int
        let ignored: Int
        let reasons: [String: Int]
    }

    private static let batch = 100
    private static let batchBytes: Int64 = 256_000_000

    let line: ProgressLine
    private let invocation: Invocation
    private let report: SafetyReport?
    private let operation: Operation
    private var found: [SafeWalk.Found] = []
    private var foundBytes: Int64 = 0
    private var readBytes: Int64 = 0
    private var reasons: [String: Int] = [:]
    private var fixes: [String] = []
    private(set) var total = 0
    private(set) var safe = 0

    private var output: Output { invocation.output }

    init(_ invocation: Invocation, _ report: SafetyReport?) {
        (self.invocation, self.report) = (invocation, report)
        operation = invocation.arguments.has("release") ? .releaseSources : .checkSafety
        line = ProgressLine(invocation.output, uptime: invocation.host.machine.uptime)
    }

    func show(_ path: PathBytes, _ byteCount: Int) {
        readBytes += Int64(byteCount)
        line.show { "\(counted(total + found.count, "file")), \(size(readBytes)): \(printable(path.name.bytes))" }
    }

    func take(_ item: SafeWalk.Found) throws(Problem) {
        found.append(item)
        if case .file(let file) = item { foundBytes += file.status.byteCount }
        if found.count >= SafetyDesk.batch || foundBytes >= SafetyDesk.batchBytes { try ask() }
    }

    /// Asks for what was collected.
    func ask() throws(Problem) {
        let files = found.compactMap { item in if case .file(let file) = item { file } else { nil } }
        var answers = try answers(for: files)[...]
        for item in found {
            switch item {
            case .refused(let row): tell(row)
            case .file(let file):
                guard let answer = answers.popFirst() else { preconditionFailure("their number was checked") }
                tell(isUnchanged(file) ? named(answer, file) : changed(named(answer, file)))
            }
        }
        (found, foundBytes) = ([], 0)
    }

    private func answers(for files: [HashedFile]) throws(Problem) -> [SafetyRow] {
        guard !files.isEmpty else { return [] }
        let questions = files.map {
            SafetyQuestion(
                sha256: $0.hash, byteCount: $0.status.byteCount, path: $0.path, device: $0.status.device,
                inode: $0.status.inode)
        }
        let rows = try invocation.api.ask(
            operation, body: SafetyRequest(files: questions), isLong: true, as: PageOf<SafetyRow>.self
        ).value.rows
        guard rows.map(\.sha256) == files.map(\.hash) else {
            throw .failed("albumd answered for other files than it was asked for", fix: "albumctl version")
        }
        return rows
    }

    /// Whether the name still leads to the file that was read.
    private func isUnchanged(_ file: HashedFile) -> Bool {
        let files = invocation.host.machine.files
        let parent = file.path.directory.bytes
        guard let directory = try? files.openDirectory(parent.isEmpty ? [UInt8(ascii: "/")] : parent),
            let now = try? files.status(at: file.path.name.bytes, in: directory)
        else { return false }
        return now.kind == .regular && now.hasSameContentEvidence(as: file.status)
    }

    /// The answer under the name that the file has here.
    private func named(_ answer: SafetyRow, _ file: HashedFile) -> SafetyRow {
        var row = answer
        let name = Name(file.path)
        (row.path, row.pathBase64, row.byteCount) = (name.text, name.base64, file.status.byteCount)
        return row
    }

    private func changed(_ answer: SafetyRow) -> SafetyRow {
        var row = answer
        row.refuse(.changed, "it changed after it was read")
        return row
    }

    private func tell(_ row: SafetyRow) {
        total += 1
        if row.isSafe { safe += 1 } else { note(row) }
        report?.add(row)
        if output.isJSON { return output.json(JSON.encode(row)) }
        guard !row.isSafe || invocation.arguments.has("all") else { return }
        line.clear()
        let verdict = padded(row.isSafe ? "safe" : row.reason?.rawValue ?? "no", to: 15)
        let identifier = row.localIdentifier.map { "  \($0)" } ?? ""
        let detail = row.isSafe ? identifier : row.detail.map { "  (\(inert($0)))" } ?? ""
        output.line("\(verdict)  \(row.path.map { shown($0, row.pathBase64) } ?? "")\(detail)")
    }

    private func note(_ row: SafetyRow) {
        reasons[row.reason?.rawValue ?? "no", default: 0] += 1
        guard let fix = row.reason == .inTrashFolder ? release : row.fix, !fixes.contains(fix) else { return }
        if fixes.count < 4 { fixes.append(fix) }
    }

    func sumUp(ignored: Int) {
        line.clear()
        guard !output.isJSON else {
            let end = End(
                isSafe: total > 0 && safe == total, files: total, safe: safe, ignored: ignored, reasons: reasons)
            return output.json(JSON.encode(["end": end]))
        }
        let isAll = safe == total
        let rest = isAll ? "." : "; not: \(listed(reasons))."
        let left = ignored == 0 ? "" : " \(counted(ignored, "name", one: "was", many: "were")) left out."
        guard total > 0 else { return output.line("There is no file, so nothing is said to be safe.\(left)") }
        output.line("\(safe) of \(counted(total, "file", one: "is", many: "are")) safe to erase\(rest)\(left)")
        output.lines(hints.flatMap(indented))
    }

    /// For all that was asked about at once.
    private var release: String {
        let names = invocation.arguments.operands.prefix(4).map { " '\(printable($0))'" }.joined()
        return "albumctl safe --release\(names)\(invocation.arguments.operands.count > 4 ? " …" : "")"
    }

    private var hints: [String] {
        guard reasons["unknown"] != nil else { return fixes }
        return fixes + [
            "what the library does not have: albumctl save FILE, or put it into a watched folder",
            "what is no photo or video is never taken: --ignore '*.THM' leaves such names out",
        ]
    }
}
