/// The word of `words` that `word` was most likely meant to be.
///
/// Nil where none is near.
package func nearestWord(to word: String, in words: [String]) -> String? {
    let scored = words.map { (word: $0, distance: editDistance(Array(word.utf8), Array($0.utf8))) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.word.utf8.count / 3) ? best.word : nil
}

/// Levenshtein's distance: insertions, removals and replacements.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var previous = Array(0...right.count)
    for (row, a) in left.prefix(64).enumerated() {
        var current = [row + 1]
        for (column, b) in right.enumerated() {
            current.append(min(previous[column + 1] + 1, current[column] + 1, previous[column] + (a == b ? 0 : 1)))
        }
        previous = current
    }
    return previous[right.count]
}
