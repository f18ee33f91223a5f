import Control
import FoundationEssentials
import PhotoModel
import Platform

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

    /// Whether the name still leads to these bytes.
    ///
    /// Where anything of the file looks different it is read once more: some card's file systems number their files anew
    /// while they are mounted.
    private func isUnchanged(_ file: HashedFile) -> Bool {
        let (files, name) = (invocation.host.machine.files, file.path.name.bytes)
        let parent = file.path.directory.bytes
        guard let directory = try? files.openDirectory(parent.isEmpty ? [UInt8(ascii: "/")] : parent),
            let now = try? files.status(at: name, in: directory), now.kind == .regular
        else { return false }
        if now.hasSameContentEvidence(as: file.status) { return true }
        let again = try? hashedFile(name, in: directory, at: file.path, files, show)
        return again?.hash == file.hash
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
        let names = invocation.arguments.operands.prefix(4).map { " " + shellWord(path: $0) }.joined()
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
