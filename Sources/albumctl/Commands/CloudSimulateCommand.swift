import Control
import PhotoModel
import Platform

extension Command {
    static let cloudSimulate = Command(
        name: "cloud simulate", summary: "make the simulated cloud misbehave, or behave again",
        options: [
            .flag("offline", "nothing can be reached"),
            .flag("online", "it can be reached again"),
            .value("latency", "TIME", "each request takes so long: 200ms"),
            .value("bandwidth", "RATE", "bytes go no faster: 5MB/s, or unlimited"),
            .value("quota", "SIZE", "it has room for no more: 10GB, or unlimited"),
            .value("error-rate", "SHARE", "of requests that fail: 0.1"),
            .value("throttle-rate", "SHARE", "of requests that are answered with \"later\""),
            .value("break-rate", "SHARE", "of downloads that break off half-way"),
            .value("lie-rate", "SHARE", "of uploads that are acknowledged and not stored"),
            .value("truncate-rate", "SHARE", "of uploads of which half is stored"),
            .value("corrupt-rate", "SHARE", "of uploads that are stored with another byte"),
            .value("outage-every", "TIME", "it can be reached for so long: 10m"),
            .value("outage-for", "TIME", "and then cannot for so long, again and again; 0s is never"),
            .value("list-delay", "TIME", "lists do not show what was put in the last so long: 5s"),
            .value("lose", "ID", isRepeatable: true, "the objects of this asset disappear"),
            .value("corrupt", "ID", isRepeatable: true, "the objects of this asset get another bit"),
            .flag("reset", "as the configuration says, before anything else that is given"),
        ],
        about: """
            It holds until albumd ends or the next such command; [cloud.simulator] of the configuration is for always.
            What is not given stays as it is, and with nothing given it only says how the cloud misbehaves now. albumd
            must come through all of it without losing an original that it says it has; --lose and --corrupt of an asset
            whose original is in the cloud alone do lose it, which is what they are for.
            """,
        examples: [
            Example("albumctl cloud simulate --offline", "pull the plug"),
            Example("albumctl cloud simulate --error-rate 0.2 --latency 200ms --bandwidth 5MB/s", "a bad day"),
            Example("albumctl cloud simulate --reset", "well again"),
        ],
        run: simulate)
}

private func simulate(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = try simulation(invocation.arguments)
    let answer =
        request == Simulation()
        ? try invocation.api.ask(.cloudStatus, as: CloudReport.self)
        : try invocation.api.ask(.simulateCloud, body: request, isLong: true, as: CloudReport.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        invocation.output.line(
            answer.value.simulation.map { "The simulated cloud: \(behaviour($0))." } ?? "cloud: \(answer.value.engine)")
        if let spoilt = answer.value.spoiltObjects { invocation.output.line(words(of: spoilt)) }
    }
    return .done
}

/// What became of the objects that were named, in a sentence.
private func words(of spoilt: SpoiltObjects) -> String {
    let words = [
        (spoilt.lostCount, "disappeared", "disappeared"), (spoilt.corruptedCount, "got", "got"),
        (spoilt.absentCount, "was", "were"),
    ].map { counted($0.0, "object", one: $0.1, many: $0.2) }
    let said = zip(words, ["", " another bit", " not there"]).map(+)
    let counts = [spoilt.lostCount, spoilt.corruptedCount, spoilt.absentCount]
    let shown = zip(said, counts).filter { $0.1 > 0 }.map(\.0)
    return shown.isEmpty ? "The assets have no objects." : shown.joined(separator: ", ") + "."
}

private func simulation(_ arguments: Arguments) throws(Problem) -> Simulation {
    guard !(arguments.has("offline") && arguments.has("online")) else {
        throw .usage("--offline or --online, not both")
    }
    var request = Simulation()
    if arguments.has("offline") { request.isOffline = true }
    if arguments.has("online") { request.isOffline = false }
    if arguments.has("reset") { request.reset = true }
    request.latencyMilliseconds = try arguments.duration("latency").map(milliseconds)
    request.bytesPerSecond = try arguments.rate("bandwidth", orUnlimited: true)
    request.quotaByteCount = try arguments.byteCount("quota", orUnlimited: true)
    request.errorRate = try arguments.share("error-rate")
    request.throttleRate = try arguments.share("throttle-rate")
    request.breakRate = try arguments.share("break-rate")
    request.lieRate = try arguments.share("lie-rate")
    request.truncateRate = try arguments.share("truncate-rate")
    request.corruptRate = try arguments.share("corrupt-rate")
    request.outageEveryMilliseconds = try arguments.duration("outage-every").map(milliseconds)
    request.outageForMilliseconds = try arguments.duration("outage-for").map(milliseconds)
    request.listDelayMilliseconds = try arguments.duration("list-delay").map(milliseconds)
    request.lose = try arguments.identifiers(of: "lose")
    request.corrupt = try arguments.identifiers(of: "corrupt")
    return request
}

private func milliseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
}

/// `offline, latency 200ms, error rate 0.1`.
func behaviour(_ faults: Simulation) -> String {
    var words = faults.isOffline == true ? ["offline"] : []
    if let latency = faults.latencyMilliseconds, latency > 0 {
        words.append("latency \(DurationText.write(.milliseconds(latency)))")
    }
    if let rate = faults.bytesPerSecond, rate > 0 { words.append("bandwidth \(size(rate))/s") }
    if let quota = faults.quotaByteCount, quota > 0 { words.append("quota \(size(quota))") }
    let rates = [
        ("error", faults.errorRate), ("throttle", faults.throttleRate), ("break", faults.breakRate),
        ("lie", faults.lieRate), ("truncate", faults.truncateRate), ("corrupt", faults.corruptRate),
    ]
    words += rates.compactMap { name, rate in rate.flatMap { $0 > 0 ? "\(name) rate \($0)" : nil } }
    if let down = faults.outageForMilliseconds, down > 0 {
        let up = DurationText.write(.milliseconds(faults.outageEveryMilliseconds ?? 0))
        words.append("out of reach for \(DurationText.write(.milliseconds(down))) after each \(up)")
    }
    if let delay = faults.listDelayMilliseconds, delay > 0 {
        words.append("lists \(DurationText.write(.milliseconds(delay))) late")
    }
    return words.isEmpty ? "it does as it should" : words.joined(separator: ", ")
}
