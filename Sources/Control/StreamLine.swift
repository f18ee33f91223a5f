package import FoundationEssentials
package import PhotoModel

/// One line of a stream: a row, or the one that ends it.
///
/// In JSON the end is an object with the key `end` or `error`; everything else is a row, under the key `row` or by
/// itself. A stream without its end was cut off.
package enum StreamLine<Row: Codable & Sendable & Equatable, End: Codable & Sendable & Equatable>: Sendable, Equatable {
    case row(Row)
    case end(End)
    case error(Problem)
}

extension StreamLine: Codable {
    private enum Key: String, CodingKey {
        case row
        case end
        case error
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.end) {
            self = .end(try container.decode(End.self, forKey: .end))
        } else if container.contains(.error) {
            self = .error(try container.decode(Problem.self, forKey: .error))
        } else if container.contains(.row) {
            self = .row(try container.decode(Row.self, forKey: .row))
        } else {
            self = .row(try Row(from: decoder))
        }
    }

    /// A row is written by itself.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .row(let row): try row.encode(to: encoder)
        case .end(let end): try encode(end, .end, to: encoder)
        case .error(let problem): try encode(problem, .error, to: encoder)
        }
    }

    private func encode(_ value: some Encodable, _ key: Key, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: key)
    }
}

/// A line of `POST /v1/plan`; the end counts the files by outcome, `unchanged` being one of the words.
package typealias PlanLine = StreamLine<PlanRow, [String: Int]>

/// A line of `GET /v1/changes`.
package typealias ChangeLine = StreamLine<ChangeRow, ChangeEnd>

/// One committed change.
package struct ChangeRow: Codable, Sendable, Equatable {
    package var token: Int64
    package var date: Date
    /// Who asked for it: `import`, `recovery`, `retention`, `verify`, `repair`, or `api uid N`.
    package var origin: String
    package var changes: [ChangeRequest]

    package init(token: Int64, date: Date, origin: String, changes: [ChangeRequest]) {
        self.token = token
        self.date = date
        self.origin = origin
        self.changes = changes
    }
}

/// Where the feed stopped: ask again after this token.
package struct ChangeEnd: Codable, Sendable, Equatable {
    package var token: Int64

    package init(token: Int64) { self.token = token }
}
