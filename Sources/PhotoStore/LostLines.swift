import Platform

/// Changes of which the journal has no whole line.
struct LostLines {
    var tokens: [ClosedRange<Int64>]
    /// Of damaged lines, by the token that they begin with: the file that they stand in.
    var damaged: [Int64: [UInt8]]

    /// For a person: which changes are lost, and where their lines are or should be.
    var text: String {
        let named = tokens.prefix(5).map { range in
            if range.count == 1, let month = damaged[range.lowerBound] {
                return "change \(range.lowerBound), whose line in journal/\(printable(month)) is damaged"
            }
            let files = Set(range.lazy.prefix(1000).compactMap { damaged[$0] }.map { "journal/\(printable($0))" })
            let place = files.isEmpty ? "" : " (damaged in \(files.sorted().joined(separator: ", ")))"
            let what =
                range.count == 1 ? "change \(range.lowerBound)" : "changes \(range.lowerBound) to \(range.upperBound)"
            return what + (place.isEmpty ? ", of which journal/ has no line" : place)
        }
        return named.joined(separator: "; ") + (tokens.count > 5 ? "; and \(tokens.count - 5) more gaps" : "")
    }
}
