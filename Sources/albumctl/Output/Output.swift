import Control
import Glibc
import PhotoModel
import Synchronization

/// Everything that reaches the terminal or the pipe.
///
/// Text is inert before it leaves, whatever a command forgot (RULES S7); JSON is made so by `JSON.inert`.
final class Output: Sendable {
    /// Where bytes go: descriptors, or a test's memory.
    ///
    /// Each returns whether all was written.
    struct Sinks: Sendable {
        var out: @Sendable ([UInt8]) -> Bool
        var error: @Sendable ([UInt8]) -> Bool

        static let standard = Sinks(
            out: { writeAll($0, to: STDOUT_FILENO) }, error: { writeAll($0, to: STDERR_FILENO) })
    }

    let isJSON: Bool
    /// Whether long work may draw a line on stderr.
    let showsProgress: Bool
    private let sinks: Sinks
    private let failed = Atomic(false)

    init(_ sinks: Sinks, isJSON: Bool, showsProgress: Bool) {
        self.sinks = sinks
        self.isJSON = isJSON
        self.showsProgress = showsProgress
    }

    /// Whether something could not be written: a full disk, a closed pipe.
    var hasFailed: Bool { failed.load(ordering: .relaxed) }

    /// One line for a person.
    func line(_ text: String = "") { write(Array((inert(text) + "\n").utf8)) }

    /// Lines of a table.
    func lines(_ lines: [String]) { for text in lines { line(text) } }

    /// Our own text, line by line.
    func text(_ text: String) { lines(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)) }

    /// A JSON document, or one line of a stream of them.
    func json(_ bytes: [UInt8]) { write(JSON.inert(bytes) + [UInt8(ascii: "\n")]) }

    /// Bytes as they are: a photo, or the text of the metrics.
    func raw(_ bytes: [UInt8]) { write(bytes) }

    /// A path as the bytes that it is, ended by a zero, which no path has.
    func path(_ text: String?, _ base64: String?) {
        guard let path = try? Name.bytes(text, base64) else { return }
        write(path.bytes + [0])
    }

    /// A remark for a person, on stderr.
    func remark(_ text: String) { _ = sinks.error(Array((inert(text) + "\n").utf8)) }

    /// Our own text on stderr, line by line.
    func remarks(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { remark(String(line)) }
    }

    /// Draws on stderr: only `ProgressLine` does.
    func draw(_ text: String) { _ = sinks.error(Array(text.utf8)) }

    /// What went wrong: a sentence and the act that mends it on stderr; in JSON also as the one document, or as the
    /// last line of a stream.
    func tell(_ problem: Problem) {
        remark("albumctl: " + problem.detail)
        if let fix = problem.fix { indented(fix).forEach(remark) }
        if isJSON { json(JSON.encode(["error": problem])) }
    }

    private func write(_ bytes: [UInt8]) {
        guard !hasFailed, !sinks.out(bytes) else { return }
        failed.store(true, ordering: .relaxed)
        remark("albumctl: the output could not be written")
    }
}

/// Writes all bytes; false where that failed (write(2)).
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 || errno == EINTR else { return false }
        rest = rest.dropFirst(max(0, count))
    }
    return true
}
