import Control
import Platform

extension Command {
    static let verify = Command(
        name: "verify", summary: "hold the library against its disk: what is missing, corrupt or nobody's",
        options: [
            .flag("deep", "read and hash every original, too"),
            .value("sample", "PERCENT", "read and hash so many of them, others at each run: 5%"),
            .value("rate", "RATE", "read no faster than this: 50MB/s"),
            .flag("resume", "with --deep: go on where one stopped that was not ended"),
        ],
        about: """
            Every original must be there with its size, and with --deep or --sample with its hash; the journal must have
            every change, and with --deep the catalogue is read from end to end and held against what its history makes
            of an empty one, for which the disk must have room for a second catalogue. What is in the cloud alone is counted,
            and not looked at: albumctl cloud verify does that. What is found is remembered: status says it, and
            albumctl repair mends it. An orphan is an
            original that no photo has; it harms nothing, and is kept, unless the history names it: then the catalogue
            is what is wrong. A change that a rebuild gave up is found until albumctl repair has asked the snapshots
            and the cloud for it. albumd itself reads a few per cent a day in the
            background. Exit status 3 means that something was found. With --json each line is a finding or, without
            the key finding, how far it is; the last line is {"end": …}, or {"error": …}.
            """,
        examples: [
            Example("albumctl verify", "quickly: is every file there?"),
            Example("albumctl verify --deep --rate 50MB/s", "every byte, beside other work"),
            Example("albumctl verify --sample 5%", "in a weekly job"),
        ],
        run: verifyLibrary)
}

private func verifyLibrary(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    var request = VerifyRequest()
    request.deep = arguments.has("deep")
    request.resume = arguments.has("resume")
    request.samplePercent = try arguments.text("sample").map(percent)
    request.bytesPerSecond = try arguments.rate("rate")
    guard request.resume != true || request.deep == true else { throw .usage("--resume is for --deep") }
    let line = ProgressLine(output, uptime: invocation.host.machine.uptime)
    defer { line.clear() }
    var fixes: [String] = []
    let end = try invocation.api.stream(.verify, body: request, of: VerifyLine.self) { row in
        if let fix = row.fix, !fixes.contains(fix) { fixes.append(fix) }
        if output.isJSON { return output.json(JSON.encode(row)) }
        line.show { progress(row) }
        guard row.finding != nil else { return }
        line.clear()
        output.line(text(of: row))
    }
    line.clear()
    if output.isJSON { output.json(JSON.encode(VerifyLine.end(end))) } else { sumUp(end, fixes, on: output) }
    return end.isSound ? .done : .degraded
}

private func progress(_ row: VerifyRow) -> String {
    if let done = row.replayed, let all = row.changes { return "\(done) of \(counted(Int(all), "change")) made again" }
    return "\(row.checked) of \(counted(row.total, "original")), \(size(row.byteCount)) read"
}

private func text(of row: VerifyRow) -> String {
    let finding = padded(row.finding?.rawValue ?? "", to: 16)
    let path = row.path.map { shown($0) + "  " } ?? ""
    let name = row.originalFilename.map { "'\(shown($0))'  " } ?? ""
    return "\(finding)  \(path)\(name)\(inert(row.detail ?? ""))"
}

private func sumUp(_ end: VerifyEnd, _ fixes: [String], on output: Output) {
    let looked = counted(end.checked, "original", one: "was", many: "were")
    let read = end.hashed == 0 ? "" : ", \(end.hashed) read (\(size(end.byteCount)))"
    output.line("\(looked) looked at\(read); \(counted(end.journalLines, "change")) in the journal.")
    if end.inCloudCount > 0 {
        let away = counted(end.inCloudCount, "original", one: "is", many: "are")
        output.line("\(away) in the cloud alone and not looked at: albumctl cloud verify asks for each.")
    }
    let isFound = "Found: \(listed(end.findings))."
    output.line(end.isSound ? "Everything is as it should be\(orphans(end))\(limits(end))." : isFound)
    for fix in fixes { output.lines(indented(fix)) }
}

private func orphans(_ end: VerifyEnd) -> String {
    let (count, left) = (end.findings["orphan"] ?? 0, end.findings["unremoved"] ?? 0)
    return (count == 0 ? "" : "; \(counted(count, "orphan", one: "is", many: "are")) kept")
        + (left == 0 ? "" : "; \(counted(left, "deleted original")) could not be removed")
}

private func limits(_ end: VerifyEnd) -> String {
    end.findings["catalogueNotCompared"] == nil ? "" : ", as far as it could be compared"
}

/// `5%`, or `5`.
private func percent(_ text: String) throws(Problem) -> Double {
    let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
    guard let value = Double(digits), value > 0, value <= 100 else {
        throw .usage("--sample wants a percentage such as 5%, and '\(printable(text))' is none")
    }
    return value
}
