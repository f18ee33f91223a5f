import Control
import PhotoModel
import Platform

extension Command {
    static let original = Command(
        name: "original", summary: "get the stored bytes of an asset",
        operands: "ID", operandCount: 1...1,
        options: [
            .value("output", "FILE|-", short: "o", "where to: a file, a device or pipe, or - for standard output"),
            .choice("version", ["current", "original"], "the last version (without this), or the first"),
            .choice(
                "resource", ResourceType.allCases.map { "\($0)" },
                "which file of the asset: a Live Photo's movie is pairedVideo (without this, what it is shown by)"),
            .flag("force", "replace FILE if it is there"),
            .flag("allow-network", "fetch it from the cloud first, where it is there alone"),
        ],
        about: """
            An original that is in the cloud alone is fetched only with --allow-network, which may take long and costs
            what the cloud costs; without it the exit status is 5, and nothing was asked for. A fetch that was broken
            off goes on where it ended. The bytes are hashed and compared with what the library knows of them before
            FILE gets its name, and before the first byte goes to standard output. What fails leaves no file. How far it
            is stands on standard error: drawn on a terminal, a line every ten seconds in a pipe.
            """,
        examples: [
            Example("albumctl original 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001 -o photo.heic", "into a file"),
            Example("albumctl original ID -o - | exiftool -", "into another program"),
            Example("albumctl original ID --allow-network -o clip.mp4", "wherever it is"),
        ],
        run: getOriginal)
}

/// What `original --json` prints.
private struct Fetched: Encodable {
    let localIdentifier: LocalIdentifier
    let sha256: ContentHash
    let byteCount: Int64
    let path: String?
    let pathBase64: String?
}

private func getOriginal(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    guard let target = arguments.bytes("output") else {
        throw .usage("original wants -o FILE, or -o - for standard output")
    }
    let identifier = try arguments.identifier(0)
    guard target != Array("-".utf8) else {
        guard !output.isJSON else { throw .usage("-o - and --json both want standard output") }
        try give(identifier, invocation) { piece throws(Problem) in
            invocation.output.raw(piece)
            return !invocation.output.hasFailed
        }
        return .done
    }
    let path = try absolutePath(target)
    if let stream = try StreamTarget(at: path) {
        let version = try give(identifier, invocation) { piece throws(Problem) in
            try stream.take(piece)
            return true
        }
        report(identifier, version, path, on: output)
        return .done
    }
    let file = try PartialFile(at: path, replaces: arguments.has("force"), machine: invocation.host.machine)
    let version = try fetch(identifier, to: file.file, invocation)
    try file.finish()
    report(identifier, version, path, on: output)
    return .done
}

/// To what cannot be taken back: whole and proven first, in a file without a name, then piece by piece to `take`, which
/// answers whether it wants more.
@discardableResult
private func give(
    _ identifier: LocalIdentifier, _ invocation: Invocation, to take: ([UInt8]) throws(Problem) -> Bool
) throws(Problem) -> VersionRow {
    let files = invocation.host.machine.files
    let directory = invocation.host.variable("TMPDIR") ?? Array("/tmp".utf8)
    let file = try namelessFile(in: directory, machine: invocation.host.machine)
    let version = try fetch(identifier, to: file, invocation)
    var offset: Int64 = 0
    while true {
        let piece: [UInt8]
        do throws(FileError) {
            piece = try readBytes(file, files: files, at: offset, count: 1 << 20)
        } catch {
            throw .failed("\(error)")
        }
        guard !piece.isEmpty, try take(piece) else { return version }
        offset += Int64(piece.count)
    }
}

/// Downloads into an open file and proves the bytes: their number and their SHA-256 are the library's.
private func fetch(
    _ identifier: LocalIdentifier, to file: OpenFile, _ invocation: Invocation
) throws(Problem) -> VersionRow {
    let name = try invocation.arguments.text("version") ?? "current"
    let asset = try invocation.api.ask(.getAsset, id: identifier, as: AssetRow.self).value
    let type = try invocation.arguments.text("resource")
    let wanted = try WantedBytes(of: asset, type, name)
    let (version, files) = (wanted.version, invocation.host.machine.files)
    let temporary = invocation.host.variable("TMPDIR") ?? Array("/tmp".utf8)
    // A part is taken of the whole once that is proven.
    let whole = try wanted.span == nil ? file : namelessFile(in: temporary, machine: invocation.host.machine)
    let line = ProgressLine(invocation.output, uptime: invocation.host.machine.uptime, tellsPipes: true)
    defer { line.clear() }
    // Of one file among several the bytes are named by their hash.
    var query = ["version": type == nil ? name : version.sha256.hexadecimal]
    if invocation.arguments.has("allow-network") {
        if version.residency == .inCloud { try bring(identifier, version, line, invocation.api) }
        // Evicted again meanwhile, it is fetched again.
        query["allowNetwork"] = "true"
    }
    do throws(Problem) {
        try invocation.api.download(.getOriginal, identifier, query: query, to: whole.descriptor) { received, _ in
            line.show { "\(size(received)) of \(size(version.byteCount))" }
        }
    } catch  where error.code == Problem.networkAccessRequired {
        var error = error
        error.fix = invocation.arguments.again(.original, with: ["allow-network": ""])
        throw error
    }
    guard try hash(of: whole, files: files) == version.sha256 else {
        throw .failed(
            "the bytes that came are not those of \(identifier): the hash differs",
            fix: "try again; albumctl status tells whether the stored original is sound")
    }
    guard let part = wanted.span else { return version }
    return try copy(part, of: version, from: whole, to: file, files: files)
}

/// From the cloud to the library's disk, told while it comes.
///
/// One who may only read the library has its bytes brought by the download itself, untold.
private func bring(
    _ identifier: LocalIdentifier, _ version: VersionRow, _ line: ProgressLine, _ api: API
) throws(Problem) {
    let request = CloudRequest(
        subjects: [SubjectRequest(localIdentifier: identifier)], sha256: [version.sha256])
    var failed: CloudRow?
    do throws(Problem) {
        _ = try api.stream(.fetchAssets, body: request, of: CloudLine.self) { row in
            guard let outcome = row.outcome else { return line.show { progress(of: row) } }
            if outcome != .fetched, outcome != .unchanged { failed = row }
        }
    } catch  where error.status == 403 {
        return
    }
    guard let failed else { return }
    throw .failed("\(identifier) could not be fetched: \(failed.detail ?? failed.reason ?? "")", fix: failed.fix)
}

func hash(of file: OpenFile, files: any FileVerbs) throws(Problem) -> ContentHash? {
    do throws(FileError) {
        return ContentHash(bytes: try ContentHasher.hash(file: file, files: files))
    } catch {
        throw .failed("\(error)")
    }
}

private func report(_ identifier: LocalIdentifier, _ version: VersionRow, _ path: PathBytes, on output: Output) {
    let name = Name(path)
    guard output.isJSON else {
        output.line("\(size(version.byteCount)) to \(shown(name.text, name.base64))")
        return
    }
    output.json(
        JSON.encode(
            Fetched(
                localIdentifier: identifier, sha256: version.sha256, byteCount: version.byteCount, path: name.text,
                pathBase64: name.base64)))
}
