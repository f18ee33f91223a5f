import Control
import FoundationEssentials
import PhotoModel
import Platform

extension Command {
    static let cloudStatus = Command(
        name: "cloud status", summary: "say where the originals are, what moves, and what is in the way",
        about: """
            `simulated` is a directory that behaves as a cloud does, and no backup: albumctl cloud simulate makes it
            misbehave. `lost` is what neither the disk nor the cloud has. `doubts` are copies that the store denied
            once; it is asked again after ten minutes, over a restart of albumd, too. Exit status 3 means that something
            is lost, in doubt or stuck, or that nothing can be moved now: below `Failure` stands what to do. `none` is a configuration that
            wants no cloud.
            """,
        examples: [
            Example("albumctl cloud status", "how much is where?"),
            Example("albumctl cloud status --json | jq .residencies", "the same for programs"),
        ],
        run: tellCloud)
}

private func tellCloud(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let answer = try invocation.api.ask(.cloudStatus, as: CloudReport.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        invocation.output.lines(lines(of: answer.value))
    }
    let report = answer.value
    let isAsItShouldBe =
        report.lostCount == 0 && report.doubtCount == 0 && report.failure == nil && report.failures.isEmpty
    return isAsItShouldBe ? .done : .degraded
}

private func name(of failure: CloudFailure) -> String {
    guard let identifier = failure.localIdentifier else { return failure.sha256.hexadecimal }
    let name = failure.originalFilename.map { "  \(shown($0, failure.originalFilenameBase64))" } ?? ""
    return "\(identifier)\(name)"
}

private func lines(of report: CloudReport) -> [String] {
    var lines = ["cloud: \(report.engine)"]
    func add(_ label: String, _ text: String?) {
        if let text { lines.append(padded(label, to: 10) + text) }
    }
    let near = ", on the library's own disk: evicting frees nothing, and free_disk_floor is not followed"
    let room = report.isOnLibraryDisk ? near : ""
    add("Where", report.directory.map { $0 + room })
    add("Originals", whereabouts(report.residencies))
    add("Moving", report.transfers.isEmpty ? nil : listed(report.transfers))
    add("Pinned", report.pinned.count == 0 ? nil : "\(report.pinned.count) (\(size(report.pinned.byteCount)))")
    add("Lost", report.lostCount == 0 ? nil : lost(report.lostCount))
    add("Doubts", report.doubtCount == 0 ? nil : doubts(report.doubtCount, report.doubtDate))
    add("Purged", report.purgedObjectCount == 0 ? nil : purged(report.purgedObjectCount))
    add("Unclaimed", report.unclaimedCount == 0 ? nil : unclaimed(report.unclaimedCount))
    for rule in report.rules {
        add("Rule", "\(shown(rule.title, rule.titleBase64)) \(words(of: rule.tier))  (\(rule.localIdentifier))")
    }
    add("History", report.directory.map { _ in history(report) })
    add("Looked", report.lastRound.map(localTime))
    add("Failure", report.failure.map { inert($0) })
    if let fix = report.failureFix { lines += indented(fix) }
    for failure in report.failures { add("Stuck", "\(name(of: failure)): \(inert(failure.detail))") }
    add("Simulator", report.simulation.map(behaviour))
    return lines
}

private func history(_ report: CloudReport) -> String {
    if let token = report.mirroredToken {
        let newest = report.newestToken ?? token
        return "in the cloud up to change \(token)" + (newest > token ? " of \(newest)" : "")
    }
    if report.isStoreOthers { return "not kept: what answers is not this library's cloud" }
    return report.failure == nil ? "not known: the cloud has not been asked yet" : "not known: see the failure"
}

private func lost(_ count: Int) -> String {
    "\(counted(count, "original")): neither the disk nor the cloud has the bytes"
}

private func doubts(_ count: Int, _ date: Date?) -> String {
    "\(counted(count, "copy")) denied once; asked for again \(date.map { "at \(localTime($0))" } ?? "after ten minutes")"
}

private func purged(_ count: Int) -> String {
    "\(counted(count, "object")) of photos that were deleted for good"
}

private func unclaimed(_ count: Int) -> String {
    "\(counted(count, "original")) in the cloud that no photo has: albumctl cloud recover"
}

/// `local 3 (4.1 MB), both 1 (231 bytes), inCloud 2 (7.0 MB)`: the nearest first.
func whereabouts(_ residencies: [String: CountAndBytes]) -> String {
    let words = ["local", "both", "inCloud", "missing"].compactMap { word in
        residencies[word].map { "\(word) \($0.count) (\(size($0.byteCount)))" }
    }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
}
