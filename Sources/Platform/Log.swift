/// Where events of the daemon go: journald as fields, or one line each on stderr.
///
/// Modules throw; services log.
package struct Log: Sendable {
    /// Meanings, not volumes: fault is our bug, error wants an act, notice is a changed state.
    ///
    /// Values are syslog's.
    package enum Level: Int, Sendable, Comparable {
        case fault = 2
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// One event: a sentence, and what it is about as key and value.
    package struct Entry: Sendable {
        package var level: Level
        package var message: String
        package var fields: [(key: String, value: String)]

        package init(level: Level, message: String, fields: [(key: String, value: String)]) {
            self.level = level
            self.message = message
            self.fields = fields
        }
    }

    private let write: @Sendable (Entry) -> Void

    package init(write: @escaping @Sendable (Entry) -> Void) { self.write = write }

    /// Drops everything: for tests that look elsewhere.
    package static var silent: Log { Log { _ in } }

    package func callAsFunction(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let values = fields.map { ($0.key, printable(sentence: $0.value)) }
        write(Entry(level: level, message: printable(sentence: message), fields: values))
    }
}
