import Platform

/// Why a configuration cannot be used: every problem found, in the order of the file.
package struct ConfigurationError: Error, Sendable, Equatable {
    /// One fault at one place.
    package struct Problem: Sendable, Equatable {
        /// As it may be shown.
        package var file: String
        /// Line and column from 1; nil where the fault is the file itself.
        package var place: Place?
        /// Names the key, the bad value and what is allowed.
        package var message: String
    }

    package struct Place: Sendable, Hashable {
        package var line: Int
        package var column: Int
    }

    package var problems: [Problem]
    /// Whether the disk refused to take a file, which says nothing of what is in it.
    var isOfDisk = false

    init(_ problems: [Problem]) { self.problems = problems }

    init(file: String, line: Int, column: Int, _ message: String) {
        problems = [Problem(file: file, place: Place(line: line, column: column), message: message)]
    }

    /// The file as a whole is the fault.
    init(file: String, _ message: String) {
        problems = [Problem(file: file, place: nil, message: message)]
    }
}

extension ConfigurationError.Problem: CustomStringConvertible {
    package var description: String {
        guard let place else { return "\(file): \(message)" }
        return "\(file):\(place.line):\(place.column): \(message)"
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }

    /// What to do for a daemon that runs on with what it had.
    package var fix: String {
        let files = Set(problems.map { $0.file == "folders" ? "the folders' paths" : $0.file }).sorted()
            .joined(separator: " and ")
        return "mend \(files), then albumctl reload"
    }
}
