import Cloud
import PhotoModel
import Platform

extension ConfigurationReader {
    private static let cloudKeys = [
        "engine", "directory", "upload", "keep_local", "free_disk_floor", "older_than", "delete_purged", "simulator",
    ]

    /// The table `[cloud]`.
    mutating func cloud(_ node: TOMLNode) -> CloudSettings {
        var cloud = CloudSettings()
        guard isTable(node, "cloud") else { return cloud }
        for node in node.members {
            switch node.key {
            case "engine": cloud.engine = choice(node) ?? cloud.engine
            case "directory": cloud.directory = placedPath(node, example: #""/srv/cloud""#)
            case "upload": cloud.policy.uploadsAll = choice(node).map { $0 == CloudSettings.Upload.all } ?? false
            case "keep_local": cloud.policy.keepLocal = byteCount(node, or: "all")
            case "free_disk_floor": cloud.policy.freeDiskFloor = byteCount(node, or: "none")
            case "older_than": cloud.policy.olderThan = age(node)
            case "delete_purged": cloud.policy.deletesPurged = age(node)
            case "simulator": simulator(node, &cloud)
            default: refuseUnknownKey(node, known: Self.cloudKeys)
            }
        }
        return cloud
    }

    private static let simulatorKeys = [
        "latency", "bandwidth", "quota", "seed", "error_rate", "throttle_rate", "break_rate", "lie_rate",
        "truncate_rate", "corrupt_rate", "outage_every", "outage_for", "list_delay", "versions",
    ]

    /// The table `[cloud.simulator]`: how the simulated store misbehaves.
    private mutating func simulator(_ table: TOMLNode, _ cloud: inout CloudSettings) {
        guard isTable(table, "cloud.simulator") else { return }
        var (every, down) = (Duration.zero, Duration.zero)
        for node in table.members {
            switch node.key {
            case "latency": cloud.faults.latency = wait(node)
            case "bandwidth": cloud.faults.bytesPerSecond = byteCount(node, or: "unlimited", perSecond: true)
            case "quota": cloud.faults.quotaBytes = byteCount(node, or: "unlimited")
            case "seed": cloud.seed = wholeNumber(node)
            case "error_rate": cloud.faults.errorRate = number(node, in: 0...1)
            case "throttle_rate": cloud.faults.throttleRate = number(node, in: 0...1)
            case "break_rate": cloud.faults.breakRate = number(node, in: 0...1)
            case "lie_rate": cloud.faults.lieRate = number(node, in: 0...1)
            case "truncate_rate": cloud.faults.truncateRate = number(node, in: 0...1)
            case "corrupt_rate": cloud.faults.corruptRate = number(node, in: 0...1)
            case "outage_every": every = wait(node)
            case "outage_for": down = wait(node)
            case "list_delay": cloud.faults.listDelay = wait(node)
            case "versions": cloud.faults.keepsVersions = flag(node)
            default: refuseUnknownKey(node, known: Self.simulatorKeys)
            }
        }
        if down > .zero { cloud.faults.outage = .init(up: every, down: down) }
    }

    private mutating func isTable(_ node: TOMLNode, _ name: String) -> Bool {
        if case .table = node.value { return true }
        refuse(node, "is no table; write [\(name)] above its keys")
        return false
    }

    private mutating func wait(_ node: TOMLNode) -> Duration {
        duration(node, in: .zero ... .seconds(86_400)) ?? .zero
    }

    /// Nil for the word that means no limit.
    private mutating func byteCount(_ node: TOMLNode, or word: String, perSecond: Bool = false) -> Int64? {
        if case .string(let text) = node.value {
            if text == word { return nil }
            let plain = perSecond && text.hasSuffix("/s") ? String(text.dropLast(2)) : text
            if let count = ByteCountText.parse(plain) { return count }
        }
        let example = perSecond ? "5MB/s" : "20GB"
        refuse(
            node,
            #"is no number of bytes; write a number with \#(ByteCountText.units), such as "\#(example)", or "\#(word)""#
        )
        return nil
    }

    /// Nil for `never`; days are what people count in.
    private mutating func age(_ node: TOMLNode) -> Duration? {
        if case .string(let text) = node.value {
            if text == "never" { return nil }
            if text.hasSuffix("d"), let days = Int64(text.dropLast()), (0...36_500).contains(days) {
                return .seconds(days * 86_400)
            }
            if let duration = DurationText.parse(text) { return duration }
        }
        refuse(node, #"is no age; write a whole number with d, h, m, s or ms, such as "365d" or "12h", or "never""#)
        return nil
    }

    private mutating func number(_ node: TOMLNode, in range: ClosedRange<Double>) -> Double {
        if case .other = node.value, let number = Double(node.source), range.contains(number) { return number }
        refuse(node, "is no number from \(range.lowerBound) to \(range.upperBound)")
        return range.lowerBound
    }

    private mutating func wholeNumber(_ node: TOMLNode) -> UInt64 {
        if case .other = node.value, let number = Int64(node.source), number >= 0 { return UInt64(number) }
        refuse(node, "is no whole number that is at least 0")
        return 0
    }

    private mutating func flag(_ node: TOMLNode) -> Bool {
        if case .boolean(let flag) = node.value { return flag }
        refuse(node, "is neither true nor false")
        return true
    }
}
