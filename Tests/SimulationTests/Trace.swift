import EngineSupport
import PhotoModel

/// A rule that does not hold.
struct Violation: Error, CustomStringConvertible {
    var rule: String
    var detail: String

    init(rule: String, _ detail: String) {
        self.rule = rule
        self.detail = detail
    }

    var description: String { "\(rule): \(detail)" }
}

/// Everything that happened, line by line: what a failed run prints, and what two runs of one seed have alike.
struct Trace {
    private(set) var lines: [String] = []

    mutating func note(_ line: String) { lines.append(line) }

    var hash: ContentHash? { SampleMedia.hash(Array(lines.joined(separator: "\n").utf8)) }
}
