import Control
import PhotoModel

extension Command {
    static let flush = Command(
        name: "flush", summary: "wait until every file that lies in the folders now has been dealt with",
        options: [.value("timeout", "TIME", "give up after this time, such as 500ms, 60s or 5m (600s)")],
        about: """
            When it returns, each file that was there before has an outcome, or waits for a reason that is told.
            A file that is still being written has no outcome until its writer closes it. Exit status 3 means that a
            folder could not be reached, or that a file waits for something that does not pass by itself.
            """,
        examples: [
            Example("cp *.jpg /srv/photos/inbox && albumctl flush", "copy, and wait until the library has them"),
            Example("albumctl flush --timeout 60s", "but no longer than a minute"),
        ],
        run: flushFolders)
}

private func flushFolders(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let timeout = try invocation.arguments.duration("timeout")
    let request = FlushRequest(timeoutSeconds: timeout.map { $0 / .seconds(1) })
    let answer = try invocation.waiting(invocation.whatWaits) { () throws(Problem) in
        try invocation.api.ask(.flush, body: request, isLong: true, as: FlushResult.self)
    }
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        show(answer.value, on: invocation.output)
    }
    return answer.value.isComplete ? .done : .degraded
}

extension FlushResult {
    /// Whether nothing waits but what needs time alone, in folders that were all there.
    fileprivate var isComplete: Bool {
        offline.isEmpty && waiting.keys.allSatisfy { Reason(rawValue: $0)?.isPassing ?? false }
    }
}

private func show(_ result: FlushResult, on output: Output) {
    let waiting = listed(result.waiting)
    for folder in result.offline { output.line("Offline: \(folder)   (albumctl folder check tells why)") }
    guard waiting.isEmpty else {
        output.line("Done, but some wait: \(waiting)   (albumctl pending lists them)")
        return
    }
    output.line(result.offline.isEmpty ? "Done: every file has been dealt with." : "Done with all other folders.")
}
