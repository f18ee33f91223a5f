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
            that there was a file, and that every one may be erased. With --json each line is a file, and the last line
            is {"end": …}.
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
    if let pattern = arguments.options["ignore"]?.first(where: { $0.contains(UInt8(ascii: "/")) }) {
        throw .usage("--ignore takes patterns of single names, and '\(printable(pattern))' holds a slash")
    }
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
