package import FoundationEssentials
import PhotoModel

/// Which daily snapshots of the catalogue are due, and which are one too many.
///
/// Pure. Backups from before a migration have other names, and are no part of it.
package struct SnapshotPlan: Sendable, Equatable {
    package static let interval = 86_400.0
    package static let kept = 7

    package var isDue: Bool
    /// The names to remove, once there is a new one.
    package var superfluous: [[UInt8]]

    /// From the names in `snapshots/`.
    ///
    /// A snapshot from the future was made by a clock that has been set back since: it counts as the oldest.
    package init(names: [[UInt8]], now: Date) {
        let dated = names.compactMap { name in SnapshotPlan.date(of: name).map { (name: name, date: $0) } }
        let past = dated.filter { $0.date <= now }.sorted { $0.date < $1.date }
        let future = dated.filter { $0.date > now }.sorted { $0.date > $1.date }
        isDue = past.last.map { now.timeIntervalSince($0.date) >= SnapshotPlan.interval } ?? true
        superfluous = (future + past).dropLast(SnapshotPlan.kept).map(\.name)
    }

    /// `catalogue-YYYYMMDDTHHMMSS.sqlite`.
    package static func name(at date: Date) -> [UInt8] {
        Array("catalogue-\(date.stamp.prefix(15)).sqlite".utf8)
    }

    /// Nil for a name of another shape.
    package static func date(of name: [UInt8]) -> Date? {
        guard name.count == 32, name.starts(with: "catalogue-".utf8), name.suffix(7).elementsEqual(".sqlite".utf8)
        else { return nil }
        let digits = name[10..<25].map { Character(UnicodeScalar($0)) }
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
        return Date(rfc3339: "\(day)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }
}

extension Date {
    /// For names of files: `20261130T020109250000`, UTC.
    var stamp: String { rfc3339.filter { $0.isNumber || $0 == "T" } }
}
