/// Lets a key pass a number of times in a span of time, and counts what it held back (RULES S8).
///
/// A span begins with the first event of a key after the last span. It remembers at most 1,000 keys.
package struct RateLimit: Sendable {
    private struct Span: Sendable {
        var end: Duration
        var passed = 0
        var heldBack = 0
    }

    private let count: Int
    private let length: Duration
    private var spans: [String: Span] = [:]

    /// Lets `count` events of a key pass in `length`.
    package init(count: Int, per length: Duration) {
        self.count = count
        self.length = length
    }

    /// How many events of the key were held back since the last that passed; nil where this one is held back too.
    ///
    /// `time` is the machine's uptime.
    package mutating func pass(_ key: String, at time: Duration) -> Int? {
        if spans.count >= 1000 && spans[key] == nil { forget(at: time) }
        var span = spans[key] ?? Span(end: time + length)
        defer { spans[key] = span }
        if time >= span.end {
            span = Span(end: time + length, heldBack: span.heldBack)
        }
        guard span.passed < count else {
            span.heldBack += 1
            return nil
        }
        span.passed += 1
        defer { span.heldBack = 0 }
        return span.heldBack
    }

    /// Forgets the keys whose span is over, or all where none is: a flood of new keys must not fill the memory.
    private mutating func forget(at time: Duration) {
        spans = spans.filter { $0.value.end > time }
        if spans.count >= 1000 { spans = [:] }
    }
}
