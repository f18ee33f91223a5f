import Control
import FoundationEssentials
import PhotoModel
import Platform

extension Command {
    static let why = Command(
        name: "why", summary: "tell the whole story of one file or asset",
        operands: "PATH|ID", operandCount: 1...1,
        about: """
            What it is now, what it waits for, which asset it became and in which albums that is, and everything that
            happened to it. PATH may be gone already. A name that begins with a dash is written ./-name.
            """,
        examples: [
            Example("albumctl why /srv/photos/inbox/IMG_1.jpg", "where is this photo?"),
            Example("albumctl why $'J\\xf1.jpg'", "a name that is not UTF-8"),
            Example("albumctl why 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "where did this asset come from?"),
        ],
        run: tellWhy)
}

private func tellWhy(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = try subject(of: invocation.arguments.operands[0])
    let answer = try invocation.api.ask(.why, body: request, as: WhyReport.self)
    guard !invocation.output.isJSON else {
        invocation.output.json(answer.json)
        return .done
    }
    show(answer.value, on: invocation.output, now: invocation.host.machine.now())
    return .done
}

private func show(_ report: WhyReport, on output: Output, now: Date) {
    output.line(report.summary)
    if let path = report.path { output.line("File      \(shown(path, report.pathBase64))") }
    if let waiting = report.waiting {
        let since = waiting.since.map { ", for \(age(of: $0, at: now))" } ?? ""
        output.line("Waiting   \(waiting.reason.rawValue)\(since)\(waiting.detail.map { ": \($0)" } ?? "")")
    }
    if let asset = report.asset { output.lines(assetLines(asset)) }
    for album in report.albums { output.line("Album     \(shown(album.title, album.titleBase64))") }
    for mapping in report.mappings { output.line("Mapping   \(mappingText(mapping))") }
    guard !report.events.isEmpty else { return }
    output.line()
    for event in report.events { output.line("\(localTime(event.date))  \(event.text)") }
}
