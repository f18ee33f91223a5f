import Control
import FoundationEssentials
import PhotoModel
import Platform

/// What `save --json` prints of one file.
struct SavedRow: Encodable {
    var localIdentifier: LocalIdentifier?
    var path: String
    var pathBase64: String?
    var outcome: Outcome?
    var reason: Reason?
    var sha256: ContentHash?
    /// The asset's name, which a duplicate keeps.
    var originalFilename: String?
    var originalFilenameBase64: String?
    /// What was asked for and not done.
    var note: String?
    var album: LocalIdentifier?
    var externalIdentifier: String?
    var token: Int64?
    var context: String?
    /// Only with `--no-wait`.
    var upload: UUID?
    /// `kept`, `trashed` or `deleted`.
    var source = "kept"
    /// Why it was not saved, or why the file was not removed.
    var error: Problem?

    init(path: PathBytes) {
        let name = Name(path)
        (self.path, pathBase64) = (name.text, name.base64)
    }

    mutating func take(_ result: SaveResult) {
        localIdentifier = result.localIdentifier
        (outcome, reason, sha256) = (result.outcome, result.reason, result.sha256)
        (originalFilename, originalFilenameBase64) = (result.originalFilename, result.originalFilenameBase64)
        (album, externalIdentifier) = (result.album, result.externalIdentifier)
        (token, context) = (result.token, result.context)
    }
}

/// Saves one file, removes it where that is wanted, and tells a person; never throws, so that the next has its turn.
func saveOne(_ argument: [UInt8], _ options: SaveOptions, _ invocation: Invocation) -> SavedRow {
    var row = SavedRow(path: PathBytes(argument))
    do throws(Problem) {
        let source = try SaveSource.open(argument, isRemovable: options.source != .keep, invocation.host.machine.files)
        let receipt = try upload(source, invocation)
        let request = options.request(for: receipt, of: source, now: invocation.host.machine.now())
        guard options.waits else {
            _ = try invocation.api.ask(.saveAsset, query: ["wait": "false"], body: request, as: UploadReceipt.self)
            (row.upload, row.sha256) = (receipt.upload, receipt.sha256)
            tell("accepted   \(receipt.sha256)", row, invocation)
            return row
        }
        let name = shown(row.path, row.pathBase64)
        let result = try invocation.waiting({ "\(name): the library makes it durable" }) { () throws(Problem) in
            try invocation.api.ask(.saveAsset, body: request, isLong: true, as: SaveResult.self).value
        }
        row.take(result)
        tell("\(padded(result.outcome.rawValue, to: 9))  \(result.localIdentifier)", row, invocation)
        note(result, options, &row, invocation)
        try dispose(of: source, by: options.source, result, &row, invocation)
    } catch {
        row.error = error
        invocation.output.remark("albumctl: \(shown(row.path, row.pathBase64)): \(error.detail)")
        if let fix = error.fix { indented(fix).forEach(invocation.output.remark) }
    }
    return row
}

/// A name that was asked for belongs to a new photo alone: one that is there keeps its own.
private func note(_ result: SaveResult, _ options: SaveOptions, _ row: inout SavedRow, _ invocation: Invocation) {
    let name = shown(result.originalFilename, result.originalFilenameBase64)
    guard result.outcome != .imported, let wanted = options.filename, printable(wanted.bytes) != name else { return }
    row.note = "the library has these bytes already; the asset keeps its name '\(name)'"
    if !invocation.output.isJSON, let note = row.note { indented(note).forEach(invocation.output.line) }
}

private func tell(_ text: String, _ row: SavedRow, _ invocation: Invocation) {
    if !invocation.output.isJSON { invocation.output.line("\(text)  \(shown(row.path, row.pathBase64))") }
}

/// Sends the bytes, and refuses those of a file that changed meanwhile (RULES R3).
private func upload(_ source: SaveSource, _ invocation: Invocation) throws(Problem) -> UploadReceipt {
    let line = ProgressLine(invocation.output, uptime: invocation.host.machine.uptime)
    defer { line.clear() }
    let name = printable((source.name ?? PathBytes("standard input")).bytes)
    let receipt = try invocation.api.upload(from: source.descriptor) { sent, total in
        line.show { "\(name): \(size(sent))" + (total.map { " of \(size($0))" } ?? "") }
    }
    guard try source.isUnchanged() else {
        throw .failed("it changed while it was read, and was not saved", fix: "try again when nobody writes to it")
    }
    return receipt
}

private func dispose(
    of source: SaveSource, by wish: SaveOptions.Source, _ result: SaveResult, _ row: inout SavedRow,
    _ invocation: Invocation
) throws(Problem) {
    guard wish != .keep else { return }
    try requireSafety(of: source, result.sha256, invocation)
    let library = try invocation.api.ask(.status, as: StatusReport.self).value.library
    let removal = SourceRemoval(
        source: source, hash: result.sha256, library: Array(library.utf8), host: invocation.host)
    try wish == .delete ? removal.delete() : removal.trash()
    row.source = wish == .delete ? "deleted" : "trashed"
    tell(padded(row.source, to: 9), row, invocation)
}

/// Throws unless the photo is live, its stored original was read again now, and this file's removal would not delete it.
///
/// An outcome alone does not say that: the photo may be in Recently Deleted by now, or the file in a folder that
/// deletes photos with their files.
private func requireSafety(of source: SaveSource, _ hash: ContentHash, _ invocation: Invocation) throws(Problem) {
    guard let opened = source.opened else { return }
    let question = SafetyQuestion(
        sha256: hash, byteCount: opened.byteCount, path: source.place?.path, device: opened.device, inode: opened.inode)
    let rows = try invocation.api.ask(
        .checkSafety, body: SafetyRequest(files: [question]), isLong: true, as: PageOf<SafetyRow>.self
    ).value.rows
    guard let row = rows.first, rows.count == 1, row.sha256 == hash, row.isSafe else {
        throw .failed(
            "it is saved, but the file stays: \(rows.first?.detail ?? "albumd does not say that it may go")",
            fix: rows.first?.fix ?? "albumctl safe FILE")
    }
}
