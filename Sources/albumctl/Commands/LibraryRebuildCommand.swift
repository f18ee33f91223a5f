import Control
import Platform

extension Command {
    static let libraryRebuild = Command(
        name: "library rebuild", summary: "make a lost or damaged catalogue anew, with the daemon stopped",
        options: [
            .value("config", "FILE", "this configuration instead of the usual one"),
            .flag("dry-run", "only say what would come back, and what is lost"),
            .flag("partial", "go on although something is lost"),
        ],
        about: """
            Runs `albumd --rebuild-library`, which stands beside albumctl. From the journal, or the newest snapshot and it, come
            back every identifier, album, order, mapping, everything in Recently Deleted and what was deleted for good;
            the originals are compared with it afterwards. A change that neither has whole comes from the cloud of the
            configuration, where that has it; else nothing is done, and --partial gives it up with what builds on it. A dry
            run makes the catalogue, removes it again, and ends with the exit status of the real run. What was there is kept as catalogue.corrupt.DATE. albumd does
            the same by itself when its catalogue is gone or damaged; run this as its user. It ends with 69 while a
            daemon has the library.
            """,
        examples: [
            Example("sudo -u albumd albumctl library rebuild --dry-run", "what would come back"),
            Example("sudo systemctl stop albumd && sudo -u albumd albumctl library rebuild", "do it"),
        ],
        run: rebuildLibrary)
}

private func rebuildLibrary(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (given, program) = (invocation.arguments, albumd(beside: invocation.host.executable))
    var arguments = ["--rebuild-library"] + ["dry-run", "partial"].filter { given.has($0) }.map { "--" + $0 }
    if invocation.output.isJSON { arguments.append("--json") }
    var all = arguments.map { Array($0.utf8) }
    if let file = given.bytes("config") { all += [Array("--config".utf8), file] }
    guard invocation.output.isJSON else { throw notRun(program, becomeProgram(program, all)) }
    let ended = try captureProgram(program, all)
    guard ended.status == 0 else {
        throw Problem(
            "rebuild", title: "The catalogue was not rebuilt", status: 500, detail: ended.text,
            fix:
                "\(given.again(.libraryRebuild, with: ["dry-run": ""])) tells what it would do; its log says what is wrong",
            exitCode: Int(ended.status))
    }
    invocation.output.json(Array(ended.text.utf8))
    return .done
}
