import Control
import FoundationEssentials
import PhotoModel
import Platform

extension Command {
    static let save = Command(
        name: "save", summary: "save photos and videos into the library, from files or standard input",
        operands: "FILE…|-", operandCount: 1...Int.max,
        options: [
            .value("filename", "NAME", "the name to keep with a new photo, where FILE's own will not do"),
            .value("album", "ALBUM", "put it into this album too: an identifier, or a title, made if need be"),
            .value("external", "TEXT", "an identifier of your own to find it by: map get --external TEXT"),
            .value("context", "TEXT", "words that come back with the answer"),
            .value(
                "creation-date", "TIME",
                "a time such as 2026-11-30T03:01:09+01:00, now, mtime, or when it was taken: capture (capture)"),
            .choice(
                "source", SaveOptions.Source.allCases.map(\.rawValue), "what becomes of FILE once it is safe (keep)"),
            .flag("no-wait", "return when albumd has the bytes; the outcome is not told"),
        ],
        about: """
            The files are read with your rights, so they may lie where albumd cannot look. The answer comes when the
            photo is durable in the library and was read back. Bytes that the library has already are a duplicate and
            are not kept twice; its asset keeps its name. Those of a photo in Recently Deleted bring it back: restored.
            With --source trash or delete, albumd is asked whether FILE is safe to erase, as by `albumctl safe`;
            albumctl then reads FILE again itself, compares, and removes it; on any doubt FILE stays, and that is said.
            Where albumctl was killed over it, FILE may be called .albumd-gone-FILE.part: the same command once more, with
            FILE's own name, goes on. With --json it is an array, a row for each FILE.
            """,
        examples: [
            Example("albumctl save IMG_1.jpg IMG_2.jpg --album 'Summer 2026'", "two photos into an album"),
            Example("albumctl save /media/card/DCIM/*/* --source delete", "empty a card"),
            Example("curl -s https://example.org/a.jpg | albumctl save - --filename a.jpg", "from a pipe"),
            Example("albumctl save a.jpg --external flickr:4711", "once, however often this is run"),
        ],
        run: saveFiles)
}

/// The options of `save`, made sense of.
struct SaveOptions {
    enum Source: String, CaseIterable {
        case keep
        case trash
        case delete
    }

    let filename: PathBytes?
    let album: String?
    let external: String?
    let context: String?
    let creationDate: String?
    let source: Source
    let waits: Bool

    init(_ arguments: Arguments) throws(Problem) {
        filename = arguments.bytes("filename").map { PathBytes($0) }
        album = try arguments.text("album")
        external = try arguments.text("external")
        context = try arguments.text("context")
        creationDate = try arguments.text("creation-date")
        source = try arguments.text("source").flatMap(Source.init) ?? .keep
        waits = !arguments.has("no-wait")
        try check(arguments.operands)
    }

    private func check(_ operands: [[UInt8]]) throws(Problem) {
        if let filename, let fault = fault(ofFilename: filename) {
            throw .badFilename(printable(filename.bytes), fault)
        }
        guard operands.count == 1 || (filename == nil && external == nil) else {
            throw .usage("--filename and --external are for one file")
        }
        guard source == .keep || !operands.contains(Array("-".utf8)) else {
            throw .usage("standard input cannot be removed: --source \(source.rawValue) is for files")
        }
        guard source == .keep || waits else {
            throw .usage("--source \(source.rawValue) needs the answer that --no-wait does not wait for")
        }
        guard let text = creationDate, !["capture", "now", "mtime"].contains(text), Date(rfc3339: text) == nil else {
            return
        }
        throw .usage("--creation-date wants a time such as 2026-11-30T03:01:09+01:00, capture, now or mtime")
    }

    func request(for upload: UploadReceipt, of source: SaveSource, now: Date) -> SaveRequest {
        var request = SaveRequest(upload: upload.upload)
        if let bytes = filename ?? source.name {
            let name = Name(bytes)
            if name.base64 == nil { request.filename = name.text }
            request.filenameBase64 = name.base64
        }
        (request.album, request.externalIdentifier, request.context) = (album, external, context)
        switch creationDate {
        case nil, "capture": break
        case "now": request.creationDate = now
        case "mtime": request.creationDate = source.opened.map { Date(microseconds: $0.modified / 1000) }
        case let text?: request.creationDate = Date(rfc3339: text)
        }
        return request
    }
}

private func saveFiles(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let options = try SaveOptions(invocation.arguments)
    var (rows, code) = ([SavedRow](), ExitCode.done)
    for argument in invocation.arguments.operands {
        let row = saveOne(argument, options, invocation)
        rows.append(row)
        if let problem = row.error {
            if code == .done { code = ExitCode(rawValue: Int32(clamping: problem.exitCode)) ?? .failed }
            // The next one would fail in the same way.
            if problem.exitCode == Int(ExitCode.unreachable.rawValue) { break }
        }
    }
    if invocation.output.isJSON { invocation.output.json(JSON.encode(rows)) }
    return code
}
