import Control

extension Command {
    static let metrics = Command(
        name: "metrics", summary: "print what a monitoring system wants to know, as Prometheus text",
        about: """
            For node_exporter's textfile collector: write it to a file beside, then rename it into place. With --json
            it is an array of {"metric": …, "value": …}.
            """,
        examples: [
            Example(
                "albumctl metrics > /var/lib/node_exporter/albumd.tmp && mv /var/lib/node_exporter/albumd.{tmp,prom}",
                "in a timer")
        ],
        run: printMetrics)
}

private struct Sample: Encodable {
    let metric: String
    let value: Double
}

private func printMetrics(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let body = try invocation.api.fetch(.metrics)
    if invocation.output.isJSON {
        invocation.output.json(JSON.encode(samples(in: String(decoding: body, as: UTF8.self))))
    } else {
        invocation.output.text(
            String(decoding: body.last == UInt8(ascii: "\n") ? body.dropLast() : body, as: UTF8.self))
    }
    return .done
}

/// The lines that are no comments: name and labels, then a number (Prometheus, exposition formats).
private func samples(in text: String) -> [Sample] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
            return nil
        }
        return Sample(metric: String(line[..<space]), value: value)
    }
}
